import {
  KeyUsageFlags,
  id_kp_OCSPSigning,
  id_kp_clientAuth,
  id_kp_codeSigning,
  id_kp_emailProtection,
  id_kp_serverAuth,
  id_kp_timeStamping,
} from '@peculiar/asn1-x509';
import type { Certificate } from './certificate.js';

/** Returns why a certificate may not issue others (K07). Old anchors have no key usage, which forbids nothing. */
export function notIssuer({ isCa, keyUsage, x509 }: Certificate): string | undefined {
  if (!isCa) return 'is not a CA';
  if (!x509.subject) return 'has no subject';
  if (keyUsage !== undefined && !(keyUsage & KeyUsageFlags.keyCertSign))
    return 'may not sign certificates (key usage)';
  return undefined;
}

/** An intermediate CA must have the key usage to sign certificates (RFC 5280, section 4.2.1.3). */
export function notIntermediate(certificate: Certificate): string | undefined {
  return certificate.keyUsage === undefined ? 'has no key usage' : notIssuer(certificate);
}

const otherPurposes: readonly string[] = [
  id_kp_serverAuth,
  id_kp_clientAuth,
  id_kp_codeSigning,
  id_kp_emailProtection,
  id_kp_timeStamping,
  id_kp_OCSPSigning,
];

/** Returns why a certificate may not sign credentials (K07). */
export function notSigner({ isCa, keyUsage = 0, purposes }: Certificate): string | undefined {
  if (isCa) return 'is a CA';
  if (!(keyUsage & KeyUsageFlags.digitalSignature)) return 'may not sign (key usage)';
  // No purpose is registered for credentials, so those that are for something else are all that can be told.
  if (purposes?.every((purpose) => otherPurposes.includes(purpose))) {
    return 'is for TLS, code, e-mail, time stamps or OCSP only (extended key usage)';
  }
  return undefined;
}
