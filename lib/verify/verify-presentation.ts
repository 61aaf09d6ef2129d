import { configInvalid } from '../errors.js';
import type { Trust } from '../types/trust.js';
import type { Expected, Verdict } from '../types/verifier.js';
import { type Receipt, receiptFor } from '../service/receipt.js';
import { compileTrust, defaultMaxAge } from './verifiers.js';
import { checkExpected } from './trust/expectation.js';
import type { CompiledVerifier } from './trust/verdict.js';
import { type Runtime, runtimeFrom } from './jose/clock-and-fetch.js';
import { knownOptions } from '../internal/former-validate.js';

/** A verdict; a good one has the receipt of the verified presentation. */
export type VerifiedPresentation =
  (Extract<Verdict, { valid: true }> & { readonly receipt: Receipt }) | Extract<Verdict, { valid: false }>;

const runtimeNames = ['clock', 'fetch'] as const satisfies readonly (keyof Runtime)[];

/** Keys are imported and fetched once for each trust object, not for each call. */
const compiledBefore = new WeakMap<Trust, ReadonlyMap<string, CompiledVerifier>>();

/**
 * Verifies one presentation against the values that the customer stored when the flow began, without a router. A bad
 * presentation never makes it throw. It throws `config_invalid` for a wrong trust or expectation, and whatever a
 * verifier function of the trust throws. Keep one trust object, because keys are cached with it.
 *
 * @example
 * ```ts
 * import { type Trust, verifyPresentation } from 'pidgate'
 *
 * async function givenName(presentation: string, state: string, trust: Trust) {
 *   const expected = { issuer: 'de-ausweis', state, reveal: ['given_name'] } as const
 *   const verdict = await verifyPresentation(presentation, expected, trust)
 *   return verdict.valid ? verdict.attributes.given_name : undefined
 * }
 * ```
 */
export async function verifyPresentation(
  presentation: string,
  expected: Expected,
  trust: Trust,
  runtime?: Partial<Runtime>,
): Promise<VerifiedPresentation> {
  checkExpected(expected);
  if (runtime !== undefined) knownOptions(runtime, runtimeNames, 'the runtime');
  const verify = compiledTrust(trust).get(expected.issuer);
  if (verify === undefined) throw configInvalid(`trust has no entry for the issuer ${expected.issuer}.`);
  const verdict = await verify(presentation, expected, runtimeFrom(runtime));
  return verdict.valid ? { ...verdict, receipt: receiptFor(expected.state, presentation) } : verdict;
}

function compiledTrust(trust: Trust): ReadonlyMap<string, CompiledVerifier> {
  const known = compiledBefore.get(trust);
  if (known !== undefined) return known;
  const compiled = compileTrust(trust, defaultMaxAge);
  compiledBefore.set(trust, compiled);
  return compiled;
}
