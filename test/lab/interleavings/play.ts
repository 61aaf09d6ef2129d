import { IdentityError } from '../../../lib/errors.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { type FlowRecord, type FlowResult, parseRecord } from '../../../lib/flow/record.js';
import {
  flowIdOf,
  format,
  newSecret,
  open,
  readReturnCode,
  recordKey,
  type ReturnCode,
} from '../../../lib/flow/secrets.js';
import type { FlowStore } from '../../../lib/types/store.js';
import { type Flow, type FlowHooks, Stop, maxReloads, rowOf } from '../../../lib/flow/flow.js';
import { arrive, limitOf, openProcess, type Process, secret } from './parts.js';
import { type Choose, createSteps } from './steps.js';
import type { VirtualTime } from './virtual-time.js';
import { lockMs } from '../../../lib/flow/lock.js';

export type Deed =
  | { readonly kind: 'callback'; readonly body: string; readonly process: number }
  | { readonly kind: 'return'; readonly isOwner: boolean; readonly process: number }
  | { readonly kind: 'deadline' };

export interface Pair {
  readonly deeds: readonly Deed[];
  readonly confirm?: Flow['confirm'];
  /** The hooks that there are: what each does at its first run. Later runs end well. */
  readonly hooks?: Partial<Record<'onVerified' | 'onSuccess' | 'onError', 'well' | 'throws' | 'refuses'>>;
  /** Why the first return is not kept. */
  readonly unkept?: 'session_left' | 'fails' | 'answer lost';
}

export interface Played {
  readonly trace: readonly string[];
  /** What the table of transitions, the lease or the exactly-once rule does not allow. */
  readonly broken: readonly string[];
}

type Status = 'pending' | 'verified' | 'confirmed' | 'failed';

/** A request, as the judges know it. */
interface Request {
  readonly name: string;
  readonly deed: Deed;
  /** Another request ended the flow, or its lease ran out. */
  overtaken: boolean;
}

/** One run of onVerified or onSuccess. */
interface Run {
  readonly hook: string;
  readonly by: Request;
  readonly began: number;
  end?: string;
  isKept: boolean;
}

const hookTimeout = 1_000;
/** No lease and no lock is longer. */
const allOver = lockMs(hookTimeout);
const maxSteps = 2_000;

