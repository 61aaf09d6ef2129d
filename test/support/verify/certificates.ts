import { type KeyObject, constants, createHash, sign } from 'node:crypto';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { type KeyPair, newKeyPair, now } from './issuer.js';

/** A signature algorithm as certificates name it. */
interface Signing {
  readonly oid: string;
  readonly hash: string;
  /** DER of the algorithm's parameters; null is ASN.1's NULL. */
  readonly parameters?: ArrayBuffer | null;
}

/** The parameters of RSA-PSS as OpenSSL writes them: hash, mask generation with the same hash, length of the salt. */
function pssSha2(bits: 256 | 384 | 512): Signing {
  const last = { 256: '01', 384: '02', 512: '03' }[bits];
  const hash = `300d06096086480165030402${last}0500`;
  const mask = `301a06092a864886f70d010108${hash}`;
  const salt = (bits / 8).toString(16);
  return pss(`sha${bits}`, `3034a00f${hash}a11c${mask}a2030201${salt}`);
}

function pss(hash: string, parameters: string): Signing {
  return {
    oid: '1.2.840.113549.1.1.10',
    hash,
    parameters: new Uint8Array(Buffer.from(parameters, 'hex')).buffer,
  };
}

/** Good and bad ways to sign a certificate. */
export const signings = {
  ecdsaSha256: { oid: '1.2.840.10045.4.3.2', hash: 'sha256' },
  ecdsaSha384: { oid: '1.2.840.10045.4.3.3', hash: 'sha384' },
  ecdsaSha512: { oid: '1.2.840.10045.4.3.4', hash: 'sha512' },
  ecdsaSha1: { oid: '1.2.840.10045.4.1', hash: 'sha1' },
  rsaSha256: { oid: '1.2.840.113549.1.1.11', hash: 'sha256', parameters: null },
  rsaSha384: { oid: '1.2.840.113549.1.1.12', hash: 'sha384', parameters: null },
  rsaSha512: { oid: '1.2.840.113549.1.1.13', hash: 'sha512', parameters: null },
  rsaSha1: { oid: '1.2.840.113549.1.1.5', hash: 'sha1', parameters: null },
  rsaMd5: { oid: '1.2.840.113549.1.1.4', hash: 'md5', parameters: null },
  pssSha256: pssSha2(256),
  pssSha384: pssSha2(384),
  pssSha512: pssSha2(512),
  /** What RSA-PSS means where nothing is said. */
  pssSha1: pss('sha1', '3000'),
} as const satisfies Record<string, Signing>;

/** Someone who may stand above a certificate. */
export interface Authority {
  readonly subject: string;
  readonly keys: KeyPair;
  readonly der: Buffer;
}

type Flag = keyof typeof KeyUsageFlags;

/** What a certificate says, each part of it good unless the caller changes it. */
export interface CertificatePlan {
  /** The common name; empty makes an empty name. */
  readonly subject: string;
  /** More attributes of the subject, by object identifier. */
  readonly names?: readonly (readonly [type: string, text: string])[];
  /** Default: itself. */
  readonly issuer?: Authority | undefined;
  /** In place of the issuer's own name. */
  readonly issuerName?: string;
  readonly keys?: KeyPair;
  readonly isCa?: boolean;
  readonly pathLength?: number;
  readonly keyUsage?: readonly Flag[] | 'absent';
  readonly purposes?: readonly string[];
  /** Seconds from now. */
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly signing?: Signing;
  readonly signedBy?: KeyPair;
  /** In place of the identifiers of the keys. */
  readonly authorityKeyId?: Buffer;
  readonly more?: readonly Extension[];
  /** No extension at all, as in the certificates of old. */
  readonly bare?: boolean;
  /** Changes the certificate's content before it is signed. */
  readonly tamper?: (content: Buffer) => Buffer;
  /** Whether basicConstraints and keyUsage are marked critical. */
  readonly critical?: boolean;
}

const year = 365 * 24 * 60 * 60;

