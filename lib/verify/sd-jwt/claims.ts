import type { DigestAlgorithm, Disclosure, Disclosures } from './disclosures.js';
import type { TokenLimits } from '../jose/limits.js';
import { enforce } from '../jose/check-failed.js';
import { isObject, type JsonObject } from '../jose/segment.js';

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
  limits: TokenLimits,
): JsonObject {
  const unused = new Map(disclosures);
  const seen = new Set<string>();
  const { _sd_alg: _, ...signed } = payload;
  const claims = openObject(signed, 1, true, false);
  enforce('S17', unused.size === 0, 'A Disclosure is sent that nothing refers to.');
  return claims;

  function openValue(value: unknown, depth: number, inTheOpen: boolean): unknown {
    if (typeof value !== 'object' || value === null) return value;
    enforce('P08', depth < limits.depth, 'The claims are nested too deep.');
    return isObject(value)
      ? openObject(value, depth + 1, false, inTheOpen)
      : openArray(value as readonly unknown[], depth + 1, inTheOpen);
  }

  function openObject(object: JsonObject, depth: number, isTop: boolean, inTheOpen: boolean): JsonObject {
    const opened = Object.create(null) as Record<string, unknown>;
    const keepsOpen = (name: string) => inTheOpen || (isTop && neverDisclosed.includes(name));
    for (const name of Object.keys(object)) {
      if (name === '_sd') continue;
      enforce('S04', name !== '_sd_alg', '_sd_alg stands below the top level.');
      enforce('S13', name !== '...', 'An object has a member with the reserved name "...".');
      opened[name] = openValue(object[name], depth, keepsOpen(name));
    }
    for (const digest of digestsOf(object)) {
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      const { name, value } = disclosure;
      enforce('S14', name !== undefined, 'A Disclosure of an array element stands in an object.');
      enforce('S09', !(name in opened), 'A Disclosure has the name of another claim beside it.');
      enforce('S25', !keepsOpen(name), 'A claim that must stand in the open is in a Disclosure.');
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
      enforce(
        'S12',
        Object.keys(element).length === 1 && typeof digest === 'string',
        'The placeholder of an array element is malformed.',
      );
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      enforce('S14', disclosure.name === undefined, 'A Disclosure of an object member stands in an array.');
      opened.push(openValue(disclosure.value, depth, false));
    }
    return opened;
  }

  /** Returns the Disclosure for a digest, or undefined for a decoy or a claim that the holder did not disclose (S19). */
  function take(digest: string, inTheOpen: boolean): Disclosure | undefined {
    enforce('S11', digest.length === algorithm.length, 'A digest does not have the right length.');
    enforce('S15', !seen.has(digest), 'A digest stands in the credential twice.');
    seen.add(digest);
    const disclosure = unused.get(digest);
    if (disclosure === undefined) return undefined;
    enforce('S25', !inTheOpen, 'Part of a claim that must stand in the open is in a Disclosure.');
    unused.delete(digest);
    return disclosure;
  }
}

function digestsOf(object: JsonObject): readonly string[] {
  const { _sd: digests = [] } = object;
  enforce(
    'S10',
    Array.isArray(digests) && digests.every((digest) => typeof digest === 'string'),
    '_sd is not an array of strings.',
  );
  return digests;
}
