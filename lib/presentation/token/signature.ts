import type { KeyObject } from 'node:crypto';
import type { Jws } from './compact.js';
import { isSignedBy } from './algorithms.js';
import { checkFailed } from './check-failed.js';

/** Refuses a JWS that the key did not sign. `alg` is a supported algorithm that fits the key. */
export async function checkSignature(
  { header, payload, signature }: Jws,
  key: KeyObject,
  alg: string,
  check: string,
  message: string,
): Promise<void> {
  const signed = Buffer.from(`${header}.${payload}`, 'latin1');
  const isGood = await isSignedBy(key, alg, signed, Buffer.from(signature, 'base64url'));
  if (!isGood) throw checkFailed(check, message);
}
