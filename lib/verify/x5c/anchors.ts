import { configInvalid } from '../../errors.js';
import { list, nonEmptyString } from '../../internal/validate.js';
import type { Runtime } from '../jose/clock.js';
import { configuredExponent } from '../keys/jwk.js';
import { type Certificate, readCertificatesIn, subjectName } from './certificate.js';
import { whyUnsafeExponent, whyUnsound } from './crypto-policy.js';
import { type Anchor, type LeafRules, whyNotIssuer, whyNotSigner } from './signer-policy.js';

/** Anchors by what they certify: who signs credentials, and who signs status lists. */
export interface AnchorSet {
  readonly credential: readonly Anchor[];
  readonly statusList: readonly Anchor[];
  /** End entities that a signed list names. Each signs credentials itself, and issues nothing. */
  readonly leaves: readonly Anchor[];
}

/** Where anchors come from. Those of a signed list change while the process runs. */
export interface AnchorSource {
  readonly current: (runtime: Runtime) => Promise<AnchorSet>;
  /** Returns newer anchors if there are any: for a chain that ends at none of the current ones. */
  readonly renew: (runtime: Runtime) => Promise<AnchorSet>;
  /** Identifies the anchors that count, so that what was verified with others is verified again. */
  readonly generation: () => unknown;
}

const texts = list(nonEmptyString, "must be a list of at least one text in PEM: [readFileSync('…', 'utf8')]");

/** Reads the configured anchors, each string with one certificate or several (K03, K16). */
export function readAnchors(value: unknown, optionPath: string, leaf: LeafRules): readonly Anchor[] {
  return texts(value, optionPath).flatMap((pem, index) => {
    const pemPath = `${optionPath}[${index}]`;
    return readCertificatesIn(pem, pemPath).map((certificate) => {
      const why = whyNotAnchor(certificate, configuredExponent);
      if (why === undefined) return toAnchor(certificate, leaf);
      const name = subjectName(certificate.x509);
      throw configInvalid(`${pemPath} cannot be an anchor: the certificate ${name} ${why}.`);
    });
  });
}

export function toAnchor(certificate: Certificate, leaf: LeafRules): Anchor {
  return { ...certificate, name: subjectName(certificate.x509), leaf };
}

export const whyNotAnchor = (certificate: Certificate, minExponent?: number): string | undefined =>
  whyNotIssuer(certificate) ?? whyUnsound(certificate) ?? whyUnsafeExponent(certificate, minExponent);

/** The statement that a certificate is qualified limits nothing where the certificate itself is trusted (RFC 3739). */
const qualified = ['1.3.6.1.5.5.7.1.3'];

/** Returns why an end entity that a signed list names cannot sign credentials. */
export const whyNotListedSigner = (certificate: Certificate): string | undefined =>
  whyNotSigner(certificate) ?? whyUnsound(certificate, qualified) ?? whyUnsafeExponent(certificate);
