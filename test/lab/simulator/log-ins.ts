import { createRequire } from 'node:module';
import type { Request, RequestHandler } from 'express';
import { dataOf } from './hooks.js';

interface User {
  readonly id: string;
}

type Done = (error?: unknown) => void;

/** The part of passport 0.7 that the app uses. Its own types would add to every request of this project. */
interface Passport {
  serializeUser(write: (user: User, done: (error: null, id: string) => void) => void): void;
  deserializeUser(read: (id: string, done: (error: null, user: User) => void) => void): void;
  authenticate(strategy: 'session'): RequestHandler;
}

interface PassportRequest {
  user?: User;
  logIn(user: User, options: { keepSessionInfo?: boolean }, done: Done): void;
  logOut(options: object, done: Done): void;
}

const require = createRequire(import.meta.url);
const { Passport } = require('passport') as { readonly Passport: new () => Passport };

export interface LogIns {
  readonly middleware: RequestHandler;
  readonly userOf: (req: unknown) => string | undefined;
  readonly logIn: (req: Request, user: string, options?: { keepSessionInfo?: boolean }) => Promise<void>;
  readonly logOut: (req: Request) => Promise<void>;
  /** Another account in the same session, or none. */
  readonly change: (req: Request, user: string | undefined) => void;
}

const called = async (call: (done: Done) => void): Promise<void> =>
  await new Promise((resolve, reject) => {
    call((error) => (error ? reject(error as Error) : resolve()));
  });

export const logInsOf = (hasPassport: boolean): LogIns => (hasPassport ? passportLogIns() : ownLogIns());

function ownLogIns(): LogIns {
  return {
    middleware: (_req, _res, next) => next(),
    userOf: (req) => (dataOf(req) as { user?: string } | undefined)?.user,
    async logIn(req, user, { keepSessionInfo = false } = {}) {
      const { cookie: _cookie, ...before } = dataOf(req);
      await called((done) => dataOf(req).regenerate(done));
      if (keepSessionInfo) Object.assign(dataOf(req), JSON.parse(JSON.stringify(before)));
      dataOf(req).user = user;
    },
    logOut: async (req) => await called((done) => dataOf(req).destroy(done)),
    change(req, user) {
      if (user === undefined) delete dataOf(req).user;
      else dataOf(req).user = user;
    },
  };
}

function passportLogIns(): LogIns {
  const passport = new Passport();
  passport.serializeUser(({ id }, done) => done(null, id));
  passport.deserializeUser((id, done) => done(null, { id }));
  const own = (req: unknown): PassportRequest => req as PassportRequest;
  return {
    middleware: passport.authenticate('session'),
    userOf: (req) => own(req).user?.id,
    logIn: async (req, id, options = {}) => await called((done) => own(req).logIn({ id }, options, done)),
    logOut: async (req) => await called((done) => own(req).logOut({}, done)),
    change(req, id) {
      Object.assign(dataOf(req), { passport: id === undefined ? {} : { user: id } });
      if (id === undefined) delete own(req).user;
      else own(req).user = { id };
    },
  };
}
