import type { Clock } from '../types/json.js';
import { IdentityError, isInOwnWords, kitError } from '../errors.js';
import { type FlowRecord, parseRecord, printRecord } from './record.js';
import { sha256 } from '../internal/sha256.js';
import { flowIdOf, format, isSecret, open, recordKey, seal } from './secrets.js';
import type { StoreCalls } from './store-calls.js';

/** Where a flow is stored, and the key that seals it: derived once for all calls of a step. */
export interface FlowPlace {
  readonly id: string;
  readonly key: Buffer;
}

/** A record as it was read: what the next write must compare with. */
export interface StoredFlow extends FlowPlace {
  readonly version: number;
  readonly record: FlowRecord;
}

interface RecordsSettings {
  readonly path: string;
  /** The first seals, all open. */
  readonly secrets: readonly [string, ...string[]];
  readonly clock: Clock;
  /** True for an origin of this app: a store may hold the flows of others. */
  readonly isOwnOrigin: (origin: string) => boolean;
}

export type Records = ReturnType<typeof createRecords>;

/** The flows' records in the store: each sealed once, whole, and its deadline judged here. */
export function createRecords(store: StoreCalls, { path, secrets, clock, isOwnOrigin }: RecordsSettings) {
  const [current, ...older] = secrets;
  const now = (): number => clock().getTime();
  /** In clear in front of each value: tells this factory's from those of others, and of other versions. */
  const mark = `${format}-${sha256(`pidgate/2 factory ${path}`).slice(0, 8)}.`;
  const boundTo = (id: string): string => `${format} ${path} ${id}`;
  const placeAt = (id: string): FlowPlace => ({ id, key: recordKey(current, path, id) });

  const sealRecord = ({ id, key }: FlowPlace, record: FlowRecord): string =>
    `${mark}${seal(key, boundTo(id), printRecord(record))}`;

  function openRecord({ id, key }: FlowPlace, sealed: string): FlowRecord {
    let text = open(key, boundTo(id), sealed);
    for (const secret of older) text ??= open(recordKey(secret, path, id), boundTo(id), sealed);
    if (text === undefined) throw kitError('store_unavailable', { message: unreadable });
    return parseRecord(text);
  }

  async function readAt(place: FlowPlace, flow?: string): Promise<StoredFlow | undefined> {
    const stored = await store.read(place.id, flow);
    if (stored === undefined || !stored.value.startsWith(mark)) return undefined;
    const record = openRecord(place, stored.value.slice(mark.length));
    if (!(record.expiresAt > now()) || !isOwnOrigin(record.origin)) return undefined;
    return { id: place.id, key: place.key, version: stored.version, record };
  }

  return {
    placeOf: (state: string): FlowPlace => placeAt(flowIdOf(state, path)),

    async create(place: FlowPlace, record: FlowRecord): Promise<void> {
      const { id } = place;
      const created = await store.create(id, sealRecord(place, record), record.expiresAt - now(), id);
      // 256 random bits do not collide: a taken id means a broken store.
      if (!created)
        throw kitError('store_unavailable', {
          message: 'The flow store returned false from create for a new id, which it cannot hold yet.',
        });
    },

    /**
     * Returns the record, or undefined where it is unknown, expired, or another app's or factory's. Throws where it is
     * this factory's and does not open.
     */
    read: (place: FlowPlace): Promise<StoredFlow | undefined> => readAt(place, place.id),

    /** The same by an id out of an address, which only claims to be a flow's: no trace is told of it. */
    find: (id: string): Promise<StoredFlow | undefined> => readAt(placeAt(id)),

    /** Returns the next version, or undefined where another write came first. */
    async replace(before: StoredFlow, record: FlowRecord): Promise<StoredFlow | undefined> {
      const { id, key, version } = before;
      // Checked at every write too: a store may let go of a record a little late.
      if (lastMoment(before.record) <= now()) return undefined;
      // The record outlives its deadline while a hook runs, so that the write after the hook finds it.
      const ttl = lastMoment(record) - now();
      if (await store.replace(id, version, sealRecord(before, record), ttl, id)) {
        return { id, key, version: version + 1, record };
      }
      const winner = await store.read(id, id);
      if (winner?.version !== version) return undefined;
      // Its callers read again: they would ask for ever.
      throw kitError('store_unavailable', {
        message: 'The flow store refuses to replace the very version that it reads.',
      });
    },

    async remove({ id }: FlowPlace): Promise<void> {
      await store.delete(id, id);
    },
  };
}

/** The flow of this name, whoever asks: a caller tells of it only to the session that owns it. */
export async function findFlow(
  { records }: { readonly records: Records },
  id: unknown,
): Promise<StoredFlow | undefined> {
  return typeof id === 'string' && isSecret(id) ? await records.find(id) : undefined;
}

/** After this nothing is written any more. */
const lastMoment = ({ expiresAt, lease }: FlowRecord): number => Math.max(expiresAt, lease?.until ?? 0);

/** What the operator reads where a process seals under another secret, or somebody else writes to the store. */
export const unreadable =
  'A stored verification does not open: it was sealed under another secret, or changed. Give every process of the app ' +
  'the same option secret (or IDENTITY_SECRET).';

/** Nothing is known of such a flow, not even whose it is. */
export const isUnreadable = (fault: unknown): boolean =>
  fault instanceof IdentityError && isInOwnWords(fault) && fault.message === unreadable;
