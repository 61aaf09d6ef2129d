import { claimMark, type FlowStore } from '../types/store.js';
import type { Clock } from '../types/json.js';
import { IdentityError, kitError } from '../errors.js';
import { codeOf } from '../internal/system-code.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { type FlowRecord, openRecord, revokedMarker, sealRecord, splitValue } from './record.js';
import { namesOf, sameText, sha256 } from './secrets.js';
import { trace, traces } from './tracing.js';

/** Where a flow is stored, and the key that opens it: derived from the state once for all calls of a step. */
export interface FlowPlace {
  readonly id: string;
  readonly key: Buffer;
}

/** A record as it was read: what the next write must compare with. */
export interface StoredFlow extends FlowPlace {
  readonly version: number;
  readonly sealCount: number;
  readonly record: FlowRecord;
}

/** A claim as it was written: what giving it back must compare with. */
export interface Claim {
  readonly id: string;
  readonly version: number;
}

/** What a claim that was given back holds, until the store lets go of it. */
const freeClaim = `${claimMark}free`;

const storeTimeout = 5_000;

interface RecordsSettings {
  readonly store: FlowStore;
  readonly path: string;
  readonly clock: Clock;
  readonly flowTtl: number;
  /** True for an origin of this app: a store may hold the flows of others. */
  readonly isOwnOrigin: (origin: string) => boolean;
}

export type Records = ReturnType<typeof createRecords>;

/** The flow store, as the flow uses it: records sealed, deadlines checked, faults mapped to one code. */
export function createRecords({ store, path, clock, flowTtl, isOwnOrigin }: RecordsSettings) {
  const now = (): number => clock().getTime();
  const readParts = async (id: string, flow?: string) => {
    const stored = await call('read', () => store.read(id), flow);
    const parts = stored && splitValue(stored.value);
    return parts && { ...parts, version: stored.version };
  };

  return {
    placeOf: (state: string, id?: string): FlowPlace => namesOf(state, path, id),

    async create({ id, key }: FlowPlace, record: FlowRecord): Promise<void> {
      const value = sealRecord(key, id, 0, record);
      const ttl = record.expiresAt - now();
      const created = await call('create', () => decided(store.create(id, value, ttl)), id);
      // 256 random bits do not collide: a taken id means a broken store.
      if (!created) throw kitError('store_unavailable', { message: 'The flow store refused a new id.' });
    },

    /**
     * Returns the record, `revoked` where its code was seen elsewhere, or undefined where it is unknown, expired,
     * unreadable or another app's. `lost` is what a swap was just lost over: a store that shows it again refuses its own
     * version.
     */
    async read({ id, key }: FlowPlace, lost?: StoredFlow): Promise<StoredFlow | 'revoked' | undefined> {
      const parts = await readParts(id, id);
      if (parts?.kind !== 'sealed') return parts?.kind;
      const record = openRecord(key, id, parts);
      if (record === undefined || !(record.expiresAt > now()) || !isOwnOrigin(record.origin))
        return undefined;
      const { version, sealCount } = parts;
      if (version === lost?.version) throw refusesOwnVersion();
      return { id, key, version, sealCount, record };
    },

    /** Returns the next version, or undefined where another write came first. */
    async replace(
      { id, key, version, sealCount, record: before }: StoredFlow,
      record: FlowRecord,
    ): Promise<StoredFlow | undefined> {
      // Checked at every write too: a store may let go of a record a little late.
      if (lastMoment(before) <= now()) return undefined;
      const value = sealRecord(key, id, sealCount + 1, record);
      // The record outlives its deadline while a hook runs, so that the write after the hook finds it.
      const ttl = lastMoment(record) - now();
      const written = await call('replace', () => decided(store.replace(id, version, value, ttl)), id);
      if (!written) return undefined;
      return { id, key, version: version + 1, sealCount: sealCount + 1, record };
    },

    async remove({ id }: FlowPlace): Promise<void> {
      await call('delete', () => store.delete(id), id);
    },

    /** Ends the flow if this is its code, without opening it. True where this call ended it. */
    async revoke(id: string, secret: string): Promise<boolean> {
      for (let before = -1; ;) {
        const parts = await readParts(id);
        if (parts?.kind !== 'sealed' || !sameText(parts.code, sha256(secret))) return false;
        const { version } = parts;
        if (version === before) throw refusesOwnVersion();
        if (await call('replace', () => decided(store.replace(id, version, revokedMarker, flowTtl))))
          return true;
        before = version;
      }
    },

    /** Claims a name for a flow, or takes over what an earlier holder of the same flow left; undefined where it is taken. */
    async claim(
      id: string,
      { flow, holder }: { readonly flow: string; readonly holder: string },
      ms: number,
    ): Promise<Claim | undefined> {
      const ofFlow = `${claimMark}${flow}.`;
      const value = `${ofFlow}${holder}`;
      if (await call('create', () => decided(store.create(id, value, ms)))) return { id, version: 1 };
      const held = await call('read', () => store.read(id));
      if (held === undefined) return undefined; // it has just ended
      if (held.value !== freeClaim && !held.value.startsWith(ofFlow)) return undefined;
      const { version } = held;
      const taken = await call('replace', () => decided(store.replace(id, version, value, ms)));
      return taken ? { id, version: version + 1 } : undefined;
    },

    /** Gives a claim back, unless somebody has taken it over. Never deleted: by now it may be another one's. */
    async unclaim({ id, version }: Claim): Promise<void> {
      await call('replace', () => store.replace(id, version, freeClaim, 1));
    },
  };
}

/** After this nothing is written any more. */
const lastMoment = ({ expiresAt, lease }: FlowRecord): number => Math.max(expiresAt, lease?.until ?? 0);

function refusesOwnVersion(): IdentityError {
  return kitError('store_unavailable', {
    message: 'The flow store refuses to replace the very version that it reads.',
  });
}

/** A driver's own reply, such as 'OK' or a number of rows in an object, would count as a swap that was won. */
async function decided(answer: Promise<unknown>): Promise<boolean> {
  const done = await answer;
  if (typeof done === 'boolean') return done;
  throw kitError('store_unavailable', {
    message: 'create and replace of the flow store must return true or false.',
  });
}

type StoreCall = 'create' | 'read' | 'replace' | 'delete';

/** One call of the store. `flow` is absent where the id is not a flow's, or only claims to be. */
function call<T>(name: StoreCall, work: () => Promise<T>, flow?: string): Promise<T> {
  return trace(traces.store, () => bounded(work), flow, undefined, name);
}

/** A store's own error may quote what was being written, so only its code goes on. */
async function bounded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(storeTimeout, work);
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const code = codeOf(error);
    const failed = code === undefined ? 'failed' : `failed (${code})`;
    const why = error instanceof TimeoutError ? 'did not answer in time' : failed;
    throw kitError('store_unavailable', { message: `The flow store ${why}.` });
  }
}
