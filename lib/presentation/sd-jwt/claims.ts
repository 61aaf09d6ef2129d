import type { DigestAlgorithm } from './digest-algorithm.js';
import type { Disclosure, Disclosures } from './disclosures.js';
import type { Limits } from '../token/limits.js';
import { refusal } from '../token/check-failed.js';
import { type JsonObject, isObject } from '../token/segment.js';

/** Claims that the issuer must sign in the open (SD-JWT VC, section 2.2.2.3; S25). */
const neverDisclosed = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status'];

/**
 * The payload with every Disclosure in its place and nothing of the machinery left (RFC 9901, section 7.1, steps 3
 * to 5). Objects have no prototype and are filled by plain definition, so no claim name means more than itself (S22).
 */
export function disclosedClaims(
  payload: JsonObject,
  disclosures: Disclosures,
  algorithm: DigestAlgorithm,
  limits: Limits,
): JsonObject {
  const unused = new Map(disclosures);
  const seen = new Set<string>();
  const { _sd_alg: _, ...signed } = payload;
  const claims = openObject(signed, 1, true, false);
  if (unused.size > 0) throw refusal('S17', 'A Disclosure is sent that nothing refers to.');
  return claims;

  function openValue(value: unknown, depth: number, inTheOpen: boolean): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= limits.depth) throw refusal('P08', 'The claims are nested too deep.');
    return isObject(value)
      ? openObject(value, depth + 1, false, inTheOpen)
      : openArray(value as readonly unknown[], depth + 1, inTheOpen);
  }

  function openObject(object: JsonObject, depth: number, isTop: boolean, inTheOpen: boolean): JsonObject {
    const opened = Object.create(null) as Record<string, unknown>;
    const keepsOpen = (name: string) => inTheOpen || (isTop && neverDisclosed.includes(name));
    for (const name of Object.keys(object)) {
      if (name === '_sd') continue;
      if (name === '_sd_alg') throw refusal('S04', '_sd_alg stands below the top level.');
      if (name === '...') throw refusal('S13', 'An object has a member with the reserved name "...".');
      opened[name] = openValue(object[name], depth, keepsOpen(name));
    }
    for (const digest of digestsOf(object)) {
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      const { name, value } = disclosure;
      if (name === undefined) throw refusal('S14', 'A Disclosure of an array element stands in an object.');
      if (name in opened) throw refusal('S09', 'A Disclosure has the name of another claim beside it.');
      if (keepsOpen(name)) throw refusal('S25', 'A claim that must stand in the open is in a Disclosure.');
      opened[name] = openValue(value, depth, false);
    }
    return opened;
  }

  function openArray(array: readonly unknown[], depth: number, inTheOpen: boolean): readonly unknown[] {
    const opened: unknown[] = [];
    for (const element of array) {
      if (!isObject(element) || !Object.hasOwn(element, '...')) {
        opened.push(openValue(element, depth, inTheOpen));
        continue;
      }
      const digest = element['...'];
      if (Object.keys(element).length !== 1 || typeof digest !== 'string') {
        throw refusal('S12', 'The placeholder of an array element is malformed.');
      }
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      if (disclosure.name !== undefined) {
        throw refusal('S14', 'A Disclosure of an object member stands in an array.');
      }
      opened.push(openValue(disclosure.value, depth, false));
    }
    return opened;
  }

  /** The Disclosure for a digest; undefined for a decoy or for what the holder keeps back (S19). */
  function take(digest: string, inTheOpen: boolean): Disclosure | undefined {
    if (digest.length !== algorithm.length) throw refusal('S11', 'A digest does not have the right length.');
    if (seen.has(digest)) throw refusal('S15', 'A digest stands in the credential twice.');
    seen.add(digest);
    const disclosure = unused.get(digest);
    if (disclosure === undefined) return undefined;
    if (inTheOpen) throw refusal('S25', 'Part of a claim that must stand in the open is in a Disclosure.');
    unused.delete(digest);
    return disclosure;
  }
}

function digestsOf(object: JsonObject): readonly string[] {
  const { _sd: digests = [] } = object;
  if (Array.isArray(digests) && digests.every((digest) => typeof digest === 'string')) return digests;
  throw refusal('S10', '_sd is not an array of strings.');
}