/** The arrows of the table of transitions that a request may write. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'callback, confirm return': ['pending > verified', 'pending > failed'],
  'callback, confirm callback': ['pending > confirmed', 'pending > failed'],
  'return, confirm return': ['verified > confirmed', 'verified > failed'],
};

/** Plays the start, the deeds in the order that `choose` makes, and, where the flow is still open, one more try. */
export async function play(pair: Pair, time: VirtualTime, choose: Choose): Promise<Played> {
  const { deeds, confirm = 'return', hooks = {}, unkept } = pair;
  const broken: string[] = [];
  const mustHold = (holds: boolean, by: { readonly name: string }, what: string): void => {
    if (!holds) broken.push(`${by.name}: ${what}`);
  };
  const steps = createSteps(choose);
  const clock = Object.assign(() => new Date(time.now()), { forward: time.forward });
  const inner = memoryStore({ clock });
  const processes = [0, 1].map(() => ({
    waiting: new Set<string>(),
    concurrentVerifications: limitOf(100),
    concurrentStarts: limitOf(100),
  }));

  // What the judges know of the flow.
  let [status, deadline]: [Status, number] = ['pending', 0];
  let lease: { readonly holder: string; readonly until: number; readonly by: Request } | undefined;
  let lock: { readonly until: number; readonly by: Request } | undefined;
  const runs: Run[] = [];
  const receipts = new Set<string>();
  const told: string[] = [];
  const replies = new Map<string, string>();
  let [releases, saves, answers] = [0, 0, 0];
  const firstRuns = new Set<string>();

  const state = await openProcess({ clock, store: inner }).start();
  const id = flowIdOf(state, '/identity');
  deadline = readRecord((await inner.read(id))?.value ?? '').expiresAt;

  function readRecord(value: string): FlowRecord {
    const [, sealed = ''] = value.split('.');
    const text = open(recordKey(secret, '/identity', id), `${format} /identity ${id}`, sealed);
    return parseRecord(text ?? '');
  }

  /** A record was written: is it an arrow of the table, by one who may, and under the lease or the lock? */
  function judgeWrite(by: Request, value: string): void {
    const record = readRecord(value);
    const now: Status = record.status;
    const stands = lease !== undefined && lease.until > time.now() && lease.by !== by;
    if (now !== status) {
      const allowed = arrows[`${by.deed.kind}, confirm ${confirm}`] ?? [];
      mustHold(allowed.includes(`${status} > ${now}`), by, `the table has no ${status} > ${now}`);
      mustHold(!stands, by, 'a status is written under the lease of another');
      mustHold(!by.overtaken, by, 'a status is written after the lease or the lock was lost');
      if (by.deed.kind === 'return') mustHold(lock?.by === by, by, 'a status is written without the lock');
    }
    mustHold((record.result !== undefined) === (now === 'verified'), by, 'a result is in it');
    const mayMove = status === 'pending' && now === 'verified';
    mustHold(mayMove ? record.expiresAt >= deadline : record.expiresAt === deadline, by, 'another deadline');
    deadline = record.expiresAt;
    if (record.lease?.holder !== lease?.holder) {
      mustHold(!stands, by, 'it takes the lease of another');
      lease = record.lease && { ...record.lease, by };
    }
    status = now;
  }

  function judgeLock(by: Request, value: string, ttl: number): void {
    const isFree = value === 'lock.free';
    mustHold(lock === undefined || lock.until <= time.now() || lock.by === by, by, 'the lock of another');
    lock = isFree ? undefined : { by, until: time.now() + ttl };
  }

  const storeOf = (by: Request): FlowStore => {
    const call = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      await steps.step(`${by.name} ${name}`);
      for (const held of [lease, lock]) if (held && held.until <= time.now()) held.by.overtaken = true;
      return await work();
    };
    return {
      create: async (name, value, ttl) =>
        await call('create', async () => {
          const isWritten = await inner.create(name, value, ttl);
          if (isWritten) judgeLock(by, value, ttl);
          return isWritten;
        }),
      read: async (...args) => await call('read', async () => await inner.read(...args)),
      replace: async (name, version, value, ttl) =>
        await call('replace', async () => {
          const isWritten = await inner.replace(name, version, value, ttl);
          if (isWritten && name === id) judgeWrite(by, value);
          else if (isWritten) judgeLock(by, value, ttl);
          return isWritten;
        }),
      delete: async (...args) => await call('delete', async () => await inner.delete(...args)),
    };
  };

  const endOf = (hook: keyof typeof hooks): string => {
    const isFirst = !firstRuns.has(hook);
    firstRuns.add(hook);
    return (isFirst && hooks[hook]) || 'well';
  };
  const hookOf = (by: Request, hook: 'onVerified' | 'onSuccess') => async (args: { result: FlowResult }) => {
    const run: Run = { hook, by, began: time.now(), isKept: confirm === 'callback' || hook === 'onVerified' };
    const isRunning = ({ end, began }: Run): boolean => end === undefined && began + hookTimeout > time.now();
    mustHold(!runs.some(isRunning), by, `${hook} runs alongside another hook`);
    const held = by.deed.kind === 'return' ? lock : lease;
    mustHold(held?.by === by || by.overtaken, by, `${hook} without a lease or lock`);
    const again = runs.filter((other) => other.hook === hook && other.end === 'well' && other.isKept);
    mustHold(again.length === 0, by, `${hook} a second time`);
    mustHold(!runs.some(({ end }) => end === 'refuses'), by, `${hook} after a refusal`);
    runs.push(run);
    receipts.add(args.result.receipt.id);
    const end = endOf(hook);
    await steps.step(`${by.name} ${hook} ${end}`);
    run.end = run.began + hookTimeout > time.now() ? end : 'late';
    if (end === 'throws') throw new Error(`${hook} throws`);
    return end === 'refuses' ? { refuse: 'not_today' } : undefined;
  };

  function processOf(by: Request, number: number): Process {
    const all: FlowHooks = {
      onVerified: hookOf(by, 'onVerified'),
      onSuccess: hookOf(by, 'onSuccess'),
      async onError() {
        if (by.deed.kind === 'callback') told.push(by.deed.body);
        await steps.step(`${by.name} onError`);
      },
    };
    const wanted = Object.entries(all).filter(([name]) => name in hooks);
    return openProcess(
      { clock, store: storeOf(by) },
      {
        ...processes[number],
        confirm,
        hookTimeout,
        verifyTimeout: hookTimeout,
        hooks: Object.fromEntries(wanted) as FlowHooks,
        async verifier(presentation, expected) {
          await steps.step(`${by.name} verified`);
          const isGood = presentation.startsWith('good');
          return isGood
            ? { valid: true, attributes: { given_name: 'Erika', birth_date: '1964-08-12' }, derived: {} }
            : { valid: false, reason: `Not for ${expected.issuer}.`, check: 'B07' };
        },
      },
    );
  }

  let code: ReturnCode | undefined;
  let codeKnown = (_code: ReturnCode): void => undefined;
  const codes = new Promise<ReturnCode>((resolve) => (codeKnown = resolve));
  async function deliver(by: Request, body: string, number: number): Promise<void> {
    const mayClose = status !== 'pending' || deadline <= time.now();
    const { transition, ...reply } = await processOf(by, number).deliver(state, { presentation: body });
    const isOver = mayClose || deadline <= time.now() || runs.some(({ end }) => end === 'refuses');
    const to = reply.location;
    code ??= readReturnCode(new URL(to ?? 'https://nowhere.example').searchParams.get('code'));
    if (code !== undefined) codeKnown(code);
    if (transition === 'closed') {
      const isOther = replies.size > 0 && !replies.has(body);
      mustHold(isOver || isOther, by, 'closed to a body that ended nothing');
    } else if (transition === 'no_verdict') mustHold(isOver, by, 'no verdict, though there was time');
    else if (transition === 'lease_held') mustHold(lease !== undefined, by, 'no lease was held');
    else if (['verified', 'confirmed_at_once', 'body_known', 'body_refused'].includes(transition)) {
      mustHold((replies.get(body) ?? to) === to, by, `a different reply to the same body: ${to}`);
      replies.set(body, to ?? '');
      const isReal = to?.includes('error=') !== body.startsWith('good') || to.includes('error=refused');
      mustHold(isReal, by, `${body} is answered with ${to}`);
    } else {
      const end = runs.find((run) => run.by === by && run.end !== 'well')?.end;
      const isRight = transition === 'callback_hook_refused' ? end === 'refuses' : end !== undefined;
      mustHold(isRight, by, `it ended as ${transition}`);
    }
  }

  /** The session of the owner, as far as the flow has to do with it. */
  const session: { destination?: string } = {};
  async function comeBack(by: Request, isOwner: boolean, number: number): Promise<void> {
    const { secret } = await codes;
    const { flow } = processOf(by, number);
    for (let reload = 0; ; reload += 1) {
      const isServed = session.destination !== undefined;
      let isUnsaved = false;
      const code = { id, secret };
      const ended = await arrive(flow, code, isOwner ? 'owner' : 'stranger', session.destination, {
        async isStored() {
          await steps.step(`${by.name} session looked for`);
          return session.destination === undefined;
        },
        renew: () => mustHold(lock?.by === by || by.overtaken, by, 'renewed without the lock'),
        keep: ({ receipt }) => void receipts.add(receipt.id),
        async save() {
          await steps.step(`${by.name} session saved`);
          isUnsaved = saves++ === 0 && (unkept === 'session_left' || unkept === 'fails');
          if (isUnsaved && unkept === 'fails') throw new Error('The session store is down.');
          if (isUnsaved) throw new Stop('session_left');
        },
        async rollback() {
          await steps.step(`${by.name} session rolled back`);
        },
        async release(location) {
          const isLost = unkept === 'answer lost' && answers++ === 0;
          await steps.step(`${by.name} answer ${isLost ? 'lost' : 'received'}`);
          if (isLost) return false;
          mustHold(releases === 0 || by.overtaken, by, 'a second release');
          releases += 1;
          session.destination = location;
          const last = runs.findLast((run) => run.by === by);
          if (last !== undefined) last.isKept = true;
          return true;
        },
      });
      const { transition } = ended;
      const isOver = status === 'failed' || deadline <= time.now();
      const may: Record<string, boolean> = {
        confirmed: isOwner,
        return_repeated: isOwner && isServed,
        session_left: isOwner && (isUnsaved || releases > 0 || status === 'confirmed'),
        return_hook_failed: isUnsaved || runs.some((run) => run.by === by && run.end !== 'well'),
        return_lock_held: isOwner,
        return_wrong_browser: !isOwner && status === 'failed',
        return_unfit: isOver || !isOwner,
        // A call of the store that was under way when the clock went on to the deadline.
        return_interrupted: isOwner && deadline <= time.now(),
        return_unavailable: !isOwner && deadline <= time.now(),
      };
      mustHold(may[transition] === true, by, `it ended as ${transition}`);
      if (rowOf(ended.transition).answer !== 'reload' || reload === maxReloads) return;
      await steps.step(`${by.name} reloads`);
    }
  }

  async function act(deed: Deed, at: number): Promise<void> {
    const detail =
      deed.kind === 'callback' ? deed.body : deed.kind === 'return' && deed.isOwner ? 'owner' : '';
    const by: Request = { name: `${deed.kind} ${at} ${detail}`, deed, overtaken: false };
    if (deed.kind === 'return') await codes;
    await steps.step(`${by.name} begins`);
    if (deed.kind === 'deadline') {
      time.forward(Math.max(0, deadline - time.now()));
      return;
    }
    try {
      if (deed.kind === 'callback') await deliver(by, deed.body, deed.process);
      else await comeBack(by, deed.isOwner, deed.process);
    } catch (error) {
      // A call of the store that was under way when the clock went on to the deadline.
      const isLate = error instanceof IdentityError && error.code === 'store_unavailable';
      if (!isLate || deadline > time.now()) throw error;
    }
  }

  /** What is ready happens; time passes only where nothing is. */
  async function run(work: readonly Promise<void>[]): Promise<void> {
    let left = work.length;
    const ended = (): void => void (left -= 1);
    for (const one of work) void one.then(ended, ended);
    while (left > 0) {
      await time.settled();
      if (steps.trace.length > maxSteps) throw new Error('It never ends.');
      if (steps.ready() > 0) steps.next();
      else if (left > 0 && !time.toNext()) {
        if (code !== undefined) throw new Error('A request hangs.');
        codeKnown({ id, secret: newSecret() }); // no code was made: they bring one that fits nothing
        code = { id, secret: '' };
      }
    }
    await Promise.all(work);
  }

  await run(deeds.map(act));
  if ((status === 'pending' || status === 'verified') && time.now() + allOver < deadline) {
    time.forward(allOver);
    await run([act({ kind: 'callback', body: [...replies.keys()].find(isGood) ?? 'good', process: 0 }, 98)]);
    if (confirm === 'return') await run([act({ kind: 'return', isOwner: true, process: 1 }, 99)]);
    mustHold(status === ('confirmed' as Status), { name: 'in the end' }, `it stays ${status}`);
  }
  judgeEnd();
  return { trace: steps.trace, broken };

  function judgeEnd(): void {
    const end = { name: 'in the end' };
    const kept = (hook: string) =>
      runs.filter((one) => one.hook === hook && one.end === 'well' && one.isKept);
    mustHold(kept('onVerified').length <= 1, end, 'onVerified ran well more than once');
    if (status === 'confirmed') {
      const wanted = 'onSuccess' in hooks ? 1 : 0;
      mustHold(kept('onSuccess').length === wanted, end, 'confirmed, and onSuccess did not run once');
      if (confirm === 'return') mustHold(releases > 0, end, 'confirmed, and nothing was released');
    }
    mustHold(receipts.size <= 1 || replies.size > 1, end, 'another receipt');
    if (!('onError' in hooks)) return;
    for (const body of replies.keys()) {
      if (!isGood(body))
        mustHold(told.filter((one) => one === body).length === 1, end, `onError for ${body}`);
    }
  }
}

const isGood = (body: string): boolean => body.startsWith('good');
