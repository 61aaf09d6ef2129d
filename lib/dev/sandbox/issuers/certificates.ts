import {
  type JsonWebKey,
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import { sandboxMark } from '../../../options/development.js';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A certificate, and the keys that it is about. */
export interface Certified extends KeyPair {
  readonly name: string;
  readonly keyId: Buffer;
  readonly der: Buffer;
}

interface CertificatePlan {
  readonly name: string;
  /** Seconds. */
  readonly from: number;
  /** A CA where there is none above it. */
  readonly issuer?: Certified;
  readonly keys?: KeyPair;
  readonly dnsName?: string;
  /** Bears the sandbox's mark, as each of its CAs does. */
  readonly marked?: boolean;
}

const lifetime = 24 * 60 * 60;

/** As JWK, which the types of Node 20 do not know. Node reads a key of this form ten times as fast as one of PEM. */
const asJwk = {
  namedCurve: 'P-256',
  publicKeyEncoding: { format: 'jwk' },
  privateKeyEncoding: { format: 'jwk' },
};

/**
 * Keys that are read anew. The objects that Node has made itself have a lock, which it takes to export them and to collect
 * what has made them: where a collection falls into an export, the process waits for itself for ever.
 */
export function newKeys(): KeyPair {
  const made: { readonly privateKey: unknown } = generateKeyPairSync('ec', asJwk);
  const privateKey = createPrivateKey({ key: made.privateKey as JsonWebKey, format: 'jwk' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Makes a certificate for one day, in the order of RFC 5280. */
export function certify({
  name,
  from,
  issuer,
  keys = newKeys(),
  dnsName,
  marked = false,
}: CertificatePlan): Certified {
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha1').update(spki).digest();
  const above = issuer ?? { name, keyId, privateKey: keys.privateKey };
  const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
  const extensions = [
    ...(issuer === undefined ? caExtensions() : leafExtensions()),
    extension('2.5.29.14', octets(keyId)), // subjectKeyIdentifier
    extension('2.5.29.35', sequence(inPlace(0, above.keyId))), // authorityKeyIdentifier
    ...(dnsName === undefined ? [] : [extension('2.5.29.17', sequence(inPlace(2, Buffer.from(dnsName))))]),
    ...(marked ? [sequence(sandboxMark.extension, octets(utf8(sandboxMark.name)))] : []),
  ];
  const content = sequence(
    around(0, integer(2)), // version 3
    integer(1, ...randomBytes(15)),
    ecdsaWithSha256,
    distinguished(above.name),
    sequence(derTime(from), derTime(from + lifetime)),
    distinguished(name),
    spki,
    around(3, sequence(...extensions)),
  );
  const signature = bits(sign('sha256', content, above.privateKey));
  return { name, ...keys, keyId, der: sequence(content, ecdsaWithSha256, signature) };
}

export function pemOf({ der }: Pick<Certified, 'der'>): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** The certificate as x5c holds it. */
export function x5cOf({ der }: Pick<Certified, 'der'>): string[] {
  return [der.toString('base64')];
}

function caExtensions(): Buffer[] {
  const basicConstraints = sequence(yes, integer(0)); // a CA, with no CA below it
  const keyUsage = bits(Buffer.of(0b0000_0110), 1); // keyCertSign, cRLSign
  return [extension('2.5.29.19', basicConstraints, true), extension('2.5.29.15', keyUsage, true)];
}

function leafExtensions(): Buffer[] {
  return [extension('2.5.29.15', bits(Buffer.of(0b1000_0000), 7), true)]; // digitalSignature
}

function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [yes] : []), octets(value));
}

function distinguished(commonName: string): Buffer {
  const part = (id: string, text: Buffer): Buffer => set(sequence(objectId(id), text));
  return sequence(
    part('2.5.4.3', utf8(commonName)),
    part('2.5.4.10', utf8('pidgate sandbox')),
    part('2.5.4.6', derPrintableString('DE')),
  );
}

// Writes DER, as far as a certificate needs it: a tag, the length, the content.

const sequence = (...parts: readonly Uint8Array[]): Buffer => derTlv(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => derTlv(0x31, ...parts);
const octets = (content: Uint8Array): Buffer => derTlv(0x04, content);
const integer = (...bytes: readonly number[]): Buffer => derTlv(0x02, Buffer.from(bytes));
const utf8 = (text: string): Buffer => derTlv(0x0c, Buffer.from(text));
const derPrintableString = (text: string): Buffer => derTlv(0x13, Buffer.from(text));
const yes = derTlv(0x01, Buffer.of(0xff));

/** The last bits, as many as are unused, do not count. */
const bits = (content: Uint8Array, unused = 0): Buffer => derTlv(0x03, Buffer.of(unused), content);

/** A tag of the structure's own, around the one that the content has. */
const around = (tag: number, content: Uint8Array): Buffer => derTlv(0xa0 + tag, content);

/** A tag of the structure's own, in place of the one that the content would have. */
const inPlace = (tag: number, content: Uint8Array): Buffer => derTlv(0x80 + tag, content);

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return derTlv(0x06, Buffer.from([first * 40 + second, ...rest].flatMap((arc) => inSevens(arc))));
}

/** A time in seconds. Before 2050 a certificate writes the year with two digits. */
function derTime(seconds: number): Buffer {
  const text = new Date(seconds * 1000).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return text < '2050' ? derTlv(0x17, Buffer.from(text.slice(2))) : derTlv(0x18, Buffer.from(text));
}

function derTlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content]);
}

function lengthOf({ length }: Uint8Array): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

/** Seven bits a byte, the highest first. All but the last byte bear a mark. */
function inSevens(arc: number): number[] {
  const above = Math.floor(arc / 128);
  return [...(above === 0 ? [] : inSevens(above).map((byte) => byte | 0x80)), arc % 128];
}