/** Makes a certificate, ready to issue others. */
export function certify(plan: CertificatePlan): Authority {
  const { subject, keys = newKeyPair() } = plan;
  const issuer = plan.issuer ?? { subject, keys };
  const signing = plan.signing ?? usualSigning(issuer.keys);
  const algorithm = new AlgorithmIdentifier({
    algorithm: signing.oid,
    ...('parameters' in signing && { parameters: signing.parameters }),
  });
  const tbs = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array([1]).buffer,
    signature: algorithm,
    issuer: nameOf(plan.issuerName ?? issuer.subject),
    validity: new Validity({
      notBefore: new Date(now.getTime() + (plan.notBefore ?? -year) * 1000),
      notAfter: new Date(now.getTime() + (plan.notAfter ?? year) * 1000),
    }),
    subject: nameOf(subject, plan.names),
    subjectPublicKeyInfo: AsnConvert.parse(spki(keys.publicKey), SubjectPublicKeyInfo),
    ...(plan.bare !== true && { extensions: extensionsOf(plan, issuer.keys, keys) }),
  });
  const good = Buffer.from(AsnConvert.serialize(tbs));
  const content = plan.tamper?.(good) ?? good;
  const signature = signBytes(content, signing, (plan.signedBy ?? issuer.keys).privateKey);
  const parts = [content, Buffer.from(AsnConvert.serialize(algorithm)), tlv(0x03, Buffer.of(0), signature)];
  return { subject, keys, der: tlv(0x30, ...parts) };
}

/** The same certificate with a key of a kind that Node does not know; nobody signed that. */
export function withUnknownKey(certificate: Authority): Authority {
  const der = Buffer.from(certificate.der);
  const ecPublicKey = der.indexOf(Buffer.from('2a8648ce3d0201', 'hex'));
  der.writeUInt8(0x7f, ecPublicKey + 6);
  return { ...certificate, der };
}

function extensionsOf(plan: CertificatePlan, issuer: KeyPair, keys: KeyPair): Extensions {
  const { isCa = false, purposes, authorityKeyId = keyIdOf(issuer), more = [] } = plan;
  return new Extensions([
    ...basicConstraints(isCa, plan),
    ...keyUsage(plan.keyUsage ?? (isCa ? ['keyCertSign', 'cRLSign'] : ['digitalSignature']), plan),
    ...(purposes === undefined ? [] : [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...purposes]))]),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(keys))),
    extension(
      id_ce_authorityKeyIdentifier,
      new AuthorityKeyIdentifier({
        keyIdentifier: new KeyIdentifier(authorityKeyId),
      }),
    ),
    ...more,
  ]);
}

/** An extension with any content. */
export function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

export function pemOf(...certificates: readonly Authority[]): string {
  return certificates
    .map(({ der }) => {
      const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
    })
    .join('');
}

/** Certificates as x5c holds them. */
export function x5cOf(...certificates: readonly Authority[]): string[] {
  return certificates.map(({ der }) => der.toString('base64'));
}

/** A part in DER of less than 64 kB. */
function tlv(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function basicConstraints(isCa: boolean, { pathLength, critical = true }: CertificatePlan): Extension[] {
  if (!isCa) return [];
  const limit = pathLength === undefined ? {} : { pathLenConstraint: pathLength };
  return [extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, ...limit }), critical)];
}

function keyUsage(flags: readonly Flag[] | 'absent', { critical = true }: CertificatePlan): Extension[] {
  if (flags === 'absent') return [];
  const bits = flags.reduce((sum, flag) => sum | KeyUsageFlags[flag], 0);
  return [extension(id_ce_keyUsage, new KeyUsage(bits), critical)];
}

function nameOf(commonName: string, more: CertificatePlan['names'] = []): Name {
  if (commonName === '') return new Name();
  const parts = { '2.5.4.3': commonName, '2.5.4.10': 'Example', '2.5.4.6': 'DE' };
  return new Name(
    [...Object.entries(parts), ...more].map(([type, text]) => {
      const value = new AttributeValue({ utf8String: text });
      return new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value })]);
    }),
  );
}

function usualSigning({ alg }: KeyPair): Signing {
  if (!alg.startsWith('ES')) return signings.rsaSha256;
  return { ES384: signings.ecdsaSha384, ES512: signings.ecdsaSha512 }[alg] ?? signings.ecdsaSha256;
}

function signBytes(bytes: Buffer, { hash, oid }: Signing, key: KeyObject): Buffer {
  const isPss = oid === signings.pssSha256.oid;
  const padding = isPss && {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  return sign(hash, bytes, { key, ...padding });
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function keyIdOf({ publicKey }: KeyPair): Buffer {
  return createHash('sha1').update(spki(publicKey)).digest();
}
