import type { Request } from 'express';
import type { Session } from 'express-session';
import { leaseMs } from '../../../lib/flow/lease.js';
import { lockMs } from '../../../lib/flow/lock.js';
import type { HookPlan } from './plan.js';
import { type Machine, outside, randomBelow, schedule, virtualNow } from './virtual.js';
import { type HookRun, note, requestNow, say, short, type World } from './world.js';

/** The default of `limits.hookTimeout`. */
const hookTimeout = 10_000;
/** How much longer its lease lasts at least (the time of onError, and what is beside hooks), and the lock of a return. */
const rest = {
  onVerified: leaseMs(hookTimeout) - hookTimeout - 1_000,
  onSuccess: lockMs(0) - 1_000,
} as const;
/** What changes nothing of whose the session is, and ends no flow for good. */
const harmless: ReadonlySet<HookPlan> = new Set<HookPlan>(['well', 'redirects', 'saves', 'writes', 'throws']);

export interface AppSession {
  user?: string;
  basket?: string[];
  mark?: string;
  seen?: boolean;
}

export const dataOf = (req: unknown): AppSession & Session =>
  (req as { session: AppSession & Session }).session;

/** What a hook of the app can do to its own request. */
export interface OwnRequest {
  readonly req: Request;
  readonly forget: () => Promise<void>;
  readonly logIn: (req: Request, user: string) => Promise<void>;
}

/** Runs a hook as the plan has it. */
export async function runHook(
  world: World,
  machine: Machine,
  hook: keyof typeof rest,
  { receipt, presentation }: { readonly receipt: string; readonly presentation: string },
  own?: OwnRequest,
): Promise<{ redirectTo: string } | { refuse: string } | undefined> {
  const plan: HookPlan = world.isCalm ? 'well' : (world.plan.hooks[world.hookRuns++] ?? 'well');
  if (!harmless.has(plan)) world.excuse ??= plan;
  const request = requestNow();
  const run: HookRun = { hook, receipt, machine: machine.name, request, began: virtualNow() };
  judgeBegin(world, run, presentation);
  world.hooks.push(run);
  say(world, `${hook} of ${short(receipt)} begins (${plan})`);
  const isIdle = plan === 'hangs' || plan.startsWith('late');
  const setInHook = (inHook: boolean): void => {
    if (request !== undefined) request.inHook = inHook;
  };
  /** The kit goes on without it. What it still writes when its engine answers is the app's all the same. */
  const leave = (): void => {
    run.end ??= 'late';
    if (isIdle) setInHook(false);
  };
  const endHook = (end: 'well' | 'badly'): void => {
    run.ended ??= virtualNow();
    run.end ??= end;
    setInHook(false);
  };
  setInHook(true);
  // It may hang by itself, or in a call of the session store. Nobody waits for it for ever: what runs after its lease runs
  // beside it. The kit's own timer is set after this one.
  outside(() => {
    // A process that stands still does not see that the time is over.
    schedule(hookTimeout, () => (machine.stoppedUntil > run.began ? undefined : leave()));
    // A lease is counted from before the write that takes it.
    const late = world.plan.pace === 'slow writes' ? 5_000 : 0;
    schedule(hookTimeout + rest[hook] - late, () => (run.ended ??= virtualNow()));
  });
  try {
    if (isIdle) {
      await new Promise<void>((resolve) => {
        if (plan !== 'hangs') setTimeout(resolve, hookTimeout + lateBy(plan));
      });
      if (own !== undefined && plan !== 'late') await useLateSession(world, plan, own, run);
      return undefined;
    }
    const takes = world.plan.pace === 'usual' || world.isCalm ? 5 : hookTimeout / 2;
    await new Promise<void>((resolve) => void setTimeout(resolve, takes));
    if (own !== undefined) await useSession(plan, own, receipt);
    if (plan === 'throws') throw new Error('The hook throws');
    if (plan === 'refuses') return { refuse: 'too_young' };
    return plan === 'redirects' ? { redirectTo: '/club' } : undefined;
  } finally {
    endHook(plan === 'throws' || plan === 'refuses' ? 'badly' : 'well');
    say(world, `${hook} of ${short(receipt)} ends`);
  }
}

/** It begins to write just before its time is over, or when it is over. */
const lateBy = (plan: HookPlan): number =>
  plan === 'late' ? 2_000 : randomBelow(2) === 0 ? -randomBelow(25) - 1 : randomBelow(2_000) + 1;

/** What a hook writes about when its time is over: if it ends late, nothing of it may be stored in the end. */
async function useLateSession(world: World, plan: HookPlan, own: OwnRequest, run: HookRun): Promise<void> {
  const mark = `late${world.hooks.indexOf(run)}`;
  run.mark = mark;
  dataOf(own.req).mark = mark;
  const log = requestNow();
  if (log !== undefined) log.isCleared = true;
  if (plan === 'late logs in') await own.logIn(own.req, mark);
  else await callSession(own.req, plan === 'late saves' ? 'save' : 'regenerate');
  dataOf(own.req).mark = mark;
  await callSession(own.req, 'save');
}

export async function callSession(req: Request, name: 'regenerate' | 'destroy' | 'save'): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    dataOf(req)[name]((error: unknown) =>
      error ? reject(new Error('The session store is away')) : resolve(),
    );
  });
}

/** I3: the same proof has the same receipt, and its hook never runs beside itself while clocks agree. */
function judgeBegin(world: World, run: HookRun, presentation: string): void {
  const receipt = world.receipts.get(presentation) ?? run.receipt;
  world.receipts.set(presentation, receipt);
  if (receipt !== run.receipt) note(world, 'I3', `${run.hook} runs again with another receipt`);
  if (run.request?.isMadeUp === true) note(world, 'I1', `${run.hook} runs with what somebody made up`);
  if (world.skew !== 0 || world.isTampered) return;
  const beside = world.hooks.find(
    ({ hook, receipt: other, ended, machine }) =>
      hook === run.hook &&
      other === run.receipt &&
      (ended === undefined ? !world.killed.has(machine) : ended > run.began),
  );
  if (beside !== undefined) note(world, 'I3', `${run.hook} runs beside itself for ${short(run.receipt)}`);
}

async function useSession(
  plan: HookPlan,
  { req, forget, logIn }: OwnRequest,
  receipt: string,
): Promise<void> {
  const log = requestNow();
  if (log !== undefined && /regenerates|logs in|destroys/.test(plan)) log.isCleared = true;
  if (plan === 'regenerates') await callSession(req, 'regenerate');
  if (plan === 'logs in') await logIn(req, 'member');
  if (plan === 'destroys') await callSession(req, 'destroy');
  if (plan === 'saves') await callSession(req, 'save');
  if (plan === 'forgets') {
    if (log !== undefined) log.hasCalledForget = true;
    await forget();
  }
  if (plan === 'answers') req.res?.end('answered by the hook');
  if (plan === 'writes') {
    dataOf(req).mark = `by ${receipt}`;
    if (log !== undefined) log.mark = `by ${receipt}`;
  }
}

/** I3: what is kept was decided on by a hook that has ended well, in this very request. */
export function judgeKeep(world: World, receipt: string): void {
  const request = requestNow();
  if (request?.isMadeUp === true) note(world, 'I1', 'keep is asked about what somebody made up');
  if (!world.plan.hasOnSuccess) return;
  const last = world.hooks.findLast((run) => run.hook === 'onSuccess' && run.request === request);
  if (last?.receipt !== receipt || last.end !== 'well') {
    note(world, 'I3', `keep runs before onSuccess has ended well for ${short(receipt)}`);
  }
}
