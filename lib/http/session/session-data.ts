import type { LastStart } from '../../flow/flow.js';
import { sha256 } from '../../internal/sha256.js';
import type { Receipt } from '../../service/receipt.js';

// What the kit keeps in a session: the owner and the mark, once for all factories of the app, and for each factory its own
// data, sealed into one text.

export type SessionData = Readonly<Record<string, unknown>>;

/** The key of the owner. */
export const ownerKey = 'pidgate';

/** The key of one factory's data. */
export const keyOf = (path: string): string => `${ownerKey} ${path}`;

/** True for a key of the kit, this factory's or another's. */
export const isKitKey = (name: string): boolean => name === ownerKey || name.startsWith(`${ownerKey} `);

/** Whose session it is: a session that has the owner of a flow may end it, whatever its id is by now. */
export interface Owner {
  /** What the session holds. No browser and no record has it. */
  readonly text: string;
  /** What the records of its flows hold. */
  readonly digest: string;
  /** False where the kit has stored nothing yet: then the session's id gives the owner. */
  readonly isStored: boolean;
}

export function ownerOf(data: SessionData, sessionId: string): Owner {
  const owner = memberOf(memberOf(data, ownerKey), 'owner');
  const isStored = typeof owner === 'string';
  const text = isStored ? owner : sha256(`pidgate/2 owner ${sessionId}`);
  return { text, digest: sha256(`pidgate/2 owned ${text}`), isStored };
}

/**
 * Until when the browser has the session's cookie at least: as long as the one lasts that the kit sent it last. What is
 * stored of the cookie says no more than when the session ends, which a store may put off at each request.
 */
export function cookieEndOf(data: SessionData): number {
  const ends = memberOf(memberOf(data, ownerKey), 'cookieEnds');
  return typeof ends === 'number' ? ends : 0;
}

/**
 * What every text of the kit in this session is bound to, so that none can be copied into another session. It stays as it
 * was made, under a new id too; the owner does not, and one factory's `forget` must leave what another factory has kept.
 */
export function markOf(data: SessionData): string {
  const mark = memberOf(memberOf(data, ownerKey), 'mark');
  return typeof mark === 'string' ? mark : '';
}

/** What the kit keeps in a session: whose it is, and the data of this factory. */
export interface KitChange {
  readonly owner: string;
  readonly own: KitSessionData;
  /** When the cookie ends that goes out with this response, or one before it. */
  readonly cookieEnds?: number | undefined;
}

/** One factory's data. */
export interface KitSessionData {
  /** The flow that was started last. */
  readonly last?: LastStart;
  readonly kept: Readonly<Record<string, KeptRecord>>;
  /** The flow that was finished last, and where it led: its address may be opened again. */
  readonly done?: DoneFlow;
}

export interface DoneFlow {
  readonly id: string;
  readonly destination: string;
}

/** What was kept of a result. */
export interface KeptRecord {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: number;
  readonly receipt: Pick<Receipt, 'id' | 'number'>;
  readonly kept: unknown;
  /** Its own end, and when it was released: it counts until that end, or the app's current one if earlier. */
  readonly until: number;
  readonly releasedAt: number;
  /** A digest of what was asked, of whom. */
  readonly asked: string;
  /** The origin it was verified under: it counts while the app lists that. */
  readonly origin: string;
  /** A digest of who was logged in. */
  readonly subject?: string | undefined;
}

/** A member of its own: what stands in a session may be anything. */
export const memberOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, name)
    ? (data as SessionData)[name]
    : undefined;

/** What was kept and has not run out. Of a question that only another version of the app asks, its own end counts. */
export function liveKept(
  { kept }: KitSessionData,
  now: number,
  questions: ReadonlyMap<string, { readonly keepFor: number }>,
): KitSessionData['kept'] {
  const live = Object.entries(kept).filter(
    ([name, record]) => endOf(record, questions.get(name)?.keepFor ?? Infinity) > now,
  );
  return Object.fromEntries(live);
}

/** When a record stops counting: a shorter `keepFor` applies to what was kept before, a longer one does not. */
export const endOf = ({ until, releasedAt }: KeptRecord, keepFor: number): number =>
  Math.min(until, releasedAt + keepFor);

/** More than the clocks of an app's processes differ. */
const aheadMs = 15 * 60_000;

/** True where a clock that was ahead released it: it would count for as long as that was. */
export const isFromFuture = ({ releasedAt, verifiedAt }: KeptRecord, now: number): boolean =>
  Math.max(releasedAt, verifiedAt) > now + aheadMs;
