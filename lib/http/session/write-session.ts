import { IdentityError } from '../../errors.js';
import { newSecret } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import type { Kit } from '../context.js';
import { generate, load, save } from './change-session.js';
import { refuseLate } from './late-session.js';
import { isRenewing } from './renew-session.js';
import {
  type KitSessionData,
  type LastFlow,
  type Owner,
  cookieEndOf,
  isKitKey,
  liveKept,
  ownerKey,
  ownerOf,
  readOwn,
} from './session-data.js';
import {
  type Session,
  type StoredSession,
  cloneSession,
  equalExcept,
  membersOf,
  namesSession,
  sessionIdOf,
  sessionOf,
  snapshotSession,
  stored,
} from './session.js';

/** What the kit keeps in a session: whose it is, and the data of this factory. */
export interface KitChange {
  readonly owner: string;
  readonly own: KitSessionData;
  /** When the cookie ends that goes out with this response, or one before it. */
  readonly cookieEnds?: number | undefined;
}

/** Made of the session that is about to be saved: as it was stored a moment ago. */
type Change = (session: Session) => KitChange;

interface Write {
  readonly change: Change;
  /** The session that is read; by default the request's. */
  readonly id?: string;
  /** Gives the request the session that is saved, where that is not simply the stored one. What it throws stops. */
  readonly take?: (now: StoredSession) => void;
}

/**
 * The one writer of sessions: reads the session as it is stored now, changes what the kit keeps in it, and saves it.
 * `absent`: the store has nothing under this id; whether it was never saved or has ended cannot be told. Then nothing is
 * written.
 */
export async function writeSession(
  req: AppRequest,
  key: string,
  { change, id = sessionIdOf(req), take }: Write,
): Promise<'written' | 'absent'> {
  refuseLate(req);
  const now = await stored(req, id);
  if (now === undefined) return 'absent';
  if (take === undefined) load(req, now);
  else take(now);
  apply(sessionOf(req), key, change);
  await save(req);
  return 'written';
}

function apply(session: Session, key: string, change: Change): void {
  const { owner, own, cookieEnds } = change(session);
  session[ownerKey] = { owner, ...(cookieEnds !== undefined && { cookieEnds }) };
  session[key] = own;
}

/** A start for which the browser may have another session by now: the one that a release has just given it. */
export class SessionLeft extends Error {}

/** When a cookie ends that is sent now; undefined where it ends with the browser. */
export function newCookieEnd(session: Session): number | undefined {
  session.touch();
  const { expires } = session.cookie;
  return expires === undefined || expires === null ? undefined : new Date(expires).getTime();
}

const withoutCookie = new WeakSet<AppRequest>();

/** Whether a start has saved a session whose cookie the browser has not, or not for as long as the flow lasts. */
export const needsCookie = (req: AppRequest): boolean => withoutCookie.has(req);

/** Writes a start into the session that will own its flow, and returns that owner. */
export async function writeStart(
  { config, key }: Kit,
  req: AppRequest,
  last: LastFlow,
  mayHaveAnother: boolean,
): Promise<Owner> {
  const change: Change = (session) => {
    const { done, ...data } = readOwn(session, key);
    const kept = liveKept(data, config.clock().getTime(), config.requests);
    const owner = ownerOf(session, sessionIdOf(req)).text;
    const [known, next] = [cookieEndOf(session), newCookieEnd(session)];
    // A cookie that the browser has already would go over the one that a release has given it meanwhile.
    hasCookie = namesSession(req) && (next === undefined || known > last.until);
    return { owner, own: { last, kept, ...(done && { done }) }, cookieEnds: hasCookie ? known : next };
  };
  let hasCookie = false;
  if ((await writeSession(req, key, { change })) === 'absent') {
    if (mayHaveAnother || hasOwn(sessionOf(req), key)) throw new SessionLeft();
    // Without a cookie the session was made for this request, and no one else knows its id.
    if (req.headers.cookie !== undefined) generate(req);
    apply(sessionOf(req), key, change);
    await save(req);
  }
  if (!hasCookie) withoutCookie.add(req);
  return ownerOf(sessionOf(req), sessionIdOf(req));
}

const hasOwn = (session: Session, key: string): boolean =>
  Object.hasOwn(session, ownerKey) || Object.hasOwn(session, key);

/**
 * Erases what was kept, in the stored session and in the request's, and gives the session another owner: what was begun
 * before is handed to nobody.
 */
export async function forgetKept(req: AppRequest, key: string): Promise<void> {
  const session = sessionOf(req);
  const owner = newSecret();
  const change: Change = (data) => ({ owner, own: { ...readOwn(data, key), kept: {} } });
  if (isRenewing(req)) {
    apply(session, key, change); // in the copy, which the kit saves
    return;
  }
  const before = cloneSession(session);
  const restoreSession = snapshotSession(req);
  let isUnchanged = false;
  const take = (now: StoredSession): void => {
    isUnchanged = equalExcept(isKitKey, before, now);
    // Saved through the request's own session, nothing is left for express-session to save at the end.
    if (isUnchanged) Object.assign(session, membersOf(now, isKitKey));
    else load(req, now);
  };
  if ((await writeSession(req, key, { change, take })) === 'absent') {
    if (hasOwn(session, key)) throw new IdentityError('session_ended');
    return;
  }
  if (isUnchanged) return;
  // What else this request has changed is the app's to save, or express-session's at the end.
  restoreSession();
  apply(session, key, change);
}
