import type { Jwk } from '../../types/trust.js';
import { isObject } from '../jose/decode.js';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { enforce } from '../jose/enforce.js';
import { fits } from '../jose/jws.js';

/** The members of a public key by type. Only these are imported. */
const members: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
  ['RSA', ['n', 'e']],
]);

const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** A public key without the other members of its JWK, except the kid and the algorithm that it is limited to. */
export interface PublicJwk {
  readonly jwk: Jwk;
  readonly kid: unknown;
  readonly alg: unknown;
}

/**
 * The smallest RSA exponent of a key that somebody else chose. In a key of the operator's own configuration, 3 is
 * accepted too: a legacy value that an attacker did not choose (K17).
 */
const usualExponent = 65_537;
export const configuredExponent = 3;

/** Reads a JWK that checks signatures, or returns what the value is instead. */
export function publicJwk(value: unknown, minExponent = usualExponent): PublicJwk | string {
  if (!isObject(value) || typeof value['kty'] !== 'string') return 'not a JWK';
  const { kty, kid, alg, use = 'sig', key_ops: uses = ['verify'] } = value;
  if (kty === 'oct') return 'symmetric';
  if (secret.some((name) => Object.hasOwn(value, name))) return 'private';
  const names = members.get(kty) ?? [];
  const isKnown = kty === 'RSA' || (names.length > 0 && sizes.has(value['crv']));
  const isForSignatures = use === 'sig' && Array.isArray(uses) && uses.includes('verify');
  if (!isKnown || !isForSignatures || names.some((name) => typeof value[name] !== 'string')) {
    return 'not a public signature key';
  }
  const jwk: Jwk = { ...Object.fromEntries(names.map((name) => [name, value[name]])), kty };
  if (!hasRightSizes(jwk, minExponent)) return 'a key with members of a wrong size';
  return kty === 'OKP' && isOfSmallOrder(jwk['x']) ? 'a point of small order' : { jwk, kid, alg };
}

/**
 * The y coordinates of the eight points of Ed25519 whose order divides the cofactor, in every encoding (RFC 8032,
 * section 5.1.3, reads y modulo p). Under such a key one signature fits every message, and nobody needs a private key.
 */
const smallOrders: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

/** The highest bit of the last byte is the sign of the other coordinate. */
function isOfSmallOrder(x: unknown): boolean {
  const y = Buffer.from(String(x), 'base64url');
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31);
  return smallOrders.includes(y.toString('hex'));
}

/** The bytes of a coordinate by curve (RFC 7518, section 6.2.1.2; RFC 8037, section 2). */
const sizes: ReadonlyMap<unknown, number> = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
  ['Ed25519', 32],
]);

/** Returns false for a coordinate that is padded or of another size, and for an unsafe RSA exponent (K17). */
function hasRightSizes({ kty, crv, x, y = x, e }: Jwk, minExponent: number): boolean {
  if (kty === 'RSA') return isSafeExponent(BigInt(`0x${bytesOf(e)?.toString('hex') ?? 0}`), minExponent);
  return [x, y].every((coordinate) => bytesOf(coordinate)?.length === sizes.get(crv));
}

/** Returns the bytes of canonical base64url, or undefined for another spelling. */
function bytesOf(member: unknown): Buffer | undefined {
  const bytes = Buffer.from(String(member), 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === member ? bytes : undefined;
}

/** Returns true for an odd RSA exponent within bounds: a small one helps to forge, a large one costs time (K17). */
export const isSafeExponent = (exponent = BigInt(usualExponent), least = usualExponent): boolean =>
  exponent % 2n === 1n && exponent >= least && exponent <= 2n ** 32n;

/** Returns a public key for an algorithm that it fits, imported at most once. */
export type IssuerKey = (alg: string) => KeyObject;

export function issuerKey({ jwk, alg: limitedTo }: PublicJwk, imported?: KeyObject): IssuerKey {
  return (alg) => {
    const isFit = fits(jwk, alg) && (limitedTo === undefined || limitedTo === alg);
    enforce('H02', isFit, "The header's alg does not fit the issuer's key.");
    imported ??= importPublic(jwk);
    enforce('K15', imported !== undefined, "The issuer's key cannot be imported.");
    return imported;
  };
}

const minRsaBits = 2048;

/** Returns undefined for a JWK off its curve, or an RSA key that is too short (RFC 7518, section 3.3). */
export function importPublic(jwk: Jwk): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? minRsaBits;
    return bits < minRsaBits ? undefined : key;
  } catch {
    return undefined;
  }
}
