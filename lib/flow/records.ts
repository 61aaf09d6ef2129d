import { claimMark, type FlowStore } from '../types/store.js';
import type { Clock } from '../types/json.js';
import { IdentityError, kitError } from '../errors.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { type FlowRecord, revokedMarker, openRecord, sealRecord, splitValue } from './record.js';
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

/** The flow store, as the flow uses it: records sealed, deadlines checked, faults mapped to one code. */
export interface Records {
  placeOf(state: string, id?: string): FlowPlace;
  create(place: FlowPlace, record: FlowRecord): Promise<void>;
  /**
   * Returns the record, `burnt` where its code was seen elsewhere, or undefined where it is unknown, expired,
   * unreadable or another app's. `lost` is what a swap was just lost over: a store that shows it again refuses its own version.
   */
  read(place: FlowPlace, lost?: StoredFlow): Promise<StoredFlow | 'burnt' | undefined>;
  /** Returns the next version, or undefined where another write came first. */
  replace(stored: StoredFlow, record: FlowRecord): Promise<StoredFlow | undefined>;
  remove(place: FlowPlace): Promise<void>;
  /** Ends the flow if this is its code, without opening it. True where this call ended it. */
  revoke(id: string, secret: string): Promise<boolean>;
  /** Claims a name for a flow, or takes over what an earlier holder of the same flow left; undefined where it is taken. */
  claim(id: string, by: ClaimHolder, ms: number): Promise<Claim | undefined>;
  /** Gives a claim back, unless somebody has taken it over. */
  unclaim(claim: Claim): Promise<void>;
}

export interface ClaimHolder {
  readonly flow: string;
  readonly holder: string;
}

/** A claim as it was written: what giving it back must compare with. */
export interface Claim {
  readonly id: string;
  readonly version: number;
}

/** What a claim that was given back holds, until the store lets go of it. */
const freeClaim = `${claimMark}free`;

const storeTimeout = 5_000;

export interface RecordsSettings {
  readonly store: FlowStore;
  readonly path: string;
  readonly clock: Clock;
  readonly burntFor: number;
  /** True for an origin of this app: a store may hold the flows of others. */
  readonly isOwnOrigin: (origin: string) => boolean;
}

export function createRecords({ store, path, clock, burntFor, isOwnOrigin }: RecordsSettings): Records {
  const now = (): number => clock().getTime();

  return {
    placeOf: (state, id) => namesOf(state, path, id),

    async create({ id, key }, record) {
      const value = sealRecord(key, id, 0, record);
      const created = await call(
        'create',
        () => decided(store.create(id, value, record.expiresAt - now())),
        id,
      );
      // 256 random bits do not collide: a taken id means a broken store.
      if (!created) throw kitError('store_unavailable', { message: 'The flow store refused a new id.' });
    },

    async read({ id, key }, lost) {
      const stored = await call('read', () => store.read(id), id);
      const parts = stored && splitValue(stored.value);
      if (stored === undefined || parts === undefined) return undefined;
      if (parts.kind === 'burnt') return 'burnt';
      const record = openRecord(key, id, parts);
      if (record === undefined || !(record.expiresAt > now())) return undefined;
      if (!isOwnOrigin(record.origin)) return undefined;
      if (stored.version === lost?.version) throw refusesOwnVersion();
      return { id, key, version: stored.version, sealCount: parts.sealCount, record };
    },

    async replace({ id, key, version, sealCount, record: before }, record) {
      // Checked at every write too: a store may let go of a record a little late.
      if (lastMoment(before) <= now()) return undefined;
      const value = sealRecord(key, id, sealCount + 1, record);
      // The record outlives its deadline while a hook runs, so that the write after the hook finds it.
      const ttl = lastMoment(record) - now();
      const written = await call('replace', () => decided(store.replace(id, version, value, ttl)), id);
      if (!written) return undefined;
      return { id, key, version: version + 1, sealCount: sealCount + 1, record };
    },

    async remove({ id }) {
      await call('delete', () => store.delete(id), id);
    },

    async revoke(id, secret) {
      for (let before = -1; ;) {
        const stored = await call('read', () => store.read(id));
        const parts = stored && splitValue(stored.value);
        if (stored === undefined || parts?.kind !== 'sealed') return false;
        if (!sameText(parts.code, sha256(secret))) return false;
        if (stored.version === before) throw refusesOwnVersion();
        const { version } = stored;
        const burn = async () => await decided(store.replace(id, version, revokedMarker, burntFor));
        if (await call('replace', burn)) return true;
        before = stored.version;
      }
    },

    async claim(id, { flow, holder }, ms) {
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

    async unclaim({ id, version }) {
      // Never deleted: by now it may be another one's.
      await call('replace', () => store.replace(id, version, freeClaim, 1));
    },
  };
}

/** After this nothing is written any more. */
function lastMoment({ expiresAt, lease }: FlowRecord): number {
  return Math.max(expiresAt, lease?.until ?? 0);
}

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
    const { code } = (error ?? {}) as { code?: unknown };
    const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
    const why = error instanceof TimeoutError ? 'did not answer in time' : `failed${known}`;
    throw kitError('store_unavailable', { message: `The flow store ${why}.` });
  }
}
