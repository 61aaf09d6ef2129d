import { X509Certificate } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import { stringList } from '../../safe/check-options.js';
import { type Certificate, readCertificate, subjectOf } from './certificate.js';
import { notIssuer } from './roles.js';
import { unsafeExponent, unsoundness } from './strength.js';
import { configuredExponent } from '../keys/jwk.js';

/** A CA that the configuration trusts. */
export interface Anchor extends Certificate {
  readonly name: string;
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the configured anchors, each string with one certificate or several (K03, K16). */
export function readAnchors(value: unknown, where: string): readonly [Anchor, ...Anchor[]] {
  const pems = stringList(value, where);
  return pems.flatMap((pem, index) => readPem(pem, `${where}[${index}]`)) as [Anchor, ...Anchor[]];
}

function readPem(pem: string, where: string): Anchor[] {
  const blocks = pem.match(certificateBlock) ?? [];
  if (blocks.length === 0 || blocks.length < pem.split('-----BEGIN').length - 1) {
    throw configInvalid(`${where} must be certificates in PEM and nothing else.`);
  }
  return blocks.map((block) => readAnchor(block, where));
}

function readAnchor(block: string, where: string): Anchor {
  const anchor = parse(block);
  if (anchor === undefined) throw configInvalid(`${where} has a certificate that cannot be read.`);
  const name = subjectOf(anchor.x509);
  const why = notIssuer(anchor) ?? unsoundness(anchor) ?? unsafeExponent(anchor, configuredExponent);
  if (why === undefined) return { ...anchor, name };
  throw configInvalid(`${where} cannot be an anchor: the certificate ${name} ${why}.`);
}

function parse(block: string): Certificate | undefined {
  try {
    const x509 = new X509Certificate(block);
    return readCertificate({ x509, key: x509.publicKey });
  } catch {
    return undefined;
  }
}
