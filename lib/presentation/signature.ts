import { type CryptoKey, flattenedVerify } from 'jose';
import type { IdentityError } from '../errors.js';
import type { Jws } from './envelope.js';
import { refusal } from './refusal.js';

/** Undefined where the signature is good, else the refusal: both signatures of a token are checked at once. */
export async function refuseSignature(
  jws: Jws,
  key: CryptoKey,
  alg: string,
  check: string,
  message: string,
): Promise<IdentityError | undefined> {
  const { header, payload, signature } = jws;
  try {
    await flattenedVerify({ protected: header, payload, signature }, key, { algorithms: [alg] });
    return undefined;
  } catch {
    return refusal(check, message);
  }
}
