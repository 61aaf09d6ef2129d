import { type KeyObject, X509Certificate } from 'node:crypto';
import { readPem } from '../../internal/pem.js';
import { formatDuration } from '../../internal/timeouts.js';
import {
  contentOf,
  type DerValue,
  identifierOf,
  integerOf,
  malformed,
  membersOf,
  readSequence,
  readValues,
  tags,
  timeOf,
  truthOf,
} from './der.js';

/** The object identifiers of the extensions that are read here (RFC 5280, section 4.2.1). */
export const extensionIds = {
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  certificatePolicies: '2.5.29.32',
  extKeyUsage: '2.5.29.37',
} as const;

/** A certificate as Node parses it, and the parts of it that Node does not show. */
export interface PlainCertificate {
  readonly x509: X509Certificate;
  readonly key: KeyObject;
  readonly parts: ReturnType<typeof partsOf>;
}

/** Certificates in the order of a token: the leaf first, each issued by the next. */
export type Chain = readonly [PlainCertificate, ...PlainCertificate[]];

/** A certificate with the extensions that Node does not show. Times in seconds. */
export interface Certificate extends PlainCertificate, ReturnType<typeof readContent> {}

/** Splits a certificate into its parts (RFC 5280, section 4.1), whose order OpenSSL has checked. */
function partsOf(der: Buffer) {
  const [content, algorithm] = readSequence(der);
  const fields = membersOf(content).filter(({ tag }) => tag !== 0xa0); // without the version
  const [, , issuer, validity, subject, key, ...others] = fields;
  const extensions = others.find(({ tag }) => tag === 0xa3);
  return {
    algorithm,
    issuer,
    validity,
    subject,
    key: (key as DerValue).bytes,
    extensions: extensions && membersOf(extensions, 0xa3)[0],
  };
}

function readContent({ parts }: PlainCertificate) {
  const [oid, parameters] = membersOf(parts.algorithm);
  const extensions = parts.extensions === undefined ? [] : membersOf(parts.extensions).map(readExtension);
  const valueOf = (id: string) => extensions.find((extension) => extension.id === id)?.value;
  const policies = valueOf(extensionIds.certificatePolicies);
  const purposes = valueOf(extensionIds.extKeyUsage);
  const keyUsage = valueOf(extensionIds.keyUsage);
  const [notBefore, notAfter] = membersOf(parts.validity);
  readName(parts.issuer); // OpenSSL, which compares it, reads more than DER
  return {
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    /** The object identifier of the signature's algorithm, and its parameters in hexadecimal. */
    signedWith: { oid: identifierOf(oid), parameters: parameters?.bytes.toString('hex') ?? '' },
    ...readBasicConstraints(valueOf(extensionIds.basicConstraints)),
    /** The first eight bits, the first one highest, or undefined if the extension is absent. */
    keyUsage: keyUsage && readKeyUsage(keyUsage),
    purposes: purposes && readSequence(purposes).map(identifierOf),
    policies: policies && readSequence(policies).map(readPolicy),
    subject: readName(parts.subject),
    extensions,
  };
}

function readExtension(extension: DerValue) {
  const [id, ...others] = membersOf(extension);
  const critical = others.length > 1 && truthOf(others[0]);
  return { id: identifierOf(id), critical, value: contentOf(others.at(-1), tags.octets) };
}

/** Whether this is a CA, and the number of CAs that may be between it and a leaf. */
function readBasicConstraints(value: Buffer | undefined) {
  const parts = value === undefined ? [] : [...readSequence(value)];
  const isCa = parts[0]?.tag === tags.boolean && truthOf(parts.shift());
  const [limit] = parts; // OpenSSL has seen that nothing follows
  return { isCa, pathLength: limit === undefined ? Infinity : integerOf(limit) };
}

function readKeyUsage(value: Buffer): number {
  const [bits, ...others] = readValues(value);
  const content = contentOf(bits, tags.bits);
  if (others.length > 0) throw malformed();
  const first = content.readUInt8(1);
  return content.length > 2 ? first : first & (0xff << content.readUInt8(0));
}

