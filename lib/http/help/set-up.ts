import { IdentityError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { trustsProxyOf } from '../context.js';
import { type Session, sessionIdOf, sessionOf } from '../session/session.js';

/** Mistakes in the app's set-up that keep a browser from returning with its session, explained to the developer. */
export function findSetUpMistakes(req: AppRequest): string[] {
  const headers = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-for', 'forwarded'];
  const isForwarded = headers.some((name) => req.headers[name] !== undefined);
  return [...(isForwarded && !trustsProxyOf(req) ? [unknownProxy] : []), ...findCookieMistakes(req)];
}

const unknownProxy =
  "A proxy forwarded this request, but Express does not trust it, so it treats https as http and the proxy's host " +
  "as yours: use app.set('trust proxy', 1) for one proxy.";

function findCookieMistakes(req: AppRequest): string[] {
  let session: Session;
  try {
    session = sessionOf(req);
  } catch (error) {
    return error instanceof IdentityError ? [error.message] : [];
  }
  // A cookie that has come back works, whatever its attributes.
  if ((req.headers.cookie ?? '').includes(encodeURIComponent(sessionIdOf(req)))) return [];
  const { secure, sameSite } = session.cookie;
  // If a proxy says https, the proxy set-up is the mistake.
  const isHttps = req.secure || /^\s*https\b/i.test(String(req.headers['x-forwarded-proto'] ?? ''));
  if (secure === true && !isHttps) {
    return [
      "The session's cookie is Secure, but this page came over http: express-session does not set the cookie. " +
        "Set cookie.secure to 'auto', or use https.",
    ];
  }
  if (sameSite === 'none' && secure !== true) {
    return [
      "The session's cookie is SameSite=None without Secure: browsers refuse it. Set sameSite to 'lax'.",
    ];
  }
  return [];
}
