import { configInvalid } from '../../errors.js';
import { type Loaded, remote } from '../../internal/remote.js';
import { secureUrl } from '../../internal/urls.js';
import type { Runtime } from '../jose/clock.js';
import { isObject } from '../jose/decode.js';
import { checkFailed, enforce } from '../jose/enforce.js';
import { fits } from '../jose/jws.js';
import { fetchDocument, freshFor } from './fetch-document.js';
import {
  configuredExponent,
  importPublic,
  type IssuerKey,
  issuerKey,
  type PublicJwk,
  publicJwk,
} from './jwk.js';
import type { IssuerRules, KeySource } from './key-source.js';

/** Reads the keys of a JWK set that can check signatures, in its order. Returns undefined for what is not a set. */
function readKeySet(set: unknown, onUnusable: (why: string, index: number) => void, minExponent?: number) {
  if (!isObject(set) || !Array.isArray(set['keys'])) return undefined;
  return set['keys'].flatMap((entry: unknown, index) => {
    const jwk = publicJwk(entry, minExponent);
    if (typeof jwk !== 'string') return [{ jwk, key: issuerKey(jwk) }];
    onUnusable(jwk, index);
    return [];
  });
}

type KeySet = NonNullable<ReturnType<typeof readKeySet>>;

/**
 * Returns the one key that the header's kid selects, or the only key if there is no kid (K12). Returns undefined for an
 * unknown kid, which a newer set may know.
 */
function selectKey(set: KeySet, kid: unknown): IssuerKey | undefined {
  enforce('K15', set.length > 0, 'The issuer has no key that could check a signature.');
  enforce('K12', kid === undefined || typeof kid === 'string', "The header's kid is not a string.");
  const selected = kid === undefined ? set : set.filter(({ jwk }) => jwk.kid === kid);
  enforce('K12', selected.length <= 1, 'More than one key could be meant: a kid must select exactly one.');
  return selected[0]?.key;
}

/** Finds keys in a set. A kid that is unknown may be in the newer set that `renew` returns. */
function keysIn(
  current: (runtime: Runtime) => Promise<KeySet>,
  renew: (runtime: Runtime) => Promise<KeySet>,
): KeySource {
  return async ({ header: { kid, alg } }, runtime) => {
    const key = selectKey(await current(runtime), kid) ?? selectKey(await renew(runtime), kid);
    enforce('K12', key !== undefined, "None of the issuer's keys has the kid that the header names.");
    return key(alg);
  };
}

/** The mechanism `jwks`: keys in the configuration. */
export function staticKeySet(jwks: unknown, optionPath: string, { algorithms }: IssuerRules): KeySource {
  const refuse = (index: number, why: string) => {
    throw configInvalid(`${optionPath}.keys[${index}] ${why}.`);
  };
  const set = readKeySet(jwks, (why, index) => refuse(index, `is ${why}`), configuredExponent) ?? [];
  if (set.length === 0) throw configInvalid(`${optionPath} must be { keys: [...] } with at least one key.`);
  const keys = set.map(({ jwk }) => jwk);
  for (const [index, key] of keys.entries()) {
    const why = whyNeverUsed(key, index, keys);
    if (why !== undefined) refuse(index, why);
  }
  const isUseful = ({ jwk, alg }: PublicJwk) =>
    algorithms.some((allowed) => fits(jwk, allowed) && (alg === undefined || alg === allowed));
  if (!keys.some(isUseful)) {
    const hint = 'set algorithms to what the issuer signs with';
    throw configInvalid(`${optionPath} has no key for ${algorithms.join(' or ')}: ${hint}.`);
  }
  const current = async () => set;
  return keysIn(current, current);
}

/** Returns why no token could select a key or be checked with it (K16). */
function whyNeverUsed({ jwk, kid, alg }: PublicJwk, index: number, set: readonly PublicJwk[]) {
  if (importPublic(jwk) === undefined) return 'is off its curve, or an RSA key of fewer than 2048 bits';
  if (alg !== undefined && !(typeof alg === 'string' && fits(jwk, alg))) {
    return 'is limited to an alg that it does not fit';
  }
  if (kid === undefined ? set.length > 1 : typeof kid !== 'string') {
    return 'needs a kid that is a string: a header selects it by that';
  }
  const isTaken = set.findIndex((other) => other.kid === kid) < index;
  return isTaken ? 'has the kid of another key: a kid must select exactly one' : undefined;
}

const accept = 'application/jwk-set+json, application/json';
/** What is looked up for one presentation has so many milliseconds. */
export const keyDeadlineMs = 5_000;
const bounds = { accept, deadlineMs: keyDeadlineMs, maxBytes: 256 * 1024 };
const cooldownMs = 30_000;
const unavailable = 'keys_unavailable';
/** For so long a set is kept, whatever its reply says: forged tokens of a busy minute must not be a fetch each. */
const minFreshMs = 10_000;

/** The mechanism `jwksUri`: published keys, fetched when first needed and kept while fresh (K12, K14). */
export function remoteKeySet(jwksUri: unknown, optionPath: string): KeySource {
  const url = secureUrl(jwksUri, true)?.href;
  if (url === undefined) throw configInvalid(`${optionPath} must be an https URL (http only on loopback).`);

  const load = async (runtime: Runtime): Promise<Loaded<KeySet>> => {
    const { reply, whyNot } = await fetchDocument(runtime, url, bounds);
    enforce('K14', reply !== undefined, `The issuer's keys ${whyNot}.`, unavailable);
    const value = readKeySet(parse(reply.text), () => undefined);
    enforce('K14', value !== undefined, "The issuer's keys are not a JWK set.", unavailable);
    const at = runtime.clock().getTime();
    // A set without keys is a mistake of the issuer's, and must not be kept for a day.
    const maxFreshMs = value.length === 0 ? cooldownMs : Infinity;
    const freshMs = Math.min(Math.max(freshFor(reply), minFreshMs), maxFreshMs);
    return { value, at, freshUntil: at + freshMs };
  };

  const { current, renew } = remote({ load, cooldown: cooldownMs });
  // The issuer may have rotated its keys just now, so an unknown kid causes a fetch however young the set is. After it,
  // good or failed, there is none for a while: unknown kids cost an attacker nothing.
  return keysIn(current, renew);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw checkFailed('K14', "The issuer's keys are not JSON.", unavailable);
  }
}
