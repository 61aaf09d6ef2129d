import { X509Certificate } from 'node:crypto';
import { checkFailed } from '../token/check-failed.js';
import type { Chain, PlainCertificate } from './certificate.js';

const mostCertificates = 6;
const longestCertificate = 16 * 1024;

/** Reads the certificates of a header's x5c, leaf first, as far as Node parses them (RFC 7515, section 4.1.6; K01). */
export function readX5c(x5c: unknown): Chain {
  if (!Array.isArray(x5c) || x5c.length === 0) throw checkFailed('K01', 'x5c is not a list of certificates.');
  if (x5c.length > mostCertificates) {
    throw checkFailed('K01', `x5c has more than ${mostCertificates} certificates.`);
  }
  return x5c.map(readDer) as [PlainCertificate, ...PlainCertificate[]];
}

function readDer(text: unknown, index: number): PlainCertificate {
  if (typeof text !== 'string' || text.length > longestCertificate) {
    throw checkFailed('K01', `x5c[${index}] is not a string of at most ${longestCertificate} characters.`);
  }
  const der = Buffer.from(text, 'base64');
  if (der.toString('base64') !== text) {
    throw checkFailed('K01', `x5c[${index}] is not standard base64: no PEM, no base64url, no spaces.`);
  }
  const certificate = parse(der);
  // Node reads PEM too, and does not mind what follows a certificate.
  if (certificate?.x509.raw.equals(der)) return certificate;
  throw checkFailed('K01', `x5c[${index}] is not one certificate in DER with a known kind of key.`);
}

function parse(der: Buffer): PlainCertificate | undefined {
  try {
    const x509 = new X509Certificate(der);
    return { x509, key: x509.publicKey };
  } catch {
    return undefined;
  }
}
