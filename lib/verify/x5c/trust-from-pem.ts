import { readPem } from '../../internal/pem.js';
import { sha256 } from '../../internal/sha256.js';
import { nonEmptyString } from '../../internal/validate.js';
import type { Clock } from '../../types/json.js';
import { secondsNow } from '../jose/clock.js';
import { readAnchors } from './anchors.js';
import { parseX509, whyOutsideValidity } from './certificate.js';
import { type Anchor, certifiesAny, parseLeafRules, statusSigners } from './signer-policy.js';

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

/** The usual rules for leaves: those that count are the trust entry's. */
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
  const validity = `valid from ${validFrom.toISOString()} until ${validUntil.toISOString()}`;
  const parts = [subject, why === undefined ? validity : `${validity}: ${why}`, `SHA-256 ${fingerprint}`];
  // Nobody below such an anchor can sign credentials, unless the entry names other purposes.
  if (anchor.purposes !== undefined && !certifiesAny(anchor, anyLeaf)) {
    const whom = certifiesAny(anchor, anyStatusSigner) ? 'signers of status lists alone' : 'no signer';
    parts.push(`certifies ${whom}, by its extended key usage ${anchor.purposes.join(', ')}`);
  }
  return parts.join(' | ');
}

/**
 * Returns the client id `x509_hash:…` of a service with this access certificate, the first in the PEM (OpenID4VP 1.0,
 * section 5.9.3). The id changes with every renewal, so a trust entry takes the old and the new one in `keyBinding.audience`.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { x509HashClientId } from 'pidgate'
 *
 * const audience = ['2026', '2027'].map((year) => x509HashClientId(readFileSync(`access-${year}.pem`, 'utf8')))
 * ```
 */
export function x509HashClientId(pem: string): string {
  const place = 'x509HashClientId';
  const [certificate] = readPem(nonEmptyString(pem, place), place, parseX509);
  return `x509_hash:${sha256(certificate.x509.raw)}`;
}
