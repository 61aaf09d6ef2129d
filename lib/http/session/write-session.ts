import { IdentityError } from '../../errors.js';
import { type LastStart, Stop, newSecret } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import type { Kit } from '../context.js';
import { countAsSaved, generate, load, save, takeOwnKeys } from './change-session.js';
import { refuseLate } from './late-session.js';
import { isRenewing } from './renew-session.js';
import { putOwn, readOwn } from './own-data.js';
import { type KitChange, cookieEndOf, liveKept, ownerKey, ownerOf } from './session-data.js';
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

interface Write<Change extends KitChange> {
  /** Made of the session that is about to be saved: as it was stored a moment ago. */
  readonly change: (session: Session) => Change;
  /** The session that is read; by default the request's. */
  readonly id?: string;
  /** Gives the request the session that is saved. What it throws stops. */
  readonly take: (now: StoredSession) => void;
}

/**
 * The one writer of sessions: reads the session as it is stored now, changes what the kit keeps in it, saves it, and returns
 * the change. Undefined where the store has nothing under this id; whether it was never saved or has ended cannot be told.
 * Then nothing is written.
 */
export async function writeSession<Change extends KitChange>(
  req: AppRequest,
  kit: Kit,
  { change, id = sessionIdOf(req), take }: Write<Change>,
): Promise<Change | undefined> {
  refuseLate(req);
  const now = await stored(req, id);
  if (now === undefined) return undefined;
  take(now);
  const changed = change(sessionOf(req));
  putOwn(sessionOf(req), kit, changed);
  await save(req);
  return changed;
}

/** When a cookie ends that is sent now; undefined where it ends with the browser. */
export function newCookieEnd(session: Session): number | undefined {
  session.touch();
  const { expires } = session.cookie;
  return expires === undefined || expires === null ? undefined : new Date(expires).getTime();
}

export interface StartFacts {
  /** Whether the browser may have another session, where this one is not stored. */
  readonly mayHaveAnother: boolean;
  /** A route of the app begins it (`identity.start`): what that has changed in the session must be saved. */
  readonly isOfRoute: boolean;
}

/** The session that owns a flow which is started. */
interface StartedSession {
  /** A digest of its owner. */
  readonly digest: string;
  /** Whether its cookie must go out with the answer: the browser has it not, or not for as long as the flow lasts. */
  readonly needsCookie: boolean;
}

/**
 * Writes a start into the session that will own its flow. Stops where the browser may have another session by now: the one
 * that a release has just given it.
 */
export async function writeStart(
  kit: Kit,
  req: AppRequest,
  last: LastStart,
  { mayHaveAnother, isOfRoute }: StartFacts,
): Promise<StartedSession> {
  const change = (session: Session): KitChange & StartedSession => {
    const { done, ...data } = readOwn(session, kit);
    const kept = liveKept(data, kit.config.clock().getTime(), kit.config.questions);
    const { text: owner, digest } = ownerOf(session, sessionIdOf(req));
    const [known, next] = [cookieEndOf(session), newCookieEnd(session)];
    // A cookie that the browser has already would go over the one that a release has given it meanwhile.
    const hasCookie = namesSession(req) && (next === undefined || known > last.until);
    const own = { last, kept, ...(done && { done }) };
    return { owner, own, cookieEnds: hasCookie ? known : next, digest, needsCookie: !hasCookie };
  };
  const session = sessionOf(req);
  const take = (now: StoredSession): void => {
    if (isOfRoute) refuseChanged(req, session, now);
    load(req, withCookieOf(session, now));
  };
  const written = await writeSession(req, kit, { change, take });
  if (written !== undefined) return written;
  if (mayHaveAnother || hasOwn(sessionOf(req), kit)) throw new Stop('session_left');
  // One whose id the browser brought was stored and has ended, and what is in it with it. Any other was made for this
  // request, and no one else knows its id.
  if (namesSession(req)) generate(req);
  const first = change(sessionOf(req));
  putOwn(sessionOf(req), kit, first);
  await save(req);
  return first;
}

const hasOwn = (session: Session, { key }: Kit): boolean =>
  Object.hasOwn(session, ownerKey) || Object.hasOwn(session, key);

/**
 * Erases what was kept, in the stored session and in the request's, and gives the session another owner: what was begun
 * before is handed to nobody. It is saved through the request's own session, so that express-session has nothing to save at
 * the end. So that session must be what is stored: else a change of this request would be saved along, unasked, or a change of
 * another request would be undone.
 */
export async function forgetKept(req: AppRequest, kit: Kit): Promise<void> {
  const session = sessionOf(req);
  const owner = newSecret();
  const change = (data: Session): KitChange => ({ owner, own: { ...readOwn(data, kit), kept: {} } });
  if (isRenewing(req)) {
    putOwn(session, kit, change(session)); // in the copy, which the kit saves
    return;
  }
  // One after the other: each begins with what the one before has stored.
  const turn = (turns.get(req) ?? Promise.resolve()).then(
    async () => await forgetIn(session, req, kit, change),
  );
  turns.set(
    req,
    turn.catch(() => undefined),
  );
  await turn;
}

const turns = new WeakMap<AppRequest, Promise<void>>();

async function forgetIn(
  session: Session,
  req: AppRequest,
  kit: Kit,
  change: (data: Session) => KitChange,
): Promise<void> {
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
    if ((await writeSession(req, kit, { change, take })) !== undefined) return;
  } catch (error) {
    undo();
    throw error;
  }
  if (hasOwn(session, kit)) throw new IdentityError('session_ended');
}

/** Throws where this session is no longer the request's, or is not what is stored. */
function refuseChanged(req: AppRequest, session: Session, now: StoredSession): void {
  if (sessionDataOf(req) !== session || !isAsStored(session, now)) throw new IdentityError('session_changed');
}
