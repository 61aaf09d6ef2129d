import type { PlainCertificate } from './certificate.js';

/** Checks names and key identifiers by OpenSSL's rules, and the signature (K03, K08). */
export function isIssuedBy({ x509 }: PlainCertificate, issuer: PlainCertificate): boolean {
  return x509.checkIssued(issuer.x509) && x509.verify(issuer.key);
}
