import { Store, type SessionData } from 'express-session';
import { createKeptSeal } from '../../../lib/flow/kept-seal.js';
import { keepFor } from './ages.js';
import { callEngine } from './engines.js';
import { virtualNow } from './virtual.js';
import { note, requestNow, type RequestLog, short, type World } from './world.js';

export interface SessionEngine {
  /** A store of express-session for one machine. */
  storeFor(): Store;
  textOf(id: string): string | undefined;
  texts(): string[];
  /** Sessions that a route of the kit ended, not a hook. */
  readonly endedByKit: ReadonlySet<string>;
  /** How the kit wrote each session. The first time it made it, and had just looked at the one before. */
  readonly writtenByKit: ReadonlyMap<string, readonly KitWrite[]>;
}

/** By the engine's own order: what comes between the two is what the kit cannot see. */
export interface KitWrite {
  readonly looked: number;
  written: number;
}

/** What the app and the kit have put into a session, as the invariants look at it. */
export interface SessionView {
  readonly user: string | undefined;
  readonly basket: readonly string[];
  readonly mark: string | undefined;
  readonly kept: readonly Kept[];
}

/** What the app keeps of a proof: whose it is, its receipt, the number of its flow. */
interface Proof {
  readonly person: string;
  readonly receipt: string;
  readonly link: number;
}

/** For which question it is kept in a session. */
export interface Kept extends Proof {
  readonly question: string;
}

export const keptText = ({ person, receipt, link }: Proof): string => `kept:${person}:${receipt}:${link}`;

/** The guard of the vault lets every second flow in. */
export const isAllowed = (kept: string): boolean => (readKept(kept)[0]?.link ?? 1) % 2 === 0;

export const readKept = (text: string): Proof[] =>
  [...text.matchAll(/kept:([AM]):([\w-]+):(\d+)/g)].map(([, person = '', receipt = '', link]) => ({
    person,
    receipt,
    link: Number(link),
  }));

export function readSession(text: string | undefined): SessionView {
  if (text === undefined) return { user: undefined, basket: [], mark: undefined, kept: [] };
  const data = JSON.parse(text) as {
    user?: string;
    passport?: { user?: string };
    basket?: string[];
    mark?: string;
    pidgate?: { mark: string };
    'pidgate /identity'?: string;
  };
  const { user = data.passport?.user, basket = [], mark, pidgate, 'pidgate /identity': sealed = '' } = data;
  const own = JSON.parse(keptSeal.open(pidgate?.mark ?? '', sealed) ?? '{}') as {
    kept?: Record<string, readonly [more: { kept?: string }]>;
  };
  const kept = Object.entries(own.kept ?? {}).flatMap(([question, [more]]) =>
    readKept(more.kept ?? '').map((proof) => ({ ...proof, question })),
  );
  return { user, basket, mark, kept };
}

const secret = (which: string): string => `a secret of the simulated app: ${which}`;
/** All that the processes of the app may have. */
export const secrets = { old: secret('old'), new: secret('new'), another: secret('another') };
const keptSeal = createKeptSeal('/identity', [secrets.old, secrets.new, secrets.another]);

/** Whether a session holds something of the kit's. */
export const isOfKit = (session: object | undefined): boolean =>
  Object.keys(session ?? {}).some((name) => name.startsWith('pidgate'));

const isByKit = (request: RequestLog | undefined): request is RequestLog =>
  request !== undefined && ((request.isAtKit && !request.inHook) || request.isForgetting);

interface Held {
  readonly world: World;
  readonly sessions: Map<string, string>;
  /** What each session was before its last write. */
  readonly before: Map<string, string>;
  readonly endedByKit: Set<string>;
  /** When each session was ended. */
  readonly ended: Map<string, number>;
  readonly writtenByKit: Map<string, KitWrite[]>;
}

class SimulatedStore extends Store {
  readonly #held: Held;

  constructor(held: Held) {
    super();
    this.#held = held;
  }

