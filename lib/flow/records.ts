import { IdentityError } from '../errors.js';
import type { FlowStore } from '../contracts/store.js';
import type { Clock } from '../contracts/values.js';
import { DeadlinePassed, within } from '../safe/time.js';
import { type FlowRecord, burntValue, openRecord, readEnvelope, sealRecord } from './record.js';
import { namesOf, sameText, sha256 } from './secrets.js';

/** A record as it was read: what the next write must compare with. */
export interface Held {
  readonly id: string;
  readonly version: number;
  readonly turn: number;
  readonly record: FlowRecord;
}

/** The flow store, as the flow uses it: records sealed, deadlines judged, faults mapped to one code. */
export interface Shelf {
  /** The public name of the flow of this state. */
  idOf(state: string): string;
  create(state: string, record: FlowRecord): Promise<void>;
  /** The record; `burnt` where its code was seen elsewhere; undefined where it is unknown, over or unreadable. */
  read(state: string): Promise<Held | 'burnt' | undefined>;
  /** The next version, or undefined where another write came first. */
  replace(state: string, held: Held, record: FlowRecord): Promise<Held | undefined>;
  remove(state: string): Promise<void>;
  /** Ends the flow if this is its code, without opening it. True where this call ended it. */
  burn(id: string, secret: string): Promise<boolean>;
}

const storeTimeout = 5_000;

export function createShelf(store: FlowStore, path: string, clock: Clock, burntFor: number): Shelf {
  const now = (): number => clock().getTime();

  return {
    idOf: (state) => namesOf(state, path).id,

    async create(state, record) {
      const { id, key } = namesOf(state, path);
      const value = sealRecord(key, id, 0, record);
      const created = await call(() => store.create(id, value, record.expiresAt - now()));
      // 256 random bits do not collide: a taken id means a broken store.
      if (!created)
        throw new IdentityError('store_unavailable', { message: 'The flow store refused a new id.' });
    },

    async read(state) {
      const { id, key } = namesOf(state, path);
      const stored = await call(() => store.read(id));
      const envelope = stored && readEnvelope(stored.value);
      if (stored === undefined || envelope === undefined) return undefined;
      if (envelope.kind === 'burnt') return 'burnt';
      const record = openRecord(key, id, envelope);
      if (record === undefined || record.expiresAt <= now()) return undefined;
      return { id, version: stored.version, turn: envelope.turn, record };
    },

    async replace(state, { id, version, turn, record: before }, record) {
      // Judged at every write too: a store may let go of a record a little late.
      if (lastMoment(before) <= now()) return undefined;
      const { key } = namesOf(state, path);
      const value = sealRecord(key, id, turn + 1, record);
      // The record outlives its deadline while a hook runs, so that the write after the hook finds it.
      const ttl = lastMoment(record) - now();
      const written = await call(() => store.replace(id, version, value, ttl));
      if (!written) return undefined;
      return { id, version: version + 1, turn: turn + 1, record };
    },

    async remove(state) {
      await call(() => store.delete(namesOf(state, path).id));
    },

    async burn(id, secret) {
      for (let before = -1; ;) {
        const stored = await call(() => store.read(id));
        const envelope = stored && readEnvelope(stored.value);
        if (stored === undefined || envelope?.kind !== 'sealed') return false;
        if (!sameText(envelope.code, sha256(secret))) return false;
        if (await call(() => store.replace(id, stored.version, burntValue, burntFor))) return true;
        if (stored.version === before) throw new IdentityError('store_unavailable');
        before = stored.version;
      }
    },
  };
}

/** After this nothing is written any more. */
function lastMoment({ expiresAt, lease }: FlowRecord): number {
  return Math.max(expiresAt, lease?.until ?? 0);
}

/** A store's own error may quote what was being written, so only its code goes on. */
async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await within(storeTimeout, work);
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const { code } = (error ?? {}) as { code?: unknown };
    const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
    const why = error instanceof DeadlinePassed ? 'did not answer in time' : `failed${known}`;
    throw new IdentityError('store_unavailable', { message: `The flow store ${why}.` });
  }
}
