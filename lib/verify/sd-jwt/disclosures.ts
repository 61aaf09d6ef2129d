import { hash } from 'node:crypto';
import {
  isObject,
  type JsonObject,
  type JsonPart,
  type Reading,
  readSegment,
  type TokenLimits,
} from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { compactText, type Jws, splitJws } from '../jose/jws.js';

/** The parts of an SD-JWT or SD-JWT+KB (RFC 9901, section 4), not decoded yet. */
export interface SdJwtParts {
  readonly issuerSigned: Jws;
  readonly disclosures: readonly string[];
  readonly keyBinding: Jws | undefined;
  /** Everything up to and including the last tilde: the input of the key binding's sd_hash. */
  readonly presented: string;
}

/** Splits a compact SD-JWT into its parts (P03 to P06, P08). */
export function splitSdJwt(presentation: unknown, limits: TokenLimits): SdJwtParts {
  const compact = compactText(presentation, limits);
  const first = compact.indexOf('~');
  enforce('P03', first !== -1, 'The presentation is not an SD-JWT: it contains no tilde.');
  const last = compact.lastIndexOf('~');
  const disclosures = first === last ? [] : compact.slice(first + 1, last).split('~', limits.disclosures + 1);
  enforce('P08', disclosures.length <= limits.disclosures, 'The presentation has too many Disclosures.');
  for (const disclosure of disclosures) {
    enforce('P05', disclosure !== '', 'The presentation has an empty part between two tildes.');
    enforce('P08', disclosure.length <= limits.disclosureLength, 'A Disclosure is too large.');
  }
  const issuerSigned = splitJws(compact.slice(0, first));
  enforce('P06', issuerSigned !== undefined, 'The issuer-signed part is not three segments.');
  const end = compact.slice(last + 1);
  const keyBinding = end === '' ? undefined : splitJws(end);
  const isBinding = end === '' || keyBinding !== undefined;
  enforce('P04', isBinding, 'After the last tilde stands something other than a key binding JWT.');
  return { issuerSigned, disclosures, keyBinding, presented: compact.slice(0, last + 1) };
}

/** Digests as the issuer wrote them, always over the ASCII of a base64url string. */
export interface DigestAlgorithm {
  /** Characters of a digest. */
  readonly length: number;
  digest(text: string): string;
}

const algorithms: ReadonlyMap<string, DigestAlgorithm> = new Map(
  Object.entries({ 'sha-256': 43, 'sha-384': 64, 'sha-512': 86 }).map(([name, length]) => {
    const nodeName = name.replace('-', '');
    return [name, { length, digest: (text: string) => hash(nodeName, text, 'base64url') }];
  }),
);

/** Returns the algorithm that `_sd_alg` specifies (RFC 9901, section 4.1.1; S01 to S03). */
export function digestAlgorithm(payload: JsonObject): DigestAlgorithm {
  const { _sd_alg: name = 'sha-256' } = payload;
  enforce('S02', typeof name === 'string', '_sd_alg is not a string.');
  const algorithm = algorithms.get(name);
  enforce('S03', algorithm !== undefined, '_sd_alg is not sha-256, sha-384 or sha-512.');
  return algorithm;
}

/** A Disclosure of an object member (with a name) or of an array element (without). */
export interface Disclosure {
  readonly name: string | undefined;
  readonly value: unknown;
}

const part: JsonPart = { name: 'A Disclosure', malformed: 'S05' };
const reserved = ['_sd', '...', '_sd_alg'];

/** Reads all Disclosures by their digests, even what nothing refers to (RFC 9901, section 4.2; S05 to S08, S16, S21). */
export function openDisclosures(
  texts: readonly string[],
  algorithm: DigestAlgorithm,
  reading: Reading,
): ReadonlyMap<string, Disclosure> {
  const disclosures = new Map<string, Disclosure>();
  for (const text of texts) {
    const digest = algorithm.digest(text);
    enforce('S16', !disclosures.has(digest), 'A Disclosure is sent twice.');
    disclosures.set(digest, readDisclosure(readSegment(text, part, reading)));
  }
  return disclosures;
}

function readDisclosure(json: unknown): Disclosure {
  const isTuple = Array.isArray(json) && (json.length === 2 || json.length === 3);
  enforce('S05', isTuple, 'A Disclosure is not an array of two or three elements.');
  const [salt, name, value] = json as readonly unknown[];
  enforce('S06', typeof salt === 'string', 'The salt of a Disclosure is not a string.');
  if (json.length === 2) return { name: undefined, value: name };
  enforce('S07', typeof name === 'string', 'The claim name of a Disclosure is not a string.');
  enforce('S08', !reserved.includes(name), 'A Disclosure has a claim name that is reserved.');
  return { name, value };
}

/** Claims that must never be in a Disclosure (SD-JWT VC, section 2.2.2.3; S25). */
const neverDisclosed = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status'];

/**
 * Returns the payload with every Disclosure in its place, without `_sd`, `_sd_alg` and placeholders (RFC 9901, section
 * 7.1, steps 3 to 5). Objects have no prototype, so that a claim named `__proto__` is a claim like any other (S22).
 */
export function disclosedClaims(
  payload: JsonObject,
  disclosures: ReadonlyMap<string, Disclosure>,
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
      enforce('S14', name !== undefined, 'A Disclosure of an array element is in an object.');
      enforce('S09', !(name in opened), 'A Disclosure has the name of a claim next to it.');
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
      const isPlaceholder = Object.keys(element).length === 1 && typeof digest === 'string';
      enforce('S12', isPlaceholder, 'The placeholder of an array element is malformed.');
      const disclosure = take(digest, inTheOpen);
      if (disclosure === undefined) continue;
      enforce('S14', disclosure.name === undefined, 'A Disclosure of an object member is in an array.');
      opened.push(openValue(disclosure.value, depth, false));
    }
    return opened;
  }

  /** Returns the Disclosure for a digest, or undefined for a decoy or a claim that the holder did not disclose (S19). */
  function take(digest: string, inTheOpen: boolean): Disclosure | undefined {
    enforce('S11', digest.length === algorithm.length, 'A digest does not have the right length.');
    enforce('S15', !seen.has(digest), 'A digest is in the credential twice.');
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
  const areStrings = Array.isArray(digests) && digests.every((digest) => typeof digest === 'string');
  enforce('S10', areStrings, '_sd is not an array of strings.');
  return digests;
}
