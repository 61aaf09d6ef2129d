import type { Request, RequestHandler } from 'express';
import { nameOf } from './people.js';

/** A new session for every log-in, so that nothing of the person before is left. */
export const logIn: RequestHandler = (req, res, next) => {
  const { person } = (req.body ?? {}) as { person?: unknown };
  if (typeof person !== 'string' || nameOf(person) === undefined) {
    res.redirect(303, '/');
    return;
  }
  req.session.regenerate((fault: unknown) => {
    if (fault) {
      next(fault);
      return;
    }
    req.session.person = person;
    req.session.save((unsaved: unknown) => {
      if (unsaved) next(unsaved);
      else res.redirect(303, '/');
    });
  });
};

/** Erases what was kept of a verification, and ends the session. */
export function logOut(identity: { forget(req: Request): Promise<void> }): RequestHandler {
  return (req, res, next) => {
    const end = (): void => {
      req.session.destroy((fault: unknown) => {
        if (fault) next(fault);
        else res.redirect(303, '/');
      });
    };
    identity.forget(req).then(end, next);
  };
}

export const loggedIn: RequestHandler = (req, res, next) => {
  if (req.session.person === undefined) res.redirect(303, '/');
  else next();
};
