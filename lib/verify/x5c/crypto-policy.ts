import type { AsymmetricKeyDetails, KeyObject } from 'node:crypto';
import {
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
} from '@peculiar/asn1-x509';
import { isSafeExponent } from '../keys/jwk.js';
import type { Certificate } from './certificate.js';

/** ECDSA and RSA with SHA-256, SHA-384 and SHA-512: never SHA-1 or MD5. */
const signatureAlgorithms: readonly string[] = [
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
];
const rsaPss = '1.2.840.113549.1.1.10';

/** RSA-PSS specifies its hash in its parameters, and the default is SHA-1 (RFC 4055, section 3.1). */
const pssParameters: readonly string[] = [
  '3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120',
  '3034a00f300d06096086480165030402020500a11c301a06092a864886f70d010108300d06096086480165030402020500a203020130',
  '3034a00f300d06096086480165030402030500a11c301a06092a864886f70d010108300d06096086480165030402030500a203020140',
];

const curves: readonly unknown[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/**
 * Critical extensions that are checked in this room, or that limit nothing: a policy limits only together with the
 * policy constraints, which are not on this list. Key identifiers must not be critical (RFC 5280, 4.2.1.1).
 */
const understood: readonly string[] = [
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
];

/** Returns true if the certificate is signed with a strong algorithm (K08). */
export function isSoundlySigned({ signedWith: { oid, parameters } }: Certificate): boolean {
  return signatureAlgorithms.includes(oid) || (oid === rsaPss && pssParameters.includes(parameters));
}

/** Returns what is wrong with a certificate in any role (K08). `more` are critical extensions that are no harm in its. */
export function whyUnsound(
  { key, extensions }: Certificate,
  more: readonly string[] = [],
): string | undefined {
  if (!isStrong(key)) return 'has a key that is neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits';
  if (new Set(extensions.map(({ extnID }) => extnID)).size < extensions.length)
    return 'has two extensions of one kind';
  // RFC 5280 wants name constraints to be critical. They refuse here even if they are not marked so.
  const known = [...understood, ...more];
  const isLimited = extensions.some(
    ({ extnID, critical }) => extnID === id_ce_nameConstraints || (critical && !known.includes(extnID)),
  );
  return isLimited ? 'has an extension that limits its use and is not supported' : undefined;
}

/** Returns what is wrong with the exponent of an RSA key (K17). */
export function whyUnsafeExponent({ key }: Certificate, least?: number): string | undefined {
  return hasSafeExponent(key, least) ? undefined : 'has an RSA key with an unsafe exponent';
}

/** Returns true for a key of known strength and cost. A token's key must not be used before that (K08, K17). */
export function isSound(key: KeyObject): boolean {
  return isStrong(key) && hasSafeExponent(key);
}

function hasSafeExponent(key: KeyObject, least?: number): boolean {
  return isSafeExponent((key.asymmetricKeyDetails as AsymmetricKeyDetails).publicExponent, least);
}

function isStrong(key: KeyObject): boolean {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails as AsymmetricKeyDetails;
  return key.asymmetricKeyType === 'rsa'
    ? modulusLength >= 2048 && modulusLength <= 8192
    : curves.includes(namedCurve);
}
