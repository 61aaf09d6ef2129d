import { configInvalid } from '../errors.js';
import type { Trust } from '../contracts/trust.js';
import type { Expected, Verdict } from '../contracts/verifier.js';
import { type Receipt, receiptFor } from '../protocol/receipt.js';
import { compileTrust } from './trust/compile-trust.js';
import { judgeExpected } from './trust/expected.js';
import type { Judge } from './trust/verdict.js';
import { type Seams, seamsFrom } from './token/runtime.js';
import { defaultMaxAge } from './verifiers.js';

/** A verdict, and where it is good the receipt of what was verified. */
export type VerifiedPresentation =
  (Extract<Verdict, { valid: true }> & { readonly receipt: Receipt }) | Extract<Verdict, { valid: false }>;

/** Keys are imported and fetched once for each trust object, not for each call. */
const compiled = new WeakMap<Trust, ReadonlyMap<string, Judge>>();

/**
 * Judges one presentation for what the customer stored when the flow began: for those who want no router. Never
 * throws for what came from outside; `config_invalid` for a trust or expectation that is wrong, and whatever a
 * verifier function of the trust throws. Keep one trust object: its keys are cached with it.
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
  seams?: Partial<Seams>,
): Promise<VerifiedPresentation> {
  judgeExpected(expected);
  const judge = judgesOf(trust).get(expected.issuer);
  if (judge === undefined) throw configInvalid(`trust has no entry for the issuer ${expected.issuer}.`);
  const verdict = await judge(presentation, expected, seamsFrom(seams));
  return verdict.valid ? { ...verdict, receipt: receiptFor(expected.state, presentation) } : verdict;
}

function judgesOf(trust: Trust): ReadonlyMap<string, Judge> {
  const known = compiled.get(trust);
  if (known !== undefined) return known;
  const judges = compileTrust(trust, defaultMaxAge);
  compiled.set(trust, judges);
  return judges;
}
