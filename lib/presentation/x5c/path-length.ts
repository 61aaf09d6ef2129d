import { refusal } from '../token/check-failed.js';
import type { Anchor } from './anchors.js';
import type { Certificate } from './certificate.js';

/**
 * Counts the CAs below each CA, whether it has a key usage or not, and answers the anchors that allow so many (K07).
 * RFC 5280 would leave out a CA that certified a new key of its own; here it counts.
 */
export function judgePathLengths(
  certificates: readonly Certificate[],
  issuing: readonly [Anchor, ...Anchor[]],
): readonly Anchor[] {
  const tooLong = certificates.findIndex(({ pathLength }, at) => at - 1 > pathLength);
  if (tooLong !== -1) throw refusal('K07', `x5c[${tooLong}] has more CAs below it than its pathLen allows.`);
  const allowing = issuing.filter(({ pathLength }) => certificates.length - 1 <= pathLength);
  if (allowing.length > 0) return allowing;
  throw refusal('K07', `The anchor ${issuing[0].name} has more CAs below it than its pathLen allows.`);
}
