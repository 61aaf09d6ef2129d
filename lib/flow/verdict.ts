import { IdentityError, isInOwnWords, kitError } from '../errors.js';
import type { Verdict, Verifier } from '../types/verifier.js';
import type { Callback } from '../service/contract.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { fromCallback } from '../service/prove/errors.js';
import { receiptFor } from '../service/receipt.js';
import type { FlowDeps, FlowResult } from './context.js';
import type { FlowRecord } from './record.js';
import type { StoredFlow } from './records.js';
import { trace, traces } from './tracing.js';

/** What a callback's body turned out to be. `open` is no verdict: the next delivery may bring one. */
export type CallbackVerdict =
  | { readonly kind: 'accepted'; readonly result: FlowResult }
  | { readonly kind: 'refused' | 'open'; readonly error: IdentityError };

/** Checks a callback against what the flow asked for. Changes nothing. */
export async function verdictOn(
  deps: FlowDeps,
  { id, record }: StoredFlow,
  callback: Callback,
): Promise<CallbackVerdict> {
  if (callback.kind === 'error') return { kind: 'refused', error: fromCallback(callback.error) };
  const verifier = deps.verifiers.get(record.issuer);
  // Started under another configuration: a process that still has it (or has it already) may check it.
  if (verifier === undefined) return { kind: 'open', error: new IdentityError('key_not_found') };
  const verify = () => verified(deps, verifier, record, callback);
  return await trace(traces.verify, verify, id, record.request);
}

async function verified(
  deps: FlowDeps,
  verifier: Verifier,
  record: FlowRecord,
  { state, presentation }: Callback & { kind: 'presentation' },
): Promise<CallbackVerdict> {
  const { issuer, reveal, derived, variant, startedAt } = record;
  const expected = { issuer, state, reveal, derived, variant, startedAt: new Date(startedAt) };
  try {
    const verdict = await deps.verifying.run(
      async () => await withTimeout(deps.verifyTimeout, () => verifier(presentation, expected)),
    );
    if (!verdict.valid) return refusal(verdict);
    const { attributes, derived: answers } = verdict;
    const result = {
      request: record.request,
      issuer,
      sandbox: deps.isSandbox(issuer),
      verifiedAt: deps.clock(),
      attributes,
      derived: answers,
      receipt: receiptFor(state, presentation),
    };
    deps.log.accepted(record.request);
    return { kind: 'accepted', result };
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'busy') throw error;
    if (error instanceof IdentityError) return { kind: 'open', error };
    if (error instanceof TimeoutError) return { kind: 'open', error: new IdentityError('verify_timeout') };
    const details = { message: 'A function of the trust configuration threw.', cause: error };
    return { kind: 'open', error: kitError('hook_failed', details) };
  }
}

function refusal(verdict: Verdict & { valid: false }): CallbackVerdict {
  const { code = 'presentation_invalid', check, reason } = verdict;
  const details = check === undefined ? { message: reason } : { check, message: `${check}: ${reason}` };
  const error = isInOwnWords(verdict) ? kitError(code, details) : new IdentityError(code, details);
  return { kind: error.retryable ? 'open' : 'refused', error };
}
