import type { Jwk } from '../../contracts/trust.js';
import { isObject } from '../token/segment.js';

/** The members of a public key by type. Only these are imported. */
const members: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
  ['RSA', ['n', 'e']],
]);

const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** Why a value is not a public signature key, for the operator who configured it. */
export type NotPublic = 'not a JWK' | 'private' | 'symmetric' | 'not a public signature key';

/** A public key without the other members of its JWK, except the kid and the algorithm that it is limited to. */
export interface PublicJwk {
  readonly jwk: Jwk;
  readonly kid: unknown;
  readonly alg: unknown;
}

/** Reads a JWK that checks signatures. */
export function publicJwk(value: unknown): PublicJwk | NotPublic {
  if (!isObject(value) || typeof value['kty'] !== 'string') return 'not a JWK';
  const { kty, kid, alg, use = 'sig', key_ops: uses = ['verify'] } = value;
  if (kty === 'oct') return 'symmetric';
  if (secret.some((name) => Object.hasOwn(value, name))) return 'private';
  const names = members.get(kty);
  const isForSignatures = use === 'sig' && Array.isArray(uses) && uses.includes('verify');
  if (names === undefined || !isForSignatures) return 'not a public signature key';
  const entries = names.map((name) => [name, value[name]] as const);
  if (!entries.every(([, member]) => typeof member === 'string')) return 'not a public signature key';
  return { jwk: { ...Object.fromEntries(entries), kty }, kid, alg };
}
