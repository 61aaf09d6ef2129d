import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { markerContent, sandboxProfile } from '../../../service/sandbox.js';
import * as asn1 from './der.js';

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
  /** Marks a CA of the sandbox, which signs for this client id. */
  readonly clientId?: string;
}

const lifetime = 24 * 60 * 60;

export function newKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Makes a certificate for one day, in the order of RFC 5280. */
export function certify({
  name,
  from,
  issuer,
  keys = newKeys(),
  dnsName,
  clientId,
}: CertificatePlan): Certified {
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha1').update(spki).digest();
  const above = issuer ?? { name, keyId, privateKey: keys.privateKey };
  const ecdsaWithSha256 = asn1.sequence(asn1.objectId('1.2.840.10045.4.3.2'));
  const extensions = [
    ...(issuer === undefined ? caExtensions() : leafExtensions()),
    extension('2.5.29.14', asn1.octets(keyId)), // subjectKeyIdentifier
    extension('2.5.29.35', asn1.sequence(asn1.inPlace(0, above.keyId))), // authorityKeyIdentifier
    ...(dnsName === undefined
      ? []
      : [extension('2.5.29.17', asn1.sequence(asn1.inPlace(2, Buffer.from(dnsName))))]),
    ...(clientId === undefined ? [] : [extension(sandboxProfile.markerId, markerContent(clientId))]),
  ];
  const content = asn1.sequence(
    asn1.around(0, asn1.integer(2)), // version 3
    asn1.integer(1, ...randomBytes(15)),
    ecdsaWithSha256,
    distinguished(above.name),
    asn1.sequence(asn1.derTime(from), asn1.derTime(from + lifetime)),
    distinguished(name),
    spki,
    asn1.around(3, asn1.sequence(...extensions)),
  );
  const signature = asn1.bits(sign('sha256', content, above.privateKey));
  return { name, ...keys, keyId, der: asn1.sequence(content, ecdsaWithSha256, signature) };
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
  const basicConstraints = asn1.sequence(asn1.yes, asn1.integer(0)); // a CA, with no CA below it
  const keyUsage = asn1.bits(Buffer.of(0b0000_0110), 1); // keyCertSign, cRLSign
  return [extension('2.5.29.19', basicConstraints, true), extension('2.5.29.15', keyUsage, true)];
}

function leafExtensions(): Buffer[] {
  return [extension('2.5.29.15', asn1.bits(Buffer.of(0b1000_0000), 7), true)]; // digitalSignature
}

function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return asn1.sequence(asn1.objectId(id), ...(critical ? [asn1.yes] : []), asn1.octets(value));
}

function distinguished(commonName: string): Buffer {
  const part = (id: string, text: Buffer): Buffer => asn1.set(asn1.sequence(asn1.objectId(id), text));
  return asn1.sequence(
    part('2.5.4.3', asn1.utf8(commonName)),
    part('2.5.4.10', asn1.utf8('pidgate sandbox')),
    part('2.5.4.6', asn1.derPrintableString('DE')),
  );
}
