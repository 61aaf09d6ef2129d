import { hash } from 'node:crypto';
import { checkFailed } from '../token/check-failed.js';
import type { JsonObject } from '../token/segment.js';

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
  if (typeof name !== 'string') throw checkFailed('S02', '_sd_alg is not a string.');
  const algorithm = algorithms.get(name);
  if (algorithm === undefined) throw checkFailed('S03', '_sd_alg is not sha-256, sha-384 or sha-512.');
  return algorithm;
}
