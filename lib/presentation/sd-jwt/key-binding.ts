import { confirmationKey } from './confirmation-key.js';
import type { DigestAlgorithm } from './digest-algorithm.js';
import type { Envelope } from '../token/compact.js';
import type { ExpectedBinding } from './expected-binding.js';
import { checkHeader } from '../token/header.js';
import { fits } from '../token/algorithms.js';
import { importPublic } from '../keys/issuer-key.js';
import { checkBindingTimes } from './key-binding-times.js';
import type { Limits } from '../token/limits.js';
import { checkFailed } from '../token/check-failed.js';
import { type JsonObject, decodeSegment, readObject } from '../token/segment.js';
import { checkSignature } from '../token/signature.js';

/** A key binding that passed every check except that of its signature. */
export interface CheckedKeyBinding {
  readonly claims: JsonObject;
  checkSignature(): Promise<void>;
}

interface Rules {
  readonly algorithms: readonly string[];
  readonly limits: Limits;
}

const name = 'The key binding JWT';

/** Checks the key binding (RFC 9901, section 7.3; B01 to B17) of a credential with these processed claims. */
export function checkKeyBinding(
  { keyBinding: jws, presented }: Envelope,
  credential: JsonObject,
  digests: DigestAlgorithm,
  expected: ExpectedBinding,
  rules: Rules,
  now: number,
): CheckedKeyBinding {
  if (jws === undefined) throw checkFailed('B02', 'The presentation has no key binding JWT.');
  const { alg } = checkHeader(readObject(jws.header, name, rules.limits), {
    name,
    types: ['kb+jwt'],
    algorithms: rules.algorithms,
    checks: { type: 'B03', algorithm: 'B04' },
  });
  const claims = readObject(jws.payload, name, rules.limits);
  decodeSegment(jws.signature, name);
  if (claims['nonce'] !== expected.nonce) throw checkFailed('B07', `${name} has another nonce.`);
  if (claims['aud'] !== expected.audience)
    throw checkFailed('B08', `${name} has another audience than ${expected.audience}.`);
  checkBindingTimes(claims, expected, now);
  if (claims['sd_hash'] !== digests.digest(presented)) {
    throw checkFailed('B14', `${name} was made for another presentation: its sd_hash differs.`);
  }
  if (claims['transaction_data_hashes'] !== undefined) {
    throw checkFailed('B17', `${name} signs transaction data, which nobody asked for.`);
  }
  const jwk = confirmationKey(credential, rules.algorithms);
  if (!fits(jwk, alg)) throw checkFailed('B04', `${name} has an alg that does not fit the confirmed key.`);
  return {
    claims,
    checkSignature: async () => {
      const key = importPublic(jwk);
      if (key === undefined) throw checkFailed('C11', 'cnf.jwk is not a key.');
      await checkSignature(jws, key, alg, 'B06', `${name} is not signed by the confirmed key.`);
    },
  };
}
