import { confirmationKey } from './confirmation-key.js';
import type { DigestAlgorithm } from './digest-algorithm.js';
import type { Envelope } from '../token/compact.js';
import type { ExpectedBinding } from './expected-binding.js';
import { judgeHeader } from '../token/header.js';
import { fits } from '../token/algorithms.js';
import { importPublic } from '../keys/issuer-key.js';
import { judgeBindingTimes } from './key-binding-times.js';
import type { Limits } from '../token/limits.js';
import { refusal } from '../token/check-failed.js';
import { type JsonObject, decodeSegment, readObject } from '../token/segment.js';
import { judgeSignature } from '../token/signature.js';

/** A key binding of which all but the signature was judged. */
export interface JudgedBinding {
  readonly claims: JsonObject;
  judgeSignature(): Promise<void>;
}

interface Rules {
  readonly algorithms: readonly string[];
  readonly limits: Limits;
}

const name = 'The key binding JWT';

/** Judges the key binding (RFC 9901, section 7.3; B01 to B17) of a credential with these processed claims. */
export function judgeKeyBinding(
  { keyBinding: jws, presented }: Envelope,
  credential: JsonObject,
  digests: DigestAlgorithm,
  expected: ExpectedBinding,
  rules: Rules,
  now: number,
): JudgedBinding {
  if (jws === undefined) throw refusal('B02', 'The presentation has no key binding JWT.');
  const { alg } = judgeHeader(readObject(jws.header, name, rules.limits), {
    name,
    types: ['kb+jwt'],
    algorithms: rules.algorithms,
    checks: { type: 'B03', algorithm: 'B04' },
  });
  const claims = readObject(jws.payload, name, rules.limits);
  decodeSegment(jws.signature, name);
  if (claims['nonce'] !== expected.nonce) throw refusal('B07', `${name} has another nonce.`);
  if (claims['aud'] !== expected.audience)
    throw refusal('B08', `${name} has another audience than ${expected.audience}.`);
  judgeBindingTimes(claims, expected, now);
  if (claims['sd_hash'] !== digests.digest(presented)) {
    throw refusal('B14', `${name} was made for another presentation: its sd_hash differs.`);
  }
  if (claims['transaction_data_hashes'] !== undefined) {
    throw refusal('B17', `${name} signs transaction data, which nobody asked for.`);
  }
  const jwk = confirmationKey(credential, rules.algorithms);
  if (!fits(jwk, alg)) throw refusal('B04', `${name} has an alg that does not fit the confirmed key.`);
  return {
    claims,
    judgeSignature: async () => {
      const key = importPublic(jwk);
      if (key === undefined) throw refusal('C11', 'cnf.jwk is not a key.');
      await judgeSignature(jws, key, alg, 'B06', `${name} is not signed by the confirmed key.`);
    },
  };
}
