import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import { rateLimit } from 'express-rate-limit';
import session, { type SessionOptions } from 'express-session';
import helmet from 'helmet';
import { sayThatItFailed } from './faults.js';
import { type IdentitySettings, createIdentity } from './identity.js';
import { chooseLanguage } from './language.js';
import { logInPages, membersOnly } from './log-in.js';
import { onlyOwnForms } from './own-forms.js';
import { homePages } from './pages/home.js';
import { keptPages } from './pages/kept.js';
import { otherPages } from './pages/others.js';
import { secretOf } from './secret-of.js';
import { accountPages } from './stories/account.js';
import { adultsOnly, machinePages } from './stories/age-check.js';
import { erasurePages } from './stories/erasure.js';
import { doorPages } from './stories/step-up.js';
import { votingPages } from './stories/voting-card.js';

const { IDENTITY_SANDBOX_URL, NODE_ENV } = process.env;
const production = NODE_ENV === 'production';

/** What scaled.ts and tests set otherwise. */
interface Settings {
  readonly identity?: IdentitySettings;
  readonly session?: Partial<SessionOptions>;
  readonly log?: (line: string) => void;
}

/** Drehmoment, a tool library that lends machines to adults. */
export function createApp({ log = console.log, ...settings }: Settings = {}): Express {
  const { secret = secretOf('SESSION_SECRET') } = settings.session ?? {};
  const app = express();
  const identity = createIdentity(settings.identity, log);
  app.locals['sandboxUrl'] = IDENTITY_SANDBOX_URL; // pages link to its timelines; `pidgate dev` says where it is
  if (production) app.set('trust proxy', 1); // one proxy in front ends TLS

  app.use(helmet(), express.static(fileURLToPath(new URL('public', import.meta.url))));
  app.get('/favicon.ico', (_req, res) => res.redirect(301, '/icon.svg')); // browsers ask for it on pidgate's pages
  // Above the session, so that a refused request costs nothing. None on the callback: all of them have one address.
  app.use('/identity/start', rateLimit({ windowMs: 60_000, limit: 600, handler: identity.busy }));
  app.use(
    session({
      name: production ? '__Host-drehmoment' : 'drehmoment',
      secret,
      cookie: { httpOnly: true, sameSite: 'lax', secure: production, path: '/' },
      resave: false,
      saveUninitialized: false,
      ...settings.session,
    }),
  );

  // Below the session, and above the check of our own forms: the callback comes from the service, not from a page.
  app.use(chooseLanguage);
  app.use(['/identity/start/vote', '/identity/start/door'], membersOnly); // nobody shares data in vain
  app.use('/identity', identity); // start, callback, return, status
  app.use(onlyOwnForms, express.urlencoded({ extended: false }));

  app.use('/machines', adultsOnly(identity)); // a guard: it leads to the wallet and back, once
  app.use(machinePages(identity), accountPages(identity), votingPages(identity), doorPages(identity));
  app.use(erasurePages(identity), keptPages(identity), homePages(identity), logInPages);
  app.use(otherPages, sayThatItFailed(log));
  return app;
}
