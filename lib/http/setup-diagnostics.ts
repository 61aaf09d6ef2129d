import { IdentityError } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import { trustsProxyOf, type Exchange, type Kit } from './context.js';
import { type Sender, send } from './respond.js';
import {
  type Session,
  isAsStored,
  onSessionSave,
  sessionIdOf,
  sessionOf,
  stored,
} from './session/session.js';

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

const resaving = new WeakSet<Kit>();

const resaves =
  'The session middleware saves unchanged sessions, so a slow request can restore a session that has ' +
  'since ended. Set resave: false.';

/**
 * What is wrong with session, cookie and proxy, reported before a return is lost. `resave: true` is seen
 * only when this response ends, in a session that stays in place: it is logged then, and the next page shows it.
 */
export async function checkSetUp({ kit, req }: Exchange): Promise<{ hints: string[]; sender: Sender }> {
  const hints = [...findSetUpMistakes(req), ...(resaving.has(kit) ? [resaves] : [])];
  for (const hint of hints) kit.log.once(hint);
  // What the app's own template writes into the session would look like resave and be saved.
  if (kit.config.pages.render !== undefined || !(await holdsWhatIsStored(req)))
    return { hints, sender: send };
  onSessionSave(req, () => {
    resaving.add(kit);
    kit.log.once(resaves);
  });
  return { hints, sender: { ...send, html: (res, html) => void res.send(html) } };
}

/** Whether the request's session is what the store holds: then no middleware has a reason to save it. */
async function holdsWhatIsStored(req: AppRequest): Promise<boolean> {
  try {
    const held = await stored(req, sessionIdOf(req));
    return held !== undefined && isAsStored(sessionOf(req), held);
  } catch {
    return false; // reported where the session is used
  }
}
