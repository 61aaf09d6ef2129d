import { receiptFor } from '../../../lib/service/receipt.js';
import { now } from '../../support/verify/issuer.js';
import { endsWithin } from '../deadline.js';
import type { AppProcess } from './app-process.js';
import { type Person, deliver, newPerson } from './person.js';
import { killAt } from './stop-at.js';
import { present } from './wallet.js';
import { lockMs } from '../../../lib/flow/lock.js';

/** Where a process can be killed between its first write and the reply, and the hooks of it that have begun until then. */
export interface KillPoint {
  readonly when: string;
  readonly route: 'callback' | 'return';
  /** As halting-store.ts and app.ts call it. */
  readonly halt: string;
  /** It holds the lease of the callback, or the lock of the return. */
  readonly isHeld: boolean;
  readonly hooks: readonly string[];
}

const callback = { route: 'callback', isHeld: true } as const;
const comesBack = { route: 'return', isHeld: true } as const;

export const killPoints: readonly KillPoint[] = [
  { ...callback, when: 'before the lease', halt: 'before replace 1', isHeld: false, hooks: [] },
  { ...callback, when: 'after the lease', halt: 'after replace 1', hooks: [] },
  { ...callback, when: 'while onVerified runs', halt: 'onVerified', hooks: ['onVerified'] },
  { ...callback, when: 'after onVerified', halt: 'before replace 2', hooks: ['onVerified'] },
  { ...callback, when: 'before the reply', halt: 'after replace 2', isHeld: false, hooks: ['onVerified'] },
  { ...comesBack, when: 'before the lock', halt: 'before create 1', isHeld: false, hooks: [] },
  { ...comesBack, when: 'after the lock', halt: 'after create 1', hooks: [] },
  { ...comesBack, when: 'after the flow was read', halt: 'after read 1', hooks: [] },
  { ...comesBack, when: 'while onSuccess runs', halt: 'onSuccess', hooks: ['onSuccess'] },
  { ...comesBack, when: 'after onSuccess', halt: 'keep', hooks: ['onSuccess'] },
  {
    ...comesBack,
    when: 'before the new session was saved',
    halt: 'before session set',
    hooks: ['onSuccess'],
  },
  { ...comesBack, when: 'after the new session was saved', halt: 'after session set', hooks: ['onSuccess'] },
];

/** Where it can be killed when the person has the answer: whether the old session, with the address, may still be used. */
export const answeredPoints = [
  { when: 'before the old session has ended', halt: 'before session destroy', oldLeads: true },
  { when: 'after the old session has ended', halt: 'after session destroy', oldLeads: false },
  { when: 'before the flow was closed', halt: 'before replace 1', oldLeads: false },
  { when: 'after the flow was closed', halt: 'after replace 1', oldLeads: false },
  { when: 'after the lock was given back', halt: 'after replace 2', oldLeads: false },
] as const;

/** What came of one flow whose process was killed. */
export interface Survived {
  /** Every hook that ran in either process, in order. */
  readonly hooks: readonly string[];
  readonly receipts: readonly string[];
  /** The one that the flow has to have. */
  readonly receipt: string;
  /** What the other process answered while the lease or the lock of the dead one stood. */
  readonly meanwhile: string | undefined;
  readonly back: string;
  readonly status: unknown;
  readonly kept: unknown;
}

/** What should not have come of it. */
export function faultsOf(point: KillPoint, survived: Survived): string[] {
  const { hooks, receipts, receipt, meanwhile, back, status, kept } = survived;
  // The reply was lost, and what came before it was not: the hook does not run again.
  const known = point.halt === 'after replace 2';
  const all = known ? ['onVerified', 'onSuccess'] : [...point.hooks, 'onVerified', 'onSuccess'];
  const wrong = {
    [`the hooks were ${hooks.join()}`]: hooks.toSorted().join() !== all.toSorted().join(),
    'another receipt': receipts.some((it) => it !== receipt),
    [`meanwhile ${meanwhile}`]: meanwhile !== (point.isHeld ? '503 1' : undefined),
    [`the return ended in ${back}`]: back !== '303 https://app.example/',
    [`it is ${String(status)}`]: status !== 'confirmed',
    'nothing kept': kept !== 'Erika',
  };
  return Object.entries(wrong).flatMap(([what, holds]) => (holds ? [`${point.when}: ${what}`] : []));
}

/** No lease and no lock lasts longer, under the default of limits.hookTimeout. */
export const allOver = now.getTime() + lockMs(10_000) + 1;

/**
 * The victim is killed at the point; the survivor finishes the flow, after a redelivery or the person's second try.
 * Its clock is put ahead for that, and back.
 */
export async function killRound(
  point: KillPoint,
  victim: AppProcess,
  survivor: AppProcess,
): Promise<Survived> {
  return await endsWithin(longest, round(point, victim, survivor), () => `killed ${point.when}`);
}

/** Many times what a round needs. */
const longest = 120_000;

async function round(point: KillPoint, victim: AppProcess, survivor: AppProcess): Promise<Survived> {
  const person = newPerson();
  const { state, flow } = await person.start(victim);
  const presentation = present(state);
  const called = async (target: AppProcess) => await deliver(target, { state, presentation });
  const before = (await survivor.hooks()).length;

  let address = '';
  if (point.route === 'return') address = (await called(victim)).redirectUri ?? '';
  const hooksBefore = (await victim.hooks()).length;
  await killAt(point.halt, victim, async () =>
    point.route === 'callback' ? await called(victim) : await person.open(victim, address),
  );
  const begun = (await victim.hooks()).slice(hooksBefore);
  if (begun.map(({ hook }) => hook).join() !== point.hooks.join()) {
    throw new Error(`Killed ${point.when}, and the hooks were: ${JSON.stringify(begun)}`);
  }

  const meanwhile = point.isHeld ? await triedAgain(point, survivor, called, person, address) : undefined;
  await survivor.setClock(allOver);
  if (point.route === 'callback') address = (await called(survivor)).redirectUri ?? '';
  const shown = await person.comeBack(survivor, address);
  const status = await person.statusOf(survivor, flow);
  const kept = await person.kept(survivor);
  await survivor.setClock(now.getTime());

  const ran = [...(await victim.hooks()), ...(await survivor.hooks()).slice(before)];
  return {
    hooks: ran.map(({ hook }) => hook),
    receipts: ran.map(({ receipt }) => receipt),
    receipt: receiptFor(state, presentation).id,
    meanwhile,
    back: `${shown.status} ${shown.location}`,
    status,
    kept,
  };
}

async function triedAgain(
  { route }: KillPoint,
  survivor: AppProcess,
  called: (target: AppProcess) => Promise<{ status: number; retryAfter: string | null }>,
  person: Person,
  address: string,
): Promise<string> {
  if (route === 'callback') {
    const { status, retryAfter } = await called(survivor);
    return `${status} ${retryAfter}`;
  }
  const { status, headers } = await person.open(survivor, address);
  return `${status} ${headers.get('retry-after')}`;
}
