import { X509Certificate } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import { stringList } from '../../safe/check-options.js';
import { type Certificate, readCertificate, subjectOf } from './certificate.js';
import type { Anchor, LeafRules } from './leaf.js';
import { notIssuer } from './roles.js';
import { unsafeExponent, unsoundness } from './strength.js';
import { configuredExponent } from '../keys/jwk.js';

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the configured anchors, each string with one certificate or several (K03, K16). */
export function readAnchors(value: unknown, where: string, leaf: LeafRules): readonly [Anchor, ...Anchor[]] {
  const pems = stringList(value, where);
  return pems.flatMap((pem, index) => {
    const place = `${where}[${index}]`;
    return readPem(pem, place).map((x509) => readAnchor(x509, place, leaf));
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

function readAnchor(x509: X509Certificate, where: string, leaf: LeafRules): Anchor {
  const anchor = withKey(x509);
  if (anchor === undefined) throw unreadable(where);
  const name = subjectOf(anchor.x509);
  const why = notIssuer(anchor) ?? unsoundness(anchor) ?? unsafeExponent(anchor, configuredExponent);
  if (why === undefined) return { ...anchor, name, leaf };
  throw configInvalid(`${where} cannot be an anchor: the certificate ${name} ${why}.`);
}

/** Returns undefined for a key of a kind that Node does not know. */
function withKey(x509: X509Certificate): Certificate | undefined {
  try {
    return readCertificate({ x509, key: x509.publicKey });
  } catch {
    return undefined;
  }
}

function unreadable(where: string): Error {
  return configInvalid(`${where} has a certificate that cannot be read.`);
}
