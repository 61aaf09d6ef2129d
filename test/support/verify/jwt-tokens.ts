import type { JwtTrust, Trust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { type KeyPair, audience, iss, issuerKeys, nowSeconds, signJws } from './issuer.js';
import { inShort, judge, state } from '../../verify/trust/trusting.js';

export const jwtEntry: JwtTrust = {
  format: 'jwt',
  keys: { jwks: { keys: [issuerKeys.jwk] } },
  iss,
  audience,
  typ: 'result+jwt',
  binding: { claim: 'nonce', value: 'state-sha256' },
  claims: { given_name: ['person', 'given_name'], birth_date: ['person', 'born'] },
  derived: { nationality: { result: ['answers', 'nationality'], value: ['answers_for', 'nationality'] } },
};

export const jwtTrust = (change: Partial<JwtTrust> = {}): Trust => ({
  'de-ausweis': { ...jwtEntry, ...change },
});

type Members = Readonly<Record<string, unknown>>;
type Change = Members | ((good: Members) => unknown);

const patch = (good: Members, change: Change): unknown =>
  typeof change === 'function' ? change(good) : { ...good, ...change };

/** A result that the service signed: good, but for what the caller changes. */
export function signResult(payload: Change = {}, header: Change = {}, keys: KeyPair = issuerKeys): string {
  const claims = {
    iss,
    aud: audience,
    iat: nowSeconds - 5,
    exp: nowSeconds + 60,
    nonce: nonceOf(state),
    person: { given_name: 'Erika', born: '1964-08-12' },
    answers: { nationality: '1' },
    answers_for: { nationality: 'DE' },
  };
  return signJws(patch({ alg: keys.alg, typ: 'result+jwt' }, header), patch(claims, payload), keys);
}

/** The verdict on a token in short. */
export async function result(
  token: unknown,
  trust: Partial<JwtTrust> = {},
  change: Partial<Expected> = {},
): Promise<string> {
  return inShort(await judge(token, jwtTrust(trust), change));
}

/** The verdict on a token with these claims. */
export const claiming = async (payload: Change, trust: Partial<JwtTrust> = {}) =>
  await result(signResult(payload), trust);
