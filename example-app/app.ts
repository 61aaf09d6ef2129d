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
import { counterPages, notFound, notVerifiedPages } from './pages/not-verified.js';
import type { Engine } from './server/engine.js';
import { processNumber } from './server/process-number.js';
import { accountPages } from './stories/account.js';
import { agePages } from './stories/age-check.js';
import { erasurePages } from './stories/erasure.js';
import { beforeDoor, doorPages } from './stories/step-up.js';
import { beforeVote, votingPages } from './stories/voting-card.js';

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
  app.get('/favicon.ico', (_req, res) => res.redirect(301, '/icon.svg')); // requested by browsers on pidgate's pages
  // Above the session, so that a refused request costs nothing. Each process counts separately.
  app.use('/identity/start', rateLimit({ windowMs: 60_000, limit: 60, handler: identity.busy }));
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
  app.use(beforeVote, beforeDoor, chooseLanguage);
  app.use('/identity', identity);

  app.use(onlyOwnForms, express.urlencoded({ extended: false }));
  app.use(homePages(identity), logInPages(identity));
  app.use(agePages(identity), accountPages(identity), votingPages(identity), doorPages(identity));
  app.use(erasurePages(identity), keptPages(identity), notVerifiedPages, counterPages);
  app.use(notFound, sayThatItFailed(options.log));
  return app;
}
