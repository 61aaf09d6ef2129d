import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { markerContent, sandboxProfile } from '../../../protocol/sandbox.js';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A certificate, and the keys that it is about. */
export interface Certified extends KeyPair {
  readonly name: string;
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

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const lifetime = 24 * 60 * 60;

export function newKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Makes a certificate for one day. */
export function certify({
  name,
  from,
  issuer,
  keys = newKeys(),
  dnsName,
  clientId,
}: CertificatePlan): Certified {
  const above = issuer ?? { name, ...keys };
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array([1, ...randomBytes(15)]).buffer,
    signature: signatureAlgorithm,
    issuer: distinguished(above.name),
    validity: new Validity({
      notBefore: new Date(from * 1000),
      notAfter: new Date((from + lifetime) * 1000),
    }),
    subject: distinguished(name),
    subjectPublicKeyInfo: AsnConvert.parse(spki(keys), SubjectPublicKeyInfo),
    extensions: new Extensions([
      ...(issuer === undefined ? [caConstraint()] : []),
      extension(id_ce_keyUsage, new KeyUsage(issuer === undefined ? caUsage : leafUsage), true),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyId(keys))),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyId(above)) }),
      ),
      ...(dnsName === undefined ? [] : [alternativeName(dnsName)]),
      ...(clientId === undefined ? [] : [marker(clientId)]),
    ]),
  });
  const content = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const signature = sign('sha256', content, above.privateKey);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm,
    signatureValue: new Uint8Array(signature).buffer,
  });
  return { name, ...keys, der: Buffer.from(AsnConvert.serialize(certificate)) };
}

export function pemOf({ der }: Pick<Certified, 'der'>): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** The certificate as x5c holds it. */
export function x5cOf({ der }: Pick<Certified, 'der'>): string[] {
  return [der.toString('base64')];
}

const caUsage = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;
const leafUsage = KeyUsageFlags.digitalSignature;

function caConstraint(): Extension {
  return extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true);
}

function alternativeName(dNSName: string): Extension {
  return extension(id_ce_subjectAltName, new SubjectAlternativeName([new GeneralName({ dNSName })]));
}

function marker(clientId: string): Extension {
  const { markerId } = sandboxProfile;
  return new Extension({ extnID: markerId, extnValue: new OctetString(markerContent(clientId)) });
}

function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function distinguished(commonName: string): Name {
  const parts = { '2.5.4.3': commonName, '2.5.4.10': 'pidgate sandbox', '2.5.4.6': 'DE' };
  return new Name(
    Object.entries(parts).map(([type, text]) => {
      const value = new AttributeValue({ utf8String: text });
      return new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value })]);
    }),
  );
}

function spki({ publicKey }: Pick<KeyPair, 'publicKey'>): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function keyId(keys: Pick<KeyPair, 'publicKey'>): Buffer {
  return createHash('sha1').update(spki(keys)).digest();
}
