import { IdentityError } from '../errors.js';
import { within } from '../safe/time.js';
import { redacted } from '../safe/redacted.js';
import { type HookOutcome, announce, errorAddress, hookError, report, runHook } from './hooks.js';
import type { FlowKit, FlowResult } from './deps.js';
import { isLeased, takeLease, waitForLease, writeUnderLease } from './lease.js';
import { life, type Occasion } from './transitions.js';
import type { FlowRecord } from './record.js';
import { openSure } from './seal.js';
import { isSecret, resultKey, sha256 } from './secrets.js';
import type { Held } from './records.js';

/** The two halves of a return code: the flow's public name and the secret that fits it. */
export interface ReturnCode {
  readonly id: string;
  readonly secret: string;
}

/** The code, if it is one that we can have made. */
export function readReturnCode(text: unknown): ReturnCode | undefined {
  const [id, secret, more] = typeof text === 'string' ? text.split('.') : [];
  if (id === undefined || secret === undefined || more !== undefined) return undefined;
  return isSecret(id) && isSecret(secret) ? { id, secret } : undefined;
}

/** onSuccess, keep, and onError where one of them fails: all within one lease. */
const hooksAtMost = 3;

/** How a return ended: what to answer (see the table in life.ts), and where to. */
export interface Arrival {
  readonly occasion: Occasion;
  readonly location?: string;
  readonly error?: IdentityError;
}

/** A browser whose session owns the flow. */
export interface Visit<Req> {
  readonly state: string;
  readonly secret: string;
  readonly subject: string | undefined;
  /** True where the session already has what the flow brought, and only the last write is missing. */
  readonly released: boolean;
  readonly req: Req;
}

/** What happens to a result that is released. */
export interface Handover {
  /** The app chooses what stays; this may take as long as a hook. */
  keep(result: FlowResult): unknown;
  /** Puts it into the session. */
  commit(result: FlowResult, kept: unknown): Promise<void>;
}

/** Releases the result to the browser that owns the flow and brought its code. */
export async function confirm<Req>(
  kit: FlowKit<Req>,
  visit: Visit<Req>,
  handover: Handover,
): Promise<Arrival> {
  for (;;) {
    const held = await kit.shelf.read(visit.state);
    if (held === undefined || held === 'burnt' || held.record.code !== sha256(visit.secret)) {
      return await unfit(kit, kit.shelf.idOf(visit.state));
    }
    const { record } = held;
    if (record.subject !== undefined && record.subject !== visit.subject) {
      const error = new IdentityError('subject_changed');
      await report(kit, 'subject_changed', error, aboutFlow(held));
      return { occasion: 'subject_changed', error };
    }
    if (record.status === 'confirmed') {
      return { occasion: 'return_repeated', location: destination(kit, record) };
    }
    if (visit.released) return await close(kit, visit.state, held);
    if (isLeased(kit, record)) {
      if (await waitForLease(kit, visit.state, held)) continue;
      return { occasion: 'return_lease_held', error: new IdentityError('busy') };
    }
    // Taken without a hook too: two returns at once must not both give the session a new id.
    const leased = await takeLease(kit, visit.state, held, hooksAtMost);
    if (leased !== undefined) return await release(kit, visit, leased, handover);
  }
}

/** A code that fits no flow of this browser. Nothing changes, and every such case looks the same. */
export async function unfit<Req>(kit: FlowKit<Req>, flow?: string): Promise<Arrival> {
  const error = new IdentityError('return_code_invalid');
  const about = { origin: kit.origins[0], ...(flow !== undefined && { flow }) };
  await report(kit, 'return_unfit', error, about);
  return { occasion: 'return_unfit', error };
}

/** The code came in a session that does not own the flow: if it fits, it is burnt, and with it the flow. */
export async function arriveElsewhere<Req>(kit: FlowKit<Req>, { id, secret }: ReturnCode): Promise<Arrival> {
  if (!(await kit.shelf.burn(id, secret))) return await unfit(kit);
  const error = new IdentityError('return_elsewhere');
  await report(kit, 'return_elsewhere', error, { flow: id, origin: kit.origins[0] });
  return { occasion: 'return_elsewhere', error };
}

