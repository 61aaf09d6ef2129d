import { createECDH, createHmac, type ECDH } from 'node:crypto';
import type { Way } from '../../types/ways.js';

const curve = 'prime256v1';

/** The order of P-256 (SEC 2, section 2.4.2). */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** So much more than the order that the remainder has no bias (FIPS 186-5, A.2.1). */
const keyBytes = 48;

/**
 * The key that the answers of one way are closed for, from the flow's random bytes: each way has its own, and once the bytes
 * are erased nobody can make one of them again.
 */
export function answerKey(bytes: string, way: Way): ECDH {
  const key = createECDH(curve);
  key.setPrivateKey(scalarOf(bytes, way), 'hex');
  return key;
}

/** Makes public halves, one after the other: to make one of these costs a request as much as the half itself. */
const halves = createECDH(curve);

/** The public half, for the `client_metadata` of a request. */
export function publicJwk(bytes: string, way: Way, kid: string) {
  halves.setPrivateKey(scalarOf(bytes, way), 'hex');
  const point = halves.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  return { kty: 'EC', crv: 'P-256', x, y, kid, use: 'enc', alg: 'ECDH-ES' };
}

function scalarOf(bytes: string, way: Way): string {
  // The bytes are random and as long as a key: one HMAC is all that has to be done with them.
  const hmac = createHmac('sha512', Buffer.from(bytes, 'base64url')).update(`pidgate/2 answer ${way}`);
  const seed = hmac.digest('hex').slice(0, 2 * keyBytes);
  const scalar = (BigInt(`0x${seed}`) % (order - 1n)) + 1n;
  return scalar.toString(16).padStart(64, '0');
}
