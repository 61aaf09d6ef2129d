import { KeyUsageFlags, anyExtendedKeyUsage, id_kp_clientAuth, id_kp_serverAuth } from '@peculiar/asn1-x509';
import { checkFailed } from '../token/check-failed.js';
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

/** Returns why a certificate may not sign data (K07). */
export function notSigner({ isCa, keyUsage = 0 }: Certificate): string | undefined {
  if (isCa) return 'is a CA';
  return keyUsage & KeyUsageFlags.digitalSignature ? undefined : 'may not sign (key usage)';
}

/** The purposes of a certificate that signs credentials: EU PIDs, ISO documents, documents of any kind (RFC 9336). */
const signing: readonly string[] = ['1.3.130.2.0.0.1.2', '1.0.18013.5.1.2', '1.3.6.1.5.5.7.3.36'];

/** The purposes of a relying party. PID CAs certify relying parties too, and these must never sign a PID. */
const relyingParty: readonly string[] = [
  id_kp_serverAuth,
  id_kp_clientAuth,
  '1.3.130.2.0.0.1.6',
  '1.0.18013.5.1.6',
  '1.0.23220.4.1.6',
];

/**
 * Checks the extended key usage of a path, and returns the anchors that allow the leaf's purpose (K18). A certificate
 * without extended key usage has every purpose.
 */
export function checkPurposes<Anchor extends Certificate & { readonly name: string }>(
  certificates: readonly Certificate[],
  anchors: readonly [Anchor, ...Anchor[]],
): readonly Anchor[] {
  const [leaf, ...issuers] = certificates.map(({ purposes }) => purposes);
  if (leaf?.some((purpose) => relyingParty.includes(purpose))) {
    throw checkFailed('K18', 'x5c[0] is for a relying party or TLS (extended key usage).');
  }
  let purposes = signing.filter((purpose) => leaf?.includes(purpose) ?? true);
  if (purposes.length === 0) {
    throw checkFailed('K18', 'x5c[0] is not for signing credentials (extended key usage).');
  }
  for (const [at, issuer] of issuers.entries()) {
    purposes = purposes.filter((purpose) => certifies(issuer, purpose));
    if (purposes.length === 0) {
      throw checkFailed('K18', `x5c[${at + 1}] may not certify the purpose of x5c[0] (extended key usage).`);
    }
  }
  const allowing = anchors.filter((anchor) =>
    purposes.some((purpose) => certifies(anchor.purposes, purpose)),
  );
  if (allowing.length > 0) return allowing;
  throw checkFailed(
    'K18',
    `The anchor ${anchors[0].name} may not certify the purpose of x5c[0] (extended key usage).`,
  );
}

function certifies(purposes: readonly string[] | undefined, purpose: string): boolean {
  return purposes?.some((allowed) => allowed === purpose || allowed === anyExtendedKeyUsage) ?? true;
}
