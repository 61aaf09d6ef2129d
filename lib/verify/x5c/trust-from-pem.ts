import type { Clock } from '../../types/json.js';
import { secondsNow } from '../jose/clock-and-fetch.js';
import { readAnchors } from './anchors.js';
import { type Anchor, parseLeafRules, statusSigners } from './signer-policy.js';
import { whyOutsideValidity } from './certificate.js';
import { certifiesAny } from './key-usage.js';

/** A trusted CA, to be compared with the one that its owner published. */
export interface TrustedCertificate {
  readonly subject: string;
  readonly validFrom: Date;
  readonly validUntil: Date;
  /** SHA-256 over the certificate. */
  readonly fingerprint: string;
}

/** Anchors that were read and checked, for `keys: { x5c }` of a trust entry. */
export interface TrustedAnchors {
  /** One PEM string for each certificate. */
  readonly anchors: readonly string[];
  readonly certificates: readonly TrustedCertificate[];
  /** A line for each certificate: subject, validity, fingerprint, and a warning if nobody below it could sign. */
  readonly description: string;
}

/** The rules for leaves are those of the trust entry, not of the PEM. These are the usual ones. */
const anyLeaf = parseLeafRules({}, 'leaf');
const anyStatusSigner = statusSigners(anyLeaf);

/**
 * Reads the CA certificates that an issuer's chains must end at, from one PEM string or several. Throws
 * `config_invalid` for a certificate that cannot be an anchor. An expired anchor is accepted and the description says
 * so: presentations below it are refused. It also says where an anchor certifies no signer of credentials, by its extended
 * key usage. Print the description when the service starts, and compare the fingerprints with those that the issuer
 * published.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { trustFromPem } from 'pidgate'
 *
 * const x5c = trustFromPem(readFileSync('pid-anchors.pem', 'utf8'))
 * console.log(x5c.description)
 * const keys = { x5c }
 * ```
 */
export function trustFromPem(
  pem: string | readonly string[],
  clock: Clock = () => new Date(),
): TrustedAnchors {
  const now = secondsNow(clock);
  const anchors = readAnchors(typeof pem === 'string' ? [pem] : pem, 'trustFromPem', anyLeaf);
  return {
    anchors: anchors.map(({ x509 }) => x509.toString()),
    certificates: anchors.map(toTrusted),
    description: anchors.map((anchor) => describe(anchor, now)).join('\n'),
  };
}

function toTrusted({ name, notBefore, notAfter, x509 }: Anchor): TrustedCertificate {
  return {
    subject: name,
    validFrom: new Date(notBefore * 1000),
    validUntil: new Date(notAfter * 1000),
    fingerprint: x509.fingerprint256,
  };
}

function describe(anchor: Anchor, now: number): string {
  const { subject, validFrom, validUntil, fingerprint } = toTrusted(anchor);
  const why = whyOutsideValidity(anchor, now);
  const parts = [
    subject,
    `valid from ${validFrom.toISOString()} until ${validUntil.toISOString()}${why === undefined ? '' : `: ${why}`}`,
    `SHA-256 ${fingerprint}`,
    ...notCertifying(anchor),
  ];
  return parts.join(' | ');
}

/** Returns a warning for an anchor below which nobody can sign credentials, unless the entry names other purposes. */
function notCertifying(anchor: Anchor): readonly string[] {
  const { purposes } = anchor;
  if (purposes === undefined || certifiesAny(anchor, anyLeaf)) return [];
  const whom = certifiesAny(anchor, anyStatusSigner) ? 'signers of status lists alone' : 'no signer';
  return [`certifies ${whom}, by its extended key usage ${purposes.join(', ')}`];
}
