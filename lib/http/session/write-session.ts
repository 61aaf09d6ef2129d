import { IdentityError } from '../../errors.js';
import { type LastStart, Stop, newSecret } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import type { Kit } from '../context.js';
import { countAsSaved, generate, load, save, takeOwnKeys } from './change-session.js';
import { refuseLate } from './late-session.js';
import { isRenewing } from './renew-session.js';
import {
  type KitSessionData,
  type Owner,
  cookieEndOf,
  liveKept,
  ownerKey,
  ownerOf,
  readOwn,
} from './session-data.js';
import {
  type Session,
  type StoredSession,
  isAsStored,
  namesSession,
  sessionDataOf,
  sessionIdOf,
  sessionOf,
  stored,
  withCookieOf,
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
  /** Gives the request the session that is saved. What it throws stops. */
  readonly take: (now: StoredSession) => void;
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
  take(now);
  apply(sessionOf(req), key, change);
  await save(req);
  return 'written';
}

function apply(session: Session, key: string, change: Change): void {
  const { owner, own, cookieEnds } = change(session);
  session[ownerKey] = { owner, ...(cookieEnds !== undefined && { cookieEnds }) };
  session[key] = own;
}

/** When a cookie ends that is sent now; undefined where it ends with the browser. */
export function newCookieEnd(session: Session): number | undefined {
  session.touch();
  const { expires } = session.cookie;
  return expires === undefined || expires === null ? undefined : new Date(expires).getTime();
}

const withoutCookie = new WeakSet<AppRequest>();

/** Whether a start has saved a session whose cookie the browser has not, or not for as long as the flow lasts. */
export const needsCookie = (req: AppRequest): boolean => withoutCookie.has(req);

export interface StartFacts {
  /** Whether the browser may have another session, where this one is not stored. */
  readonly mayHaveAnother: boolean;
  /** A route of the app begins it (`identity.start`): what that has changed in the session must be saved. */
  readonly isOfRoute: boolean;
}

/**
 * Writes a start into the session that will own its flow, and returns that owner. Stops where the browser may have another
 * session by now: the one that a release has just given it.
 */
export async function writeStart(
  { config, key }: Kit,
  req: AppRequest,
  last: LastStart,
  { mayHaveAnother, isOfRoute }: StartFacts,
): Promise<Owner> {
  const change: Change = (session) => {
    const { done, ...data } = readOwn(session, key);
    const kept = liveKept(data, config.clock().getTime(), config.questions);
    const owner = ownerOf(session, sessionIdOf(req)).text;
    const [known, next] = [cookieEndOf(session), newCookieEnd(session)];
    // A cookie that the browser has already would go over the one that a release has given it meanwhile.
    hasCookie = namesSession(req) && (next === undefined || known > last.until);
    return { owner, own: { last, kept, ...(done && { done }) }, cookieEnds: hasCookie ? known : next };
  };
  let hasCookie = false;
  const session = sessionOf(req);
  const take = (now: StoredSession): void => {
    if (isOfRoute) refuseChanged(req, session, now);
    load(req, withCookieOf(session, now));
  };
  if ((await writeSession(req, key, { change, take })) === 'absent') {
    if (mayHaveAnother || hasOwn(sessionOf(req), key)) throw new Stop('session_left');
    // One whose id the browser brought was stored and has ended, and what is in it with it. Any other was made for this
    // request, and no one else knows its id.
    if (namesSession(req)) generate(req);
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
 * before is handed to nobody. It is saved through the request's own session, so that express-session has nothing to save at
 * the end. So that session must be what is stored: else a change of this request would be saved along, unasked, or a change of
 * another request would be undone.
 */
export async function forgetKept(req: AppRequest, key: string): Promise<void> {
  const session = sessionOf(req);
  const owner = newSecret();
  const change: Change = (data) => ({ owner, own: { ...readOwn(data, key), kept: {} } });
  if (isRenewing(req)) {
    apply(session, key, change); // in the copy, which the kit saves
    return;
  }
  // One after the other: each begins with what the one before has stored.
  const turn = (turns.get(req) ?? Promise.resolve()).then(
    async () => await forgetIn(session, req, key, change),
  );
  turns.set(
    req,
    turn.catch(() => undefined),
  );
  await turn;
}

const turns = new WeakMap<AppRequest, Promise<void>>();

async function forgetIn(session: Session, req: AppRequest, key: string, change: Change): Promise<void> {
  let undo = (): void => undefined;
  const take = (now: StoredSession): void => {
    refuseChanged(req, session, now);
    const putBack = takeOwnKeys(session, now);
    undo = () => {
      putBack();
      // What the app has changed meanwhile is saved at the end.
      if (isAsStored(session, now)) countAsSaved(req, session);
    };
  };
  try {
    if ((await writeSession(req, key, { change, take })) === 'written') return;
  } catch (error) {
    undo();
    throw error;
  }
  if (hasOwn(session, key)) throw new IdentityError('session_ended');
}

/** Throws where this session is no longer the request's, or is not what is stored. */
function refuseChanged(req: AppRequest, session: Session, now: StoredSession): void {
  if (sessionDataOf(req) !== session || !isAsStored(session, now)) throw new IdentityError('session_changed');
}
