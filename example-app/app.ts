import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import { rateLimit } from 'express-rate-limit';
import session, { type SessionOptions } from 'express-session';
import helmet from 'helmet';
import type { Engine } from './engine.js';
import { sayThatItFailed } from './faults.js';
import { createIdentity, type Service } from './identity.js';
import { logIn, logOut, loggedIn } from './log-in.js';
import { abroadPage, homePage, machinesPage, notFoundPage, notVerifiedPage, verifiedPage } from './pages.js';
import { onlyOwnForms } from './own-forms.js';
import { processNumber } from './process-number.js';

export interface AppOptions {
  readonly service?: Service;
  /** Where sessions and flows live; without one, in this process. */
  readonly engine?: Pick<Engine, 'sessions' | 'flows'> | undefined;
  readonly session?: Partial<SessionOptions>;
  readonly log?: (line: string) => void;
}

/** Drehmoment, a tool library. The tests call this with a sandbox of their own. */
export function createApp({ service, engine, session: settings, log }: AppOptions = {}): Express {
  const app = express();
  const identity = createIdentity(service, engine?.flows, log);

  app.use(helmet());
  app.use((_req, res, next) => {
    if (processNumber !== undefined) res.set('X-Process', `${processNumber}`);
    next();
  });
  app.use(express.static(fileURLToPath(new URL('public', import.meta.url))));
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
  app.use('/identity', identity);

  app.use(onlyOwnForms, express.urlencoded({ extended: false }));
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  app.get('/', (req, res) => {
    res.send(homePage(req.session.person, identity.of(req)));
  });
  app.post('/log-in', logIn);
  app.post('/log-out', logOut(identity));

  app.get('/machines', loggedIn, identity.require({ maxAge: '30d' }), (req, res) => {
    res.send(machinesPage(req.session.person, identity.of(req)));
  });
  app.get('/abroad', loggedIn, identity.require({ request: 'abroad' }), (req, res) => {
    res.send(abroadPage(req.session.person, identity.of(req, { request: 'abroad' })));
  });
  app.get('/verified', loggedIn, identity.require(), (req, res) => {
    res.send(verifiedPage(req.session.person, identity.of(req)));
  });
  app.get('/not-verified', (req, res) => {
    res.send(notVerifiedPage(req.session.person, req.query['error']));
  });
  app.post('/forget', async (req, res) => {
    await identity.forget(req);
    res.redirect(303, '/');
  });

  app.use((req, res) => {
    res.status(404).send(notFoundPage(req.session.person));
  });
  app.use(sayThatItFailed(log));
  return app;
}
