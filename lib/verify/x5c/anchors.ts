import { X509Certificate } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import { stringList } from '../../internal/former-validate.js';
import { type Certificate, readCertificate, subjectName } from './certificate.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import type { Anchor, LeafRules } from './signer-policy.js';
import { whyNotIssuer, whyNotSigner } from './key-usage.js';
import { whyUnsafeExponent, whyUnsound } from './crypto-policy.js';
import { configuredExponent } from '../keys/jwk.js';

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

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the configured anchors, each string with one certificate or several (K03, K16). */
export function readAnchors(value: unknown, where: string, leaf: LeafRules): readonly [Anchor, ...Anchor[]] {
  const pems = stringList(value, where);
  return pems.flatMap((pem, index) => {
    const place = `${where}[${index}]`;
    return readCertificatesIn(pem, place).map((certificate) => readAnchor(certificate, place, leaf));
  }) as [Anchor, ...Anchor[]];
}

/** Reads certificates in PEM, at least one. */
export function readPem(pem: string, where: string): readonly [X509Certificate, ...X509Certificate[]] {
  const [first, ...others] = pem.match(certificateBlock) ?? [];
  if (first === undefined || others.length + 1 < pem.split('-----BEGIN').length - 1) {
    throw configInvalid(`${where} must be certificates in PEM and nothing else.`);
  }
  const read = (block: string): X509Certificate => {
    try {
      return new X509Certificate(block);
    } catch {
      throw unreadable(where);
    }
  };
  return [read(first), ...others.map(read)];
}

function readAnchor(certificate: Certificate, where: string, leaf: LeafRules): Anchor {
  const anchor = anchorOf(certificate, leaf, configuredExponent);
  if (typeof anchor !== 'string') return anchor;
  throw configInvalid(
    `${where} cannot be an anchor: the certificate ${subjectName(certificate.x509)} ${anchor}.`,
  );
}

/** Returns the anchor that a CA certificate makes, or why it cannot be one. */
export function anchorOf(certificate: Certificate, leaf: LeafRules, leastExponent?: number): Anchor | string {
  const why =
    whyNotIssuer(certificate) ?? whyUnsound(certificate) ?? whyUnsafeExponent(certificate, leastExponent);
  return why ?? { ...certificate, name: subjectName(certificate.x509), leaf };
}

/** The statement that a certificate is qualified limits nothing where the certificate itself is trusted (RFC 3739). */
const qualified = ['1.3.6.1.5.5.7.1.3'];

/** Returns the end entity that a signed list trusts as it is, or why it cannot sign credentials. */
export function leafOf(certificate: Certificate, leaf: LeafRules): Anchor | string {
  const why =
    whyNotSigner(certificate) ?? whyUnsound(certificate, qualified) ?? whyUnsafeExponent(certificate);
  return why ?? { ...certificate, name: subjectName(certificate.x509), leaf };
}

/** Reads certificates in PEM with their extensions, at least one. */
export function readCertificatesIn(pem: string, where: string): readonly Certificate[] {
  return readPem(pem, where).map((x509) => {
    const certificate = withKey(x509);
    if (certificate === undefined) throw unreadable(where);
    return certificate;
  });
}

/** Returns undefined for a key of a kind that Node does not know, and for malformed extensions. */
export function withKey(x509: X509Certificate): Certificate | undefined {
  try {
    return readCertificate({ x509, key: x509.publicKey });
  } catch {
    return undefined;
  }
}

function unreadable(where: string): Error {
  return configInvalid(`${where} has a certificate that cannot be read.`);
}
