import { checkFailed } from '../token/check-failed.js';
import type { Anchor } from './anchors.js';
import type { Certificate } from './certificate.js';

/**
 * Counts the CAs below each CA, with or without a key usage, and returns the anchors that allow so many (K07). A CA
 * that certified a new key of its own counts too, unlike in RFC 5280.
 */
export function checkPathLengths(
  certificates: readonly Certificate[],
  issuing: readonly [Anchor, ...Anchor[]],
): readonly Anchor[] {
  const tooLong = certificates.findIndex(({ pathLength }, at) => at - 1 > pathLength);
  if (tooLong !== -1)
    throw checkFailed('K07', `x5c[${tooLong}] has more CAs below it than its pathLen allows.`);
  const allowing = issuing.filter(({ pathLength }) => certificates.length - 1 <= pathLength);
  if (allowing.length > 0) return allowing;
  throw checkFailed('K07', `The anchor ${issuing[0].name} has more CAs below it than its pathLen allows.`);
}