async function release<Req>(
  kit: FlowKit<Req>,
  visit: Visit<Req>,
  leased: Held,
  handover: Handover,
): Promise<Arrival> {
  const { record } = leased;
  const result = openResult(visit.secret, leased);
  const outcome = await succeed(kit, visit, record, result);
  if (outcome.kind !== 'done') return await unwind(kit, visit.state, leased, outcome);
  const redirect = outcome.redirectTo === undefined ? {} : { redirectTo: outcome.redirectTo };
  try {
    const kept = await within(kit.hookTimeout, () => handover.keep(result));
    await handover.commit(result, kept);
  } catch (cause) {
    const error = cause instanceof IdentityError ? cause : hookError(cause);
    // The hook has run: the next try only has to keep.
    await writeUnderLease(kit, visit.state, leased, (it) => ({ ...it, ...redirect, hookDone: true }));
    await report(kit, 'return_hook_failed', error, aboutFlow(leased));
    return { occasion: 'return_hook_failed', error };
  }
  return await close(kit, visit.state, { ...leased, record: { ...record, ...redirect } });
}

/** The last write: what was released is erased here. Where it is lost, the session knows that only this is missing. */
async function close<Req>(kit: FlowKit<Req>, state: string, held: Held): Promise<Arrival> {
  const { redirectTo } = held.record;
  const written = await writeUnderLease(kit, state, held, ({ result: _erased, ...record }) => ({
    ...record,
    ...(redirectTo !== undefined && { redirectTo }),
    status: life.confirmed.to,
  }));
  if (written !== undefined) announce(kit, 'confirmed', { flow: held.id, request: held.record.request });
  return { occasion: 'confirmed', location: destination(kit, held.record) };
}

async function succeed<Req>(
  kit: FlowKit<Req>,
  { req }: Visit<Req>,
  { origin, context, hookDone }: FlowRecord,
  result: FlowResult,
): Promise<HookOutcome> {
  const { onSuccess } = kit.hooks;
  if (onSuccess === undefined || hookDone) return { kind: 'done' };
  return await runHook(kit.hookTimeout, origin, (signal) => onSuccess({ req, result, context, signal }));
}

async function unwind<Req>(
  kit: FlowKit<Req>,
  state: string,
  leased: Held,
  outcome: HookOutcome & { error: IdentityError },
): Promise<Arrival> {
  const { error } = outcome;
  const refused = outcome.kind === 'refused';
  const occasion = refused ? 'return_hook_refused' : 'return_hook_failed';
  await writeUnderLease(kit, state, leased, (record) => (refused ? end(record) : record));
  const asked = await report(kit, occasion, error, aboutFlow(leased));
  if (!refused) return { occasion, error };
  const to = asked ?? outcome.redirectTo ?? errorAddress(kit, error.code);
  return { occasion, error, location: `${leased.record.origin}${to}` };
}

/** A refusal is final: neither the code nor what it opened is left. */
function end({ result: _result, code: _code, ...record }: FlowRecord): FlowRecord {
  return { ...record, status: life.return_hook_refused.to };
}

function openResult(secret: string, { id, record }: Held): FlowResult {
  const result = JSON.parse(openSure(resultKey(secret), id, record.result)) as FlowResult;
  return {
    ...result,
    verifiedAt: new Date(result.verifiedAt),
    attributes: redacted(result.attributes),
    derived: redacted(result.derived),
  };
}

function destination<Req>(kit: FlowKit<Req>, { origin, redirectTo, returnTo, request }: FlowRecord): string {
  return `${origin}${redirectTo ?? returnTo ?? kit.successRedirectOf(request)}`;
}

function aboutFlow({
  id,
  record,
}: Held): { flow: string } & Pick<FlowRecord, 'request' | 'origin' | 'context'> {
  const { request, origin, context } = record;
  return { flow: id, request, origin, ...(context !== undefined && { context }) };
}
