import { type KeyObject, constants, createHash, sign } from 'node:crypto';
import { bits, integer, objectId, octets, sequence, time, tlv, yes } from './der.js';
import { type KeyPair, newKeyPair, now } from './issuer.js';

/** A signature algorithm as certificates name it. */
interface Signing {
  readonly oid: string;
  readonly hash: string;
  /** DER of the algorithm's parameters. */
  readonly parameters?: Buffer;
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
  return { oid: '1.2.840.113549.1.1.10', hash, parameters: Buffer.from(parameters, 'hex') };
}

const none = tlv(0x05);

/** Good and bad ways to sign a certificate. */
export const signings = {
  ecdsaSha256: { oid: '1.2.840.10045.4.3.2', hash: 'sha256' },
  ecdsaSha384: { oid: '1.2.840.10045.4.3.3', hash: 'sha384' },
  ecdsaSha512: { oid: '1.2.840.10045.4.3.4', hash: 'sha512' },
  ecdsaSha1: { oid: '1.2.840.10045.4.1', hash: 'sha1' },
  rsaSha256: { oid: '1.2.840.113549.1.1.11', hash: 'sha256', parameters: none },
  rsaSha384: { oid: '1.2.840.113549.1.1.12', hash: 'sha384', parameters: none },
  rsaSha512: { oid: '1.2.840.113549.1.1.13', hash: 'sha512', parameters: none },
  rsaSha1: { oid: '1.2.840.113549.1.1.5', hash: 'sha1', parameters: none },
  rsaMd5: { oid: '1.2.840.113549.1.1.4', hash: 'md5', parameters: none },
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

/** The uses of a key, in the order of their bits. */
const flags = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
] as const;
type Flag = (typeof flags)[number];

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
  /** In place of both, in DER. */
  readonly times?: readonly [notBefore: Buffer, notAfter: Buffer];
  readonly signing?: Signing;
  readonly signedBy?: KeyPair;
  /** In place of the identifiers of the keys. */
  readonly authorityKeyId?: Buffer;
  /** Further extensions, as {@link extension} makes them. */
  readonly more?: readonly Buffer[];
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
  const algorithm = sequence(objectId(signing.oid), signing.parameters ?? Buffer.of());
  const at = (seconds: number): Buffer => time(new Date(now.getTime() + seconds * 1000));
  const good = sequence(
    tlv(0xa0, integer(2)), // version 3
    integer(1),
    algorithm,
    nameOf(plan.issuerName ?? issuer.subject),
    sequence(...(plan.times ?? [at(plan.notBefore ?? -year), at(plan.notAfter ?? year)])),
    nameOf(subject, plan.names),
    spki(keys.publicKey),
    ...(plan.bare === true ? [] : [tlv(0xa3, sequence(...extensionsOf(plan, issuer.keys, keys)))]),
  );
  const content = plan.tamper?.(good) ?? good;
  const signature = signBytes(content, signing, (plan.signedBy ?? issuer.keys).privateKey);
  return { subject, keys, der: sequence(content, algorithm, bits(signature)) };
}

/** The same certificate with a key of a kind that Node does not know; nobody signed that. */
export function withUnknownKey(certificate: Authority): Authority {
  const der = Buffer.from(certificate.der);
  const ecPublicKey = der.indexOf(Buffer.from('2a8648ce3d0201', 'hex'));
  der.writeUInt8(0x7f, ecPublicKey + 6);
  return { ...certificate, der };
}

function extensionsOf(plan: CertificatePlan, issuer: KeyPair, keys: KeyPair): Buffer[] {
  const { isCa = false, purposes, authorityKeyId = keyIdOf(issuer), more = [] } = plan;
  return [
    ...basicConstraints(isCa, plan),
    ...keyUsage(plan.keyUsage ?? (isCa ? ['keyCertSign', 'cRLSign'] : ['digitalSignature']), plan),
    ...(purposes === undefined ? [] : [extension('2.5.29.37', sequence(...purposes.map(objectId)))]),
    extension('2.5.29.14', octets(keyIdOf(keys))), // subjectKeyIdentifier
    extension('2.5.29.35', sequence(tlv(0x80, authorityKeyId))), // authorityKeyIdentifier
    ...more,
  ];
}

/** An extension with any content, in bytes or in hex. */
export function extension(id: string, value: Buffer | string, critical = false): Buffer {
  const content = typeof value === 'string' ? Buffer.from(value, 'hex') : value;
  return sequence(objectId(id), ...(critical ? [yes] : []), octets(content));
}

const ofNames = {
  otherName: 0xa0,
  rfc822Name: 0x81,
  dNSName: 0x82,
  directoryName: 0xa4,
  uniformResourceIdentifier: 0x86,
  iPAddress: 0x87,
  registeredID: 0x88,
};

/** One name of one kind. */
export type AlternativeName = Partial<Record<keyof typeof ofNames, string | Buffer>>;

/** The extension with these names. */
export const alternativeNames = (...names: readonly AlternativeName[]): Buffer =>
  extension(
    '2.5.29.17',
    sequence(
      ...names.flatMap((name) =>
        Object.entries(name).map(([kind, value]) =>
          tlv(ofNames[kind as keyof AlternativeName], Buffer.from(value as string)),
        ),
      ),
    ),
  );

/** The extension with these certificate policies. */
export const policies = (...identifiers: readonly string[]): Buffer =>
  extension('2.5.29.32', sequence(...identifiers.map((identifier) => sequence(objectId(identifier)))));

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

function basicConstraints(isCa: boolean, { pathLength, critical = true }: CertificatePlan): Buffer[] {
  if (!isCa) return [];
  const limit = pathLength === undefined ? [] : [integer(pathLength)];
  return [extension('2.5.29.19', sequence(yes, ...limit), critical)];
}

function keyUsage(named: readonly Flag[] | 'absent', { critical = true }: CertificatePlan): Buffer[] {
  if (named === 'absent') return [];
  const places = named.map((flag) => flags.indexOf(flag));
  const byte = places.reduce((sum, place) => sum | (0x80 >> place), 0);
  return [extension('2.5.29.15', bits(Buffer.of(byte), 7 - Math.max(...places)), critical)];
}

function nameOf(commonName: string, more: CertificatePlan['names'] = []): Buffer {
  if (commonName === '') return sequence();
  const parts = { '2.5.4.3': commonName, '2.5.4.10': 'Example', '2.5.4.6': 'DE' };
  return sequence(
    ...[...Object.entries(parts), ...more].map(([type, text]) =>
      tlv(0x31, sequence(objectId(type), tlv(0x0c, Buffer.from(text)))),
    ),
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

const spkis = new WeakMap<KeyObject, Buffer>();

function spki(key: KeyObject): Buffer {
  const known = spkis.get(key) ?? key.export({ type: 'spki', format: 'der' });
  spkis.set(key, known);
  return known;
}

function keyIdOf({ publicKey }: KeyPair): Buffer {
  return createHash('sha1').update(spki(publicKey)).digest();
}
