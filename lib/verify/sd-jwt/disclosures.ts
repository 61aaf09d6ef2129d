import type { JsonPart } from '../jose/json.js';
import { hash } from 'node:crypto';
import { enforce } from '../jose/check-failed.js';
import { type JsonObject, readSegment } from '../jose/segment.js';
import type { TokenLimits } from '../jose/limits.js';

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

/** The Disclosures of a presentation by their digests. */
export type Disclosures = Map<string, Disclosure>;

const part: JsonPart = { name: 'A Disclosure', malformed: 'S05' };
const reserved = ['_sd', '...', '_sd_alg'];

/** Reads every Disclosure, even one that nothing refers to (RFC 9901, section 4.2; S05 to S08, S16, S21). */
export function openDisclosures(
  texts: readonly string[],
  algorithm: DigestAlgorithm,
  limits: TokenLimits,
): Disclosures {
  const disclosures: Disclosures = new Map();
  for (const text of texts) {
    const digest = algorithm.digest(text);
    enforce('S16', !disclosures.has(digest), 'A Disclosure is sent twice.');
    disclosures.set(digest, readDisclosure(readSegment(text, part, limits)));
  }
  return disclosures;
}

function readDisclosure(json: unknown): Disclosure {
  enforce(
    'S05',
    Array.isArray(json) && json.length >= 2 && json.length <= 3,
    'A Disclosure is not an array of two or three elements.',
  );
  const [salt, ...rest] = json as readonly unknown[];
  enforce('S06', typeof salt === 'string', 'The salt of a Disclosure is not a string.');
  if (rest.length === 1) return { name: undefined, value: rest[0] };
  const [name, value] = rest;
  enforce('S07', typeof name === 'string', 'The claim name of a Disclosure is not a string.');
  enforce('S08', !reserved.includes(name), 'A Disclosure has a claim name that is reserved.');
  return { name, value };
}
