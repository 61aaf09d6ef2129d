import type { KeyObject, X509Certificate } from 'node:crypto';
import {
  BasicConstraints,
  CertificatePolicies,
  Certificate as Asn1Certificate,
  ExtendedKeyUsage,
  type Extension,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  KeyUsage,
} from '@peculiar/asn1-x509';
import { AsnConvert } from '@peculiar/asn1-schema';
import { formatDuration } from '../../internal/timeouts.js';

/** A certificate as Node parses it. */
export interface PlainCertificate {
  readonly x509: X509Certificate;
  readonly key: KeyObject;
}

/** Certificates in the order of a token: the leaf first, each issued by the next. */
export type Chain = readonly [PlainCertificate, ...PlainCertificate[]];

/** A certificate with the extensions that Node does not show. Times in seconds. */
export interface Certificate extends PlainCertificate {
  readonly notBefore: number;
  readonly notAfter: number;
  /** The object identifier of the signature's algorithm, and its parameters in hexadecimal. */
  readonly signedWith: { readonly oid: string; readonly parameters: string };
  readonly isCa: boolean;
  /** The number of CAs that may be between this one and a leaf. */
  readonly pathLength: number;
  /** The bits of `KeyUsageFlags`, or undefined if the extension is absent. */
  readonly keyUsage: number | undefined;
  readonly purposes: readonly string[] | undefined;
  readonly policies: readonly string[];
  readonly subject: readonly { readonly type: string; readonly value: string }[];
  readonly extensions: readonly Pick<Extension, 'extnID' | 'critical' | 'extnValue'>[];
}

/** Reads the extensions too. Returns undefined if something is malformed. */
export function readCertificate({ x509, key }: PlainCertificate): Certificate | undefined {
  try {
    const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(x509.raw, Asn1Certificate);
    const { extensions = [] } = tbsCertificate;
    const read = <T>(id: string, type: new () => T): T | undefined => {
      const found = extensions.find(({ extnID }) => extnID === id);
      return found === undefined ? undefined : AsnConvert.parse(found.extnValue, type);
    };
    const { cA = false, pathLenConstraint = Infinity } = read(id_ce_basicConstraints, BasicConstraints) ?? {};
    return {
      x509,
      key,
      notBefore: secondsOf(x509.validFrom),
      notAfter: secondsOf(x509.validTo),
      signedWith: { oid: signatureAlgorithm.algorithm, parameters: hexOf(signatureAlgorithm.parameters) },
      isCa: cA,
      pathLength: Number(pathLenConstraint),
      keyUsage: read(id_ce_keyUsage, KeyUsage)?.toNumber(),
      purposes: read(id_ce_extKeyUsage, ExtendedKeyUsage),
      policies: (read(id_ce_certificatePolicies, CertificatePolicies) ?? []).map(
        ({ policyIdentifier }) => policyIdentifier,
      ),
      subject: tbsCertificate.subject.flatMap((parts) =>
        parts.map(({ type, value }) => ({ type, value: value.toString() })),
      ),
      extensions,
    };
  } catch {
    return undefined;
  }
}

function hexOf(parameters: ArrayBuffer | null | undefined): string {
  return parameters ? Buffer.from(parameters).toString('hex') : '';
}

/**
 * Reads a date as Node prints it, because asn1-schema turns a malformed date into another one. Every comparison with
 * the invalid date that Node makes of it would be false, so it is refused. So is a year of fewer than four digits: Node
 * prints the year 30 as `30`, which parses as 2030.
 */
function secondsOf(date: string): number {
  const seconds = / \d{4} GMT$/.test(date) ? Date.parse(date) / 1000 : Number.NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw new RangeError('The certificate has a malformed date.');
}

/** Returns the subject of a configured certificate in one line. Node has none for an empty name. */
export function subjectName({ subject }: { readonly subject: string | undefined }): string {
  return subject === undefined ? 'without a name' : subject.split('\n').join(', ');
}

export function isSelfIssued({ x509 }: PlainCertificate): boolean {
  return x509.subject === x509.issuer;
}

/** Checks names and key identifiers by OpenSSL's rules, and the signature (K03, K08). */
export function isIssuedBy({ x509 }: PlainCertificate, issuer: PlainCertificate): boolean {
  return x509.checkIssued(issuer.x509) && x509.verify(issuer.key);
}

/** Returns why a certificate is not valid now. It is valid through its last second. */
export function whyOutsideValidity({ notBefore, notAfter }: Certificate, now: number): string | undefined {
  if (now >= notAfter + 1) return `expired ${formatDuration(now - notAfter)} ago`;
  if (now < notBefore) return `is valid only in ${formatDuration(notBefore - now)}`;
  return undefined;
}
