import type { KeyObject } from 'node:crypto';
import { isSafeExponent } from '../keys/jwk.js';
import { type Certificate, extensionIds, type PlainCertificate } from './certificate.js';

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

/**
 * How keys on P-256, P-384 and P-521 begin, before their coordinates (RFC 5480). Node is not asked, because Node 20 and
 * 22 abort the process over the details of a point at infinity.
 */
const curves: readonly string[] = [
  '3059301306072a8648ce3d020106082a8648ce3d03010703420004',
  '3076301006072a8648ce3d020106052b8104002203620004',
  '30819b301006072a8648ce3d020106052b810400230381860004',
];

/** Critical extensions that are checked in this layer. Key identifiers must not be critical (RFC 5280, 4.2.1.1). */
const understood: readonly string[] = Object.values(extensionIds);

/**
 * Extensions that say which names or policies count below a CA. They refuse even where they are not marked critical, as
 * RFC 5280 wants them to be (sections 4.2.1.5, 4.2.1.10, 4.2.1.11 and 4.2.1.14): to ignore one is to allow too much.
 */
const limiting: readonly string[] = [
  '2.5.29.30', // name constraints
  '2.5.29.33', // policy mappings
  '2.5.29.36', // policy constraints
  '2.5.29.54', // inhibit anyPolicy
];

export const isSoundlySigned = ({ signedWith: { oid, parameters } }: Certificate): boolean =>
  signatureAlgorithms.includes(oid) || (oid === rsaPss && pssParameters.includes(parameters));

/** Returns what is wrong with a certificate in any role (K08). `more` are critical extensions that are no harm in its. */
export function whyUnsound(certificate: Certificate, more: readonly string[] = []): string | undefined {
  if (!isStrong(certificate)) {
    return 'has a key that is neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits';
  }
  const { extensions } = certificate;
  if (new Set(extensions.map(({ id }) => id)).size < extensions.length)
    return 'has two extensions of one kind';
  const known = [...understood, ...more];
  const isLimited = extensions.some(
    ({ id, critical }) => limiting.includes(id) || (critical && !known.includes(id)),
  );
  return isLimited ? 'has an extension that limits its use and is not supported' : undefined;
}

/** Returns what is wrong with the exponent of an RSA key (K17). */
export function whyUnsafeExponent({ key }: PlainCertificate, minExponent?: number): string | undefined {
  const exponent = isRsa(key) ? key.asymmetricKeyDetails?.publicExponent : undefined;
  return isSafeExponent(exponent, minExponent) ? undefined : 'has an RSA key with an unsafe exponent';
}

/** Returns true for a key of known strength and cost. A token's key must not be used before that (K08, K17). */
export const hasSoundKey = (certificate: PlainCertificate): boolean =>
  isStrong(certificate) && whyUnsafeExponent(certificate) === undefined;

function isStrong({ key, parts }: PlainCertificate): boolean {
  const { modulusLength = 0 } = (isRsa(key) && key.asymmetricKeyDetails) || {};
  const isCurve = curves.some((start) => parts.key.indexOf(start, 0, 'hex') === 0);
  return isCurve || (modulusLength >= 2048 && modulusLength <= 8192);
}

const isRsa = ({ asymmetricKeyType: type }: KeyObject): boolean => type === 'rsa';
