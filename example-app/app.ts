import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import { rateLimit } from 'express-rate-limit';
import session, { type SessionOptions } from 'express-session';
import helmet from 'helmet';
import { sayThatItFailed } from './faults.js';
import { type IdentitySettings, createIdentity } from './identity.js';
import { chooseLanguage } from './language.js';
import { logInPages } from './log-in.js';
import { onlyOwnForms } from './own-forms.js';
import { homePages } from './pages/home.js';
import { keptPages } from './pages/kept.js';
import { notFound, notVerifiedPages } from './pages/not-verified.js';
import type { Engine } from './server/engine.js';
import { processNumber } from './server/process-number.js';
import { accountPages } from './stories/account.js';
import { agePages } from './stories/age-check.js';
import { beforeResident, residentPages } from './stories/resident-price.js';
import { doorPages } from './stories/step-up.js';

export interface AppOptions extends Pick<IdentitySettings, 'service' | 'clock' | 'log'> {
  /** Where sessions and flows live; without one, in this process. */
  readonly engine?: Pick<Engine, 'sessions' | 'flows'> | undefined;
  readonly session?: Partial<SessionOptions>;
  /** Where the timelines of the sandbox are; `pidgate dev` says so in the environment. */
  readonly sandboxUrl?: string | undefined;
}

/** Drehmoment, a tool library. The tests call this with a sandbox of their own. */
export function createApp({ engine, session: settings, sandboxUrl, ...options }: AppOptions = {}): Express {
  const app = express();
  const identity = createIdentity({ ...options, store: engine?.flows });
  app.locals['sandboxUrl'] = sandboxUrl ?? process.env['IDENTITY_SANDBOX_URL'];

  app.use(helmet());
  app.use((_req, res, next) => {
    if (processNumber !== undefined) res.set('X-Process', `${processNumber}`);
    next();
  });
  app.use(express.static(fileURLToPath(new URL('public', import.meta.url))));
  app.get('/favicon.ico', (_req, res) => res.redirect(301, '/icon.svg')); // what a browser asks for on the kit's pages
  // Before the session, so that what is refused costs nothing. Each process counts for itself.
  app.use('/identity/start', rateLimit({ windowMs: 60_000, limit: 60 }));
  app.use('/identity/callback', rateLimit({ windowMs: 60_000, limit: 300 }));
  app.use(
    session({
      name: 'drehmoment',
      secret: process.env['SESSION_SECRET'] ?? randomBytes(32).toString('base64url'),
      resave: false,
      saveUninitialized: false,
      cookie: { sameSite: 'lax', secure: 'auto' },
      store: engine?.sessions,
      ...settings,
    }),
  );

  // After the session, and before the check of our own forms: the callback comes from the service, not from a page.
  app.use(beforeResident);
  app.use('/identity', identity);

  app.use(chooseLanguage, onlyOwnForms, express.urlencoded({ extended: false }));
  app.use(homePages(identity), logInPages(identity));
  app.use(agePages(identity), accountPages(identity), residentPages(identity), doorPages(identity));
  app.use(keptPages(identity), notVerifiedPages);
  app.use(notFound, sayThatItFailed(options.log));
  return app;
}
