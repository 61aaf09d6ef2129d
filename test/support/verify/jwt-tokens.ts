import type { JwtTrust, Trust } from '../../../lib/types/trust.js';
import { nonceOf } from '../../../lib/service/receipt.js';
import { type Change, type KeyPair, audience, iss, issuerKeys, nowSeconds, patch } from './issuer.js';
import { signJws } from './issuer.js';
import { checkOf, state } from './verdicts.js';

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

export const jwtTrust = (change: object = {}): Trust => ({
  'de-ausweis': { ...jwtEntry, ...(change as Partial<JwtTrust>) },
});

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

/** `valid`, or the check that refused this token. */
export const checkOfJwt = (token: unknown, trust: object = {}, asked: object = {}): Promise<string> =>
  checkOf(token, jwtTrust(trust), asked);

/** The same of a token with these claims. */
export const checkOfClaims = (payload: Change, trust: object = {}): Promise<string> =>
  checkOfJwt(signResult(payload), trust);
