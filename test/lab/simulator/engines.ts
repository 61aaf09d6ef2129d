import { createHash } from 'node:crypto';
import type { FaultKind } from './plan.js';
import { currentMachine, outside, randomBelow, schedule, virtualNow } from './virtual.js';
import { requestNow, say, short, type World } from './world.js';
import { mysqlStore } from '../../../lib/stores/mysql.js';
import { postgresStore } from '../../../lib/stores/postgres.js';
import { redisStore } from '../../../lib/stores/redis.js';
import { IdentityError } from '../../../lib/errors.js';
import { type FlowStore, lockMark } from '../../../lib/types/store.js';

/** Longer than the kit and its stores wait for a call. */
const lateMs = 40_000;

/** Not quite as long as the kit waits for one. */
const slowMs = 4_400;

/** So that a lock may run out between the two. */
const slowWrites: ReadonlyMap<string, 'to arrive' | 'to be answered'> = new Map([
  ['create', 'to be answered'],
  ['replace', 'to arrive'],
]);

interface Call<T> {
  readonly engine: 'flows' | 'sessions';
  readonly operation: string;
  readonly id: string;
  readonly effect: () => T;
  /** What a replica that is behind would answer. */
  readonly old?: (() => T) | undefined;
  /** It gets lost, whatever the plan says. */
  readonly isLost?: boolean;
  /** It takes nearly as long as the kit waits for it: to arrive, or to be answered. */
  readonly slow?: 'to arrive' | 'to be answered' | undefined;
}

/** One call: it takes a time to arrive, has its effect, and takes a time to be answered; unless something is wrong. */
export function callEngine<T>(
  world: World,
  { engine, operation, id, effect, old, isLost = false, slow }: Call<T>,
): Promise<T> {
  const number = world.calls[engine]++;
  const chosen = world.isCalm
    ? undefined
    : world.plan.faults.find((fault) => fault.engine === engine && fault.call === number)?.kind;
  const planned = isLost ? 'lost before' : chosen;
  const kind: FaultKind | undefined = planned === 'old' && old === undefined ? undefined : planned;
  if (kind !== undefined) world.excuse ??= `${engine}: ${kind}`;
  if (kind !== undefined && engine === 'flows') world.mayRepeat = true;
  if (kind === 'old' && engine === 'sessions') world.hasOldSession = true;
  if (kind === 'hangs' && engine === 'sessions') world.hasHungSession = true;
  const label = `${engine}.${operation} ${short(id)} for ${requestNow()?.name ?? 'nobody'}`;
  const machine = currentMachine();
  const kill = (): void => {
    if (machine?.isAlive === true) world.kill(machine);
  };
  return new Promise((resolve, reject) => {
    if (kind === 'killed before') {
      say(world, `${label}: never sent`);
      outside(() => schedule(0, kill));
      return;
    }
    const fail = (): void => reject(new Error('The engine is away'));
    const arrival = 1 + randomBelow(20) + (slow === 'to arrive' ? slowMs : 0);
    const reply = (ms: number, run: () => void): void => void schedule(arrival + ms, run);
    const answer = 1 + randomBelow(20) + (slow === 'to be answered' ? slowMs : 0);
    if (kind === 'lost before') reply(answer, fail);
    let value: T;
    if (kind !== 'lost before' && kind !== 'hangs') {
      const more = kind === 'late' ? lateMs : 0;
      reply(answer + more, kind === 'lost after' ? fail : () => resolve(value));
    }
    // The engine does what it was asked to, even if who asked is dead by then.
    outside(() =>
      schedule(arrival, () => {
        if (kind === 'lost before') {
          say(world, `${label}: lost on the way`);
          return;
        }
        value = kind === 'old' && old !== undefined ? old() : effect();
        if (kind === 'doubled') schedule(1 + randomBelow(10), () => void effect());
        say(world, `${label}${kind === undefined ? '' : ` (${kind})`} → ${print(value)}`);
        if (kind === 'killed after') kill();
      }),
    );
  });
}

function print(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'boolean' ? String(value) : 'ok';
}

interface Versioned {
  readonly value: string;
  readonly version: number;
  readonly until: number;
}

export interface FlowEngine {
  /** A store for one machine, of the kind that the plan has. */
  storeFor(): FlowStore;
  /** How many records have not run out. */
  alive(): number;
  /** Every value that the kit has written there. */
  writtenAt(id: string): readonly string[];
  idsOf(kind: 'flow' | 'lock'): string[];
  /** What somebody else puts there, or takes away. */
  put(id: string, value: string): void;
  remove(id: string): void;
}

