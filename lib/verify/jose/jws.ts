import type { Check } from '../checks.js';
import type { KeyObject } from 'node:crypto';
import { isSignedBy } from './algorithms.js';
import { enforce } from './check-failed.js';
import type { JsonObject } from './segment.js';

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
  readonly checks: { readonly type: Check; readonly algorithm: Check };
}

/** Checks a protected header. `typ` is compared exactly, while jose accepts other spellings (H01, H03, H04). */
export function checkHeader(header: JsonObject, rules: HeaderRules): JwsHeader {
  const { alg, typ, crit, b64 } = header;
  enforce(
    rules.checks.algorithm,
    typeof alg === 'string' && rules.algorithms.includes(alg),
    () => `${rules.name} has an alg that is not ${rules.algorithms.join(' or ')}.`,
  );
  enforce(
    rules.checks.type,
    typeof typ === 'string' && rules.types.includes(typ),
    () => `${rules.name} has a typ that is not ${rules.types.join(' or ')}.`,
  );
  enforce(
    'H04',
    crit === undefined && b64 === undefined,
    `${rules.name} asks for an extension that is not supported.`,
  );
  return { ...header, alg, typ };
}

/** Refuses a JWS that the key did not sign. `alg` is a supported algorithm that fits the key. */
export async function checkSignature(
  { header, payload, signature }: Jws,
  key: KeyObject,
  alg: string,
  check: Check,
  message: string,
): Promise<void> {
  const signed = Buffer.from(`${header}.${payload}`, 'latin1');
  const isGood = await isSignedBy(key, alg, signed, Buffer.from(signature, 'base64url'));
  enforce(check, isGood, message);
}