  protected ask<T>(
    operation: string,
    id: string,
    effect: (held: Held) => T,
    { old, isLost }: Pick<Parameters<typeof callEngine<T>>[1], 'old' | 'isLost'> = {},
  ): Promise<T> {
    const held = this.#held;
    return callEngine(held.world, {
      engine: 'sessions',
      operation,
      id,
      effect: () => effect(held),
      old,
      ...(isLost === true && { isLost }),
    });
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    const { sessions, before } = this.#held;
    const request = requestNow();
    const effect = (): string | undefined => {
      if (request !== undefined) request.looked = virtualNow();
      return sessions.get(id);
    };
    // Of a session that is still there: one that shows what has ended is a faulty store.
    const old = (): string | undefined => sessions.get(id) && (before.get(id) ?? sessions.get(id));
    void this.ask('get', id, effect, { old }).then((text) => {
      request?.looks.set(id, { at: virtualNow(), text });
      done(null, text === undefined ? null : (JSON.parse(text) as SessionData));
    }, done);
  }

  override set(id: string, session: SessionData, done?: (error?: unknown) => void): void {
    const { world, sessions, ended, writtenByKit } = this.#held;
    const request = requestNow();
    const text = JSON.stringify(session);
    const write: KitWrite = { looked: request?.looked ?? virtualNow(), written: -Infinity };
    if (request?.isForgetting === true) {
      judgeForgetting(world, request, write);
      Object.assign(request, { hasForgotten: true, forgot: write });
    }
    if (isByKit(request)) {
      writtenByKit.set(id, [...(writtenByKit.get(id) ?? []), write]);
      judgeWrite(world, request, id, text, sessions);
    }
    // Of a process that stood still the first release may reach the browser after the second.
    if (request?.keeping !== undefined) {
      const before = world.subjects.get(request.keeping) ?? new Set();
      world.subjects.set(request.keeping, before.add(request.subject));
    }
    const effect = ({ before }: Held): void => {
      const was = sessions.get(id);
      // express-session has put back what a request of the app had read before a log-out, as `resave` does.
      const looked = request?.isAtKit === true ? undefined : request?.looks.get(id)?.text;
      const isPutBack = looked === undefined ? ended.has(id) && !isByKit(request) : looked !== was;
      if (isPutBack) world.hasOldSession = true;
      if (was !== undefined) before.set(id, was);
      // What `forget` was called for would be there again, under an id that has ended. With `resave` it is anyway.
      const { resave } = world.plan.middleware;
      const isRevived = was === undefined && write.looked > (ended.get(id) ?? Infinity) && !resave;
      if (isRevived && request?.hasCalledForget === true && isOfKit(session))
        note(world, 'I4', `${request.name} revives a session that has ended`);
      if (request?.onlyForgets === true && !isByKit(request) && !resave)
        judgeLeftOver(world, request, { was, text, hasEnded: ended.has(id) });
      sessions.set(id, text);
      write.written = virtualNow();
    };
    const isLost = request?.losesWrite === true;
    if (isLost) request.losesWrite = false;
    void this.ask('set', id, effect, { isLost }).then(() => done?.(), done);
  }

  override destroy(id: string, done?: (error?: unknown) => void): void {
    const request = requestNow();
    const isKit = isByKit(request);
    const effect = ({ sessions, ended, endedByKit }: Held): void => {
      if (!sessions.delete(id)) return;
      ended.set(id, virtualNow());
      if (isKit) endedByKit.add(id);
    };
    void this.ask('destroy', id, effect).then(() => done?.(), done);
  }
}

class TouchingStore extends SimulatedStore {
  override touch(id: string, { cookie }: SessionData, done?: () => void): void {
    // Nothing runs out here, but what is stored of the cookie is what pidgate sees of it.
    const touched = ({ sessions }: Held): boolean => {
      const text = sessions.get(id);
      if (text !== undefined && cookie.originalMaxAge !== null)
        sessions.set(
          id,
          text.replace(/^\{"cookie":\{[^}]*\}/, () => `{"cookie":${JSON.stringify(cookie)}`),
        );
      return text !== undefined;
    };
    void this.ask('touch', id, touched).then(
      () => done?.(),
      () => done?.(),
    );
  }
}

