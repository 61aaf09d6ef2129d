import { IdentityError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { cookieOf, sessionIdOf, sessionOf } from '../session/session.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const forwarded = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-for', 'forwarded'];

/** What in the app's set-up keeps a browser from coming back with its session, in words for the developer. */
export function setUpFaults(req: AppRequest): string[] {
  const proxy = isBehindUnknownProxy(req)
    ? [
        "A proxy forwarded this request, but Express does not trust it, and so takes https for http and the proxy's " +
          "host for yours: app.set('trust proxy', 1) for one proxy.",
      ]
    : [];
  return [...proxy, ...cookieFaults(req)];
}

function cookieFaults(req: AppRequest): string[] {
  try {
    sessionOf(req);
  } catch (error) {
    return error instanceof IdentityError ? [error.message] : [];
  }
  // Whatever it looks like, a cookie that has come back works.
  if ((req.headers.cookie ?? '').includes(encodeURIComponent(sessionIdOf(req)))) return [];
  const { secure, sameSite } = cookieOf(req);
  if (secure === true && !req.secure && !saysHttps(req.headers)) {
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

function isBehindUnknownProxy(req: AppRequest): boolean {
  if (forwarded.every((name) => req.headers[name] === undefined)) return false;
  const trusts = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return !trusts(req.socket.remoteAddress, 0);
}

/** Then the proxy is what is wrong. */
function saysHttps(headers: Headers): boolean {
  return /^\s*https\b/i.test(String(headers['x-forwarded-proto'] ?? ''));
}