/** Returns the identifier of a policy. Its qualifiers limit nothing. */
function readPolicy(policy: DerValue): string {
  const [id, qualifiers, ...others] = membersOf(policy);
  if (others.length > 0) throw malformed();
  for (const qualifier of qualifiers === undefined ? [] : membersOf(qualifiers)) membersOf(qualifier);
  return identifierOf(id);
}

/** How the texts of names are written. One that is written in another way is like none that an entry could ask for. */
const encodings: ReadonlyMap<number, BufferEncoding> = new Map([
  [0x0c, 'utf8'],
  [0x13, 'latin1'], // PrintableString
  [0x14, 'latin1'], // TeletexString
  [0x16, 'latin1'], // IA5String
]);

function readName(name: DerValue | undefined) {
  return membersOf(name).flatMap((parts) => membersOf(parts, tags.set).map(readAttribute));
}

function readAttribute(attribute: DerValue) {
  const [type, value] = membersOf(attribute);
  const encoding = value && encodings.get(value.tag);
  return { type: identifierOf(type), value: encoding && value.content.toString(encoding) };
}

export function readCertificate(plain: PlainCertificate): Certificate | undefined {
  try {
    return { ...plain, ...readContent(plain) };
  } catch {
    return undefined;
  }
}

/** The tags of alternative names: those of a URI and of a DNS name, and the others that may stand beside one. */
const nameTags = { uri: 0x86, dns: 0x82, others: [0x81, 0x87, 0x88, 0xa0, 0xa4] };

/**
 * Returns the URIs and DNS names of the subject. Where one name is an x400Address or an ediPartyName, or malformed, none
 * of them names anybody.
 */
export function alternativeNames({ extensions }: Certificate) {
  const texts = (names: readonly DerValue[], wanted: number) =>
    names.flatMap(({ tag, content }) => (tag === wanted ? content.toString('latin1') : []));
  try {
    const names = extensions.flatMap(({ id, value }) =>
      id === extensionIds.subjectAltName ? readSequence(value) : [],
    );
    const { uri, dns, others } = nameTags;
    if (!names.every(({ tag }) => [uri, dns, ...others].includes(tag))) throw malformed();
    return { uris: texts(names, uri), dnsNames: texts(names, dns) };
  } catch {
    return { uris: [], dnsNames: [] };
  }
}

/** Returns the subject of a configured certificate in one line. Node has none for an empty name. */
export function subjectName({ subject }: { readonly subject: string | undefined }): string {
  return subject === undefined ? 'without a name' : subject.split('\n').join(', ');
}

/** Checks names and key identifiers by OpenSSL's rules, and the signature (K03, K08). */
export const isIssuedBy = ({ x509 }: PlainCertificate, issuer: PlainCertificate): boolean =>
  x509.checkIssued(issuer.x509) && x509.verify(issuer.key);

/** Returns why a certificate is not valid now. It is valid through its last second. */
export function whyOutsideValidity({ notBefore, notAfter }: Certificate, now: number): string | undefined {
  if (now >= notAfter + 1) return `expired ${formatDuration(now - notAfter)} ago`;
  if (now < notBefore) return `is not valid yet (valid in ${formatDuration(notBefore - now)})`;
  return undefined;
}

/** Returns undefined for what Node cannot parse or is not DER, and for a key of a kind that Node does not know. */
export function parseX509(text: string | Buffer): PlainCertificate | undefined {
  try {
    const x509 = new X509Certificate(text);
    return { x509, key: x509.publicKey, parts: partsOf(x509.raw) };
  } catch {
    return undefined;
  }
}

export function parseCertificate(text: string | Buffer): Certificate | undefined {
  const plain = parseX509(text);
  return plain && readCertificate(plain);
}

export const readCertificatesIn = (pem: string, place: string): readonly Certificate[] =>
  readPem(pem, place, parseCertificate);
