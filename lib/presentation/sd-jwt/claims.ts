import type { DigestAlgorithm, Disclosure, Disclosures } from './disclosures.js';
import type { Limits } from '../token/limits.js';
import { checkFailed } from '../token/check-failed.js';
import { isObject, type JsonObject } from '../token/segment.js';

/** Claims that must never be in a Disclosure (SD-JWT VC, section 2.2.2.3; S25). */
const neverDisclosed = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status'];

/**
 * Returns the payload with every Disclosure in its place, without `_sd`, `_sd_alg` and placeholders (RFC 9901, section
 * 7.1, steps 3 to 5). Objects have no prototype, so that a claim named `__proto__` is a claim like any other (S22).
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
  if (unused.size > 0) throw checkFailed('S17', 'A Disclosure is sent that nothing refers to.');
  return claims;

  function openValue(value: unknown, depth: number, inTheOpen: boolean): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= limits.depth) throw checkFailed('P08', 'The claims are nested too deep.');
    return isObject(value)
      ? openObject(value, depth + 1, false, inTheOpen)
      : openArray(value as readonly unknown[], depth + 1, inTheOpen);
  }

  function openObject(object: JsonObject, depth: number, isTop: boolean, inTheOpen: boolean): JsonObject {
    const opened = Object.create(null) as Record<string, unknown>;
    const keepsOpen = (name: string) => inTheOpen || (isTop && neverDisclosed.includes(name));
    for (const name of Object.keys(object)) {
      if (name === '_sd') continue;
      if (name === '_sd_alg') throw checkFailed('S04', '_sd_alg stands below the top level.');
      if (name === '...') throw checkFailed('S13', 'An object has a member with the reserved name "...".');
      opened[name] = openValue(object[name], depth, keepsOpen(name));
    }
    for (const digest of digestsOf(object)) {
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      const { name, value } = disclosure;
      if (name === undefined)
        throw checkFailed('S14', 'A Disclosure of an array element stands in an object.');
      if (name in opened) throw checkFailed('S09', 'A Disclosure has the name of another claim beside it.');
      if (keepsOpen(name))
        throw checkFailed('S25', 'A claim that must stand in the open is in a Disclosure.');
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
        throw checkFailed('S12', 'The placeholder of an array element is malformed.');
      }
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      if (disclosure.name !== undefined) {
        throw checkFailed('S14', 'A Disclosure of an object member stands in an array.');
      }
      opened.push(openValue(disclosure.value, depth, false));
    }
    return opened;
  }

  /** Returns the Disclosure for a digest, or undefined for a decoy or a claim that the holder did not disclose (S19). */
  function take(digest: string, inTheOpen: boolean): Disclosure | undefined {
    if (digest.length !== algorithm.length)
      throw checkFailed('S11', 'A digest does not have the right length.');
    if (seen.has(digest)) throw checkFailed('S15', 'A digest stands in the credential twice.');
    seen.add(digest);
    const disclosure = unused.get(digest);
    if (disclosure === undefined) return undefined;
    if (inTheOpen)
      throw checkFailed('S25', 'Part of a claim that must stand in the open is in a Disclosure.');
    unused.delete(digest);
    return disclosure;
  }
}

function digestsOf(object: JsonObject): readonly string[] {
  const { _sd: digests = [] } = object;
  if (Array.isArray(digests) && digests.every((digest) => typeof digest === 'string')) return digests;
  throw checkFailed('S10', '_sd is not an array of strings.');
}