export function flowEngine(world: World): FlowEngine {
  const records = new Map<string, Versioned>();
  const before = new Map<string, Versioned>();
  const written = new Map<string, string[]>();
  const live = (id: string): Versioned | undefined => {
    const record = records.get(id);
    return record !== undefined && record.until > virtualNow() ? record : undefined;
  };
  const write = (id: string, value: string, version: number, ttl: number): true => {
    const record = records.get(id);
    if (record !== undefined) before.set(id, record);
    const all = written.get(id);
    if (all === undefined) written.set(id, [value]);
    else all.push(value);
    world.madeUp.delete(id);
    world.told.push({ where: 'the flow store', text: value });
    records.set(id, { value, version, until: virtualNow() + ttl });
    return true;
  };
  const shown = (record: Versioned | undefined) => record && { value: record.value, version: record.version };
  const isFull = (value: string): boolean =>
    world.plan.isFull && !world.isCalm && isLock(value) && randomBelow(2) === 0;
  const isSlow = world.plan.pace === 'slow writes';
  const ask = <T>(operation: string, id: string, effect: () => T, old?: () => T): Promise<T> => {
    const slow = isSlow && !world.isCalm ? slowWrites.get(operation) : undefined;
    if (slow !== undefined) world.excuse ??= 'slow writes';
    return callEngine(world, { engine: 'flows', operation, id, effect, old, slow });
  };
  const store: FlowStore = {
    async create(id, value, ttl) {
      if (isFull(value)) {
        await ask('create (full)', id, () => false);
        throw new IdentityError('store_full');
      }
      return await ask('create', id, () => live(id) === undefined && write(id, value, 1, ttl));
    },
    async read(id) {
      const request = requestNow();
      const found = await ask(
        'read',
        id,
        () => shown(live(id)),
        () => shown(before.get(id) ?? live(id)),
      );
      if (found !== undefined && request !== undefined && !isLock(found.value)) {
        request.isMadeUp = written.get(id)?.includes(found.value) !== true;
      }
      return found;
    },
    replace: (id, version, value, ttl) =>
      ask('replace', id, () => live(id)?.version === version && write(id, value, version + 1, ttl)),
    delete: (id) => ask('delete', id, () => void records.delete(id)),
  };
  return {
    alive: () => [...records.keys()].filter((id) => live(id) !== undefined).length,
    writtenAt: (id) => written.get(id) ?? [],
    idsOf: (kind) =>
      [...records.keys()].filter((id) => isLock(records.get(id)?.value ?? '') === (kind === 'lock')),
    put(id, value) {
      const { version = 0 } = records.get(id) ?? {};
      records.set(id, { value, version: version + 1, until: virtualNow() + 300_000 });
      if (!isLock(value) && written.get(id)?.includes(value) !== true) world.madeUp.set(id, virtualNow());
    },
    remove: (id) => void records.delete(id),
    storeFor() {
      if (isSlow) return store; // the others wait for three seconds only
      if (world.plan.store === 'redis') return redisStore({ client: redisClient(store) });
      if (world.plan.store === 'mysql') return mysqlStore({ pool: mysqlPool(store) });
      if (world.plan.store === 'postgres') return postgresStore({ pool: postgresPool(store) });
      return store;
    },
  };
}

/** A client of node-redis whose server knows what the store's three scripts do, and no script by its digest at first. */
function redisClient(store: FlowStore): Parameters<typeof redisStore>[0]['client'] {
  const scripts: string[] = [];
  interface Options {
    keys: string[];
    arguments: string[];
  }
  const run = async (text: string, { keys: [key = ''], arguments: values }: Options): Promise<unknown> => {
    const id = key.replace('pidgate:', '');
    if (text.includes("'GET'")) {
      const held = await store.read(id);
      return held === undefined ? null : `${held.version}.${held.value}`;
    }
    if (!text.includes("'SET'")) return await store.delete(id);
    const [version, value = '', ttl] = values;
    const rest = value.slice(value.indexOf('.') + 1);
    const done =
      version === '0'
        ? await store.create(id, rest, Number(ttl))
        : await store.replace(id, Number(version), rest, Number(ttl));
    return done ? 1 : 0;
  };
  return {
    evalSha: async (sha1: string, options: Options) => {
      const text = scripts.find((known) => digestOf(known) === sha1);
      if (text === undefined) throw new Error('NOSCRIPT No matching script.');
      return await run(text, options);
    },
    eval: async (text: string, options: Options) => {
      scripts.push(text);
      return await run(text, options);
    },
  };
}

/** A pool of pg whose server knows what the store's statements do. */
function postgresPool(store: FlowStore): Parameters<typeof postgresStore>[0]['pool'] {
  const rowsOf = (done: boolean) => ({ rows: [], rowCount: done ? 1 : 0 });
  return {
    async query(text, values = []) {
      const [id, second, third, fourth] = values as [string, never, never, never];
      if (text.startsWith('INSERT')) return rowsOf(await store.create(id, second, third));
      if (text.startsWith('UPDATE')) return rowsOf(await store.replace(id, second, third, fourth));
      if (text.startsWith('SELECT')) {
        const held = await store.read(id);
        return { rows: held === undefined ? [] : [held], rowCount: held === undefined ? 0 : 1 };
      }
      if (id !== undefined) await store.delete(id);
      return rowsOf(false); // a sweep finds nothing to do: what has expired is not shown here
    },
  };
}

/** A pool of mysql2 whose server knows what the store's statements do. */
function mysqlPool(store: FlowStore): Parameters<typeof mysqlStore>[0]['pool'] {
  const done = (yes: boolean) => [{ affectedRows: yes ? 1 : 0 }, undefined] as const;
  return {
    async query({ sql, values }) {
      const [first, second, third, fourth] = values.map(String) as [string, string, string, string];
      const ms = (microseconds: string): number => Number(microseconds) / 1_000;
      if (sql.startsWith('INSERT')) {
        if (await store.create(first, second, ms(third))) return done(true);
        throw Object.assign(new Error('Duplicate entry'), { code: 'ER_DUP_ENTRY' });
      }
      if (sql.startsWith('UPDATE'))
        return done(await store.replace(third, Number(fourth), first, ms(second)));
      if (sql.startsWith('SELECT value')) {
        const held = await store.read(first);
        return [held === undefined ? [] : [[held.value, held.version]], undefined];
      }
      if (sql.startsWith('SELECT id')) return [[], undefined]; // a sweep finds nothing, as in Postgres
      if (!sql.includes('expires_at')) await store.delete(first);
      return done(false);
    },
  };
}

const isLock = (value: string): boolean => value.startsWith(lockMark);

const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex');
