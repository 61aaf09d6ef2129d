import { constants, type KeyObject, verify, type VerifyKeyObjectInput } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import { stringList } from '../../internal/validate.js';
import type { Jwk } from '../../types/trust.js';
import type { CheckNumber } from '../checks.js';
import {
  decodeSegment,
  isOneOf,
  type JsonObject,
  type Reading,
  readObject,
  type TokenLimits,
} from './decode.js';
import { enforce } from './enforce.js';

/** An object of lists by the id of a query, and not the general JSON serialization of a JWS. */
const wholeVpToken = /^\{\s*"(?!signatures")[^"]*"\s*:\s*\[/;

/** Returns a presentation that may be a compact token of some kind (P01, P07, P12). */
export function compactText(presentation: unknown, limits: TokenLimits): string {
  enforce('P01', typeof presentation === 'string', 'The presentation is not a string.');
  enforce('P01', presentation !== '', 'The presentation is empty.');
  enforce('P01', presentation.length <= limits.length, 'The presentation is too large.');
  const isWhole = wholeVpToken.test(presentation);
  enforce('P12', !isWhole, 'The presentation is a whole vp_token: pass the one presentation inside it.');
  enforce('P07', !presentation.startsWith('{'), 'The presentation is in JSON serialization, not compact.');
  return presentation;
}

/** The three segments of a compact JWS, not decoded yet. */
export interface Jws {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** Returns the three segments of a compact JWS, or undefined if there are not exactly three. */
export function splitJws(compact: string): Jws | undefined {
  const [header, payload, signature, more] = compact.split('.', 4);
  return header && payload && signature && more === undefined ? { header, payload, signature } : undefined;
}

/** A protected header whose type and algorithm were checked. */
export interface JwsHeader {
  readonly alg: string;
  readonly typ: string;
  readonly [name: string]: unknown;
}

/** The expected header, and the numbers of the checks that fail for another one. */
export interface HeaderRules {
  readonly name: string;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  readonly checks: { readonly type: CheckNumber; readonly algorithm: CheckNumber };
}

/** A token that is decoded. Nothing in it is verified yet. */
export interface UnverifiedToken {
  readonly header: JwsHeader;
  readonly claims: JsonObject;
}

/** Decodes a JWS and checks its header (P02, P08 to P10). */
export function readJws(jws: Jws, rules: HeaderRules, reading: Reading): UnverifiedToken {
  const header = checkHeader(readObject(jws.header, rules.name, reading), rules);
  const claims = readObject(jws.payload, rules.name, reading);
  decodeSegment(jws.signature, rules.name);
  return { header, claims };
}

/** Checks a protected header. `typ` is compared exactly, while jose accepts other spellings (H01, H03, H04). */
export function checkHeader(header: JsonObject, { name, types, algorithms, checks }: HeaderRules): JwsHeader {
  const { alg, typ, crit, b64 } = header;
  const other = (listed: readonly string[]) => `that is not ${listed.join(' or ')}.`;
  enforce(checks.algorithm, isOneOf(alg, algorithms), () => `${name} has an alg ${other(algorithms)}`);
  enforce(checks.type, isOneOf(typ, types), () => `${name} has a typ ${other(types)}`);
  const isPlain = crit === undefined && b64 === undefined;
  enforce('H04', isPlain, `${name} asks for an extension that is not supported.`);
  return { ...header, alg, typ };
}

/** Refuses a JWS that the key did not sign. `alg` is a supported algorithm that fits the key. */
export async function checkSignature(
  { header, payload, signature }: Jws,
  key: KeyObject,
  alg: string,
  check: CheckNumber,
  message: string,
): Promise<void> {
  const signed = Buffer.from(`${header}.${payload}`, 'latin1');
  const isGood = await isSignedBy(key, alg, signed, Buffer.from(signature, 'base64url'));
  enforce(check, isGood, message);
}

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;
const ecdsa = { dsaEncoding: 'ieee-p1363' } as const;
const pkcs1 = { padding: RSA_PKCS1_PADDING };
const pss = { padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST };

/** How a signature is checked, and the kind of key that it needs (RFC 8725, section 3.1). */
interface Algorithm {
  readonly kind: string;
  readonly hash?: string;
  readonly options?: Omit<VerifyKeyObjectInput, 'key'>;
}

/** RFC 7518, section 3.1, RFC 8037 and RFC 9864. */
const algorithms = new Map<string, Algorithm>([
  ['ES256', { kind: 'EC P-256', hash: 'sha256', options: ecdsa }],
  ['ES384', { kind: 'EC P-384', hash: 'sha384', options: ecdsa }],
  ['ES512', { kind: 'EC P-521', hash: 'sha512', options: ecdsa }],
  ['EdDSA', { kind: 'OKP Ed25519' }],
  ['Ed25519', { kind: 'OKP Ed25519' }],
  ['PS256', { kind: 'RSA', hash: 'sha256', options: pss }],
  ['PS384', { kind: 'RSA', hash: 'sha384', options: pss }],
  ['PS512', { kind: 'RSA', hash: 'sha512', options: pss }],
  ['RS256', { kind: 'RSA', hash: 'sha256', options: pkcs1 }],
  ['RS384', { kind: 'RSA', hash: 'sha384', options: pkcs1 }],
  ['RS512', { kind: 'RSA', hash: 'sha512', options: pkcs1 }],
]);

/** Returns the signature algorithms of an option; only asymmetric ones are known. */
export function algorithmList(value: unknown, optionPath: string): readonly string[] {
  if (value === undefined) return ['ES256'];
  const names = stringList(value, optionPath);
  const unknown = names.find((name) => !algorithms.has(name));
  if (unknown === undefined) return names;
  throw configInvalid(`${optionPath} has ${unknown}; supported are ${[...algorithms.keys()].join(', ')}.`);
}

export function fits(jwk: Jwk, alg: string): boolean {
  return (jwk.kty === 'RSA' ? 'RSA' : `${jwk.kty} ${String(jwk['crv'])}`) === algorithms.get(alg)?.kind;
}

/** Checks a signature over these bytes, outside the main thread. `alg` is a supported algorithm that fits the key. */
export async function isSignedBy(
  key: KeyObject,
  alg: string,
  signed: Buffer,
  signature: Buffer,
): Promise<boolean> {
  const { hash, options } = algorithms.get(alg) as Algorithm;
  return await new Promise((resolve) => {
    verify(hash, signed, { ...options, key }, signature, (error, isGood) =>
      resolve(error === null && isGood),
    );
  });
}
