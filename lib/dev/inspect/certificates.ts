import { parseCertificate, subjectName } from '../../verify/x5c/certificate.js';

/** A certificate of a header, as far as it can be read. */
export type ShownCertificate =
  | {
      readonly subject: string;
      readonly issuer: string;
      readonly validFrom: string;
      readonly validUntil: string;
      readonly isCa: boolean;
      /** Object identifiers of extended key usage. */
      readonly purposes: readonly string[];
      /** SHA-256 over the certificate. */
      readonly fingerprint: string;
    }
  | 'unreadable';

/** Reads the certificates of a header's `x5c` without judging them. */
export function certificatesIn(x5c: unknown): readonly ShownCertificate[] {
  return Array.isArray(x5c) ? x5c.map(describeCertificate) : [];
}

function describeCertificate(text: unknown): ShownCertificate {
  const certificate = parseCertificate(Buffer.from(String(text), 'base64'));
  if (certificate === undefined) return 'unreadable';
  const { x509, notBefore, notAfter, isCa, purposes = [] } = certificate;
  return {
    subject: subjectName(x509),
    issuer: subjectName({ subject: x509.issuer }),
    validFrom: new Date(notBefore * 1000).toISOString(),
    validUntil: new Date(notAfter * 1000).toISOString(),
    isCa,
    purposes,
    fingerprint: x509.fingerprint256,
  };
}