export function sessionEngine(world: World): SessionEngine {
  const sessions = new Map<string, string>();
  const before = new Map<string, string>();
  const endedByKit = new Set<string>();
  const writtenByKit = new Map<string, KitWrite[]>();
  const held: Held = { world, sessions, before, endedByKit, ended: new Map(), writtenByKit };
  return {
    storeFor: () => (world.plan.middleware.touch ? new TouchingStore(held) : new SimulatedStore(held)),
    textOf: (id) => sessions.get(id),
    texts: () => [...sessions.values()],
    endedByKit,
    writtenByKit,
  };
}

/** I4: a second `forget` of one request looks at what the first has stored: else it would put back what that has erased. */
function judgeForgetting(world: World, { name, forgot }: RequestLog, { looked }: KitWrite): void {
  // A call that failed may have its effect later.
  if (forgot === undefined || world.plan.faults.some(({ engine }) => engine === 'sessions')) return;
  if (!(forgot.written <= looked && forgot.written > -Infinity))
    note(world, 'I4', `${name} writes what it had read before it last forgot`);
}

/** I4 and I5: a request that does nothing but forget leaves nothing to be saved at its end. */
function judgeLeftOver(
  world: World,
  { name }: RequestLog,
  {
    was,
    text,
    hasEnded,
  }: { readonly was: string | undefined; readonly text: string; readonly hasEnded: boolean },
): void {
  if (was === undefined) {
    if (hasEnded) note(world, 'I4', `${name} revives a session that has ended, after it has forgotten`);
    return;
  }
  const [stored, saved] = [readSession(was), readSession(text)];
  const isOther = (one: SessionView): string =>
    JSON.stringify([one.user ?? null, one.basket, one.mark ?? null]);
  if (isOther(stored) !== isOther(saved))
    note(world, 'I5', `${name} puts back what another request has changed, after it has forgotten`);
  if (saved.kept.length > stored.kept.length) note(world, 'I4', `${name} puts back what was forgotten`);
}

/** I4 and I5: the kit writes directly after it has looked, and what it has seen there stays. */
function judgeWrite(
  world: World,
  request: RequestLog,
  id: string,
  text: string,
  sessions: ReadonlyMap<string, string>,
): void {
  const { name, looks, isCleared, mark } = request;
  const all = [...looks.values()];
  const fresh = all.filter(({ at, text: seen }) => at === virtualNow() && seen !== undefined);
  const knew = all.some(({ text: seen }) => seen !== undefined);
  if (knew && fresh.length === 0) {
    note(world, 'I4', `${name} writes the session ${short(id)} without a look directly before`);
  }
  if (!knew && sessions.has(id)) note(world, 'I4', `${name} writes over a session it has not read`);
  const written = readSession(text);
  for (const { text: seen } of isCleared ? [] : fresh) {
    const { basket, user, kept } = readSession(seen);
    const lost = basket.filter((item) => !written.basket.includes(item));
    if (lost.length > 0) note(world, 'I5', `${name} writes a session without ${lost.join(', ')}`);
    if (user !== written.user)
      note(world, 'I5', `${name} writes ${written.user}, where ${user} was logged in`);
    // A process that has another secret does not open what was kept.
    const mayErase = request.hasCalledForget || world.plan.secrets === 'forgotten';
    for (const { question, receipt } of mayErase ? [] : kept) {
      const isThere = written.kept.some((one) => one.question === question);
      // The kit drops what has run out.
      const isOver =
        virtualNow() - (world.kept.get(receipt) ?? 0) >
        keepFor[question === 'member' ? 'vault' : 'club'] - 2 * world.skew;
      if (!isThere && !isOver) note(world, 'I5', `${name} writes a session without what was kept`);
    }
  }
  if (mark !== undefined && written.mark !== mark) {
    note(world, 'I5', `${name} writes a session without what its hook had written`);
  }
}
