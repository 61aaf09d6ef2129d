import { type VerifierSettings, createVerifiers } from '../../../lib/verify/verifiers.js';
import type { Trust, SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected, Verdict } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { type Mint, audience, clock, issuerKeys, mint, vct } from '../../support/verify/issuer.js';
import { isSentence } from '../../support/verify/verdicts.js';

export const state = 'state-of-the-flow';
export const expected: Expected = { issuer: 'de-ausweis', state, reveal: ['given_name', 'birth_date'] };

export const entry: SdJwtVcTrust = {
  format: 'sd-jwt-vc',
  keys: { jwks: { keys: [issuerKeys.jwk] } },
  vct: [vct],
  keyBinding: { nonce: 'state-sha256', audience },
};

export const trustIn = (change: Partial<SdJwtVcTrust> = {}): Trust => ({
  'de-ausweis': { ...entry, ...change },
});

/** A presentation for the flow with this state: good, but for what the caller changes. */
export function present(change: Mint = {}, forState = state): string {
  return mint({ binding: { payload: { nonce: nonceOf(forState) } }, ...change });
}

/** The verdict on a presentation by a trust of one entry. */
export async function judge(
  presentation: unknown,
  trust: Trust = trustIn(),
  change: Partial<Expected> = {},
  settings: VerifierSettings = {},
): Promise<Verdict> {
  const verifier = createVerifiers(trust, { clock, ...settings }).get('de-ausweis');
  if (verifier === undefined) throw new Error('There is no verifier.');
  return await verifier(presentation as string, { ...expected, ...change });
}

/** `valid`, or the code and the number of the check that refused. */
export function inShort(verdict: Verdict): string {
  if (verdict.valid) return 'valid';
  if (!isSentence(verdict.reason)) throw new Error('A refusal must say why.');
  return `${verdict.code ?? ''} ${verdict.check ?? ''}`;
}
