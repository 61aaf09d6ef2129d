import { id_kp_clientAuth, id_kp_serverAuth } from '@peculiar/asn1-x509';
import { configInvalid } from '../../errors.js';
import type { CertificateTrust } from '../../types/trust.js';
import { knownOptions, nonEmptyString, optionalBoolean, stringList } from '../../internal/former-validate.js';
import type { Certificate } from './certificate.js';

/** The certificates that may sign credentials or status lists, of all those below the anchors. */
export interface LeafRules {
  readonly signs: 'credentials' | 'status lists';
  readonly purposes: readonly string[];
  readonly policies: readonly string[] | undefined;
  /** Pairs of an attribute's object identifier and its value. */
  readonly subject: readonly (readonly [type: string, value: string])[];
  /** True if an alternative name must be that of the credential's issuer (K10). */
  readonly requireIssuerInSan: boolean;
}

/** A CA that the configuration trusts, for leaves of some kind. */
export interface Anchor extends Certificate {
  readonly name: string;
  readonly leaf: LeafRules;
}

type LeafOptions = NonNullable<CertificateTrust['leaf']>;

const optionNames = [
  'purposes',
  'policies',
  'subject',
  'requireIssuerInSan',
] as const satisfies readonly (keyof LeafOptions)[];

/** The attributes of a name that a leaf may be known by (RFC 5280, appendix A.1; ETSI EN 319 412-1, section 5.1.4). */
const attributes = {
  CN: '2.5.4.3',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  C: '2.5.4.6',
  serialNumber: '2.5.4.5',
  organizationIdentifier: '2.5.4.97',
} as const satisfies Record<keyof NonNullable<LeafOptions['subject']>, string>;

/** The purposes of a certificate that signs credentials: EU PIDs, ISO documents, documents of any kind (RFC 9336). */
const signing: readonly string[] = ['1.3.130.2.0.0.1.2', '1.0.18013.5.1.2', '1.3.6.1.5.5.7.3.36'];

/** The purposes of a relying party. PID CAs certify relying parties too, and these must never sign a PID. */
const relyingParty: readonly string[] = [
  id_kp_serverAuth,
  id_kp_clientAuth,
  '1.3.130.2.0.0.1.6',
  '1.0.18013.5.1.6',
  '1.0.23220.4.1.6',
];

/**
 * Returns true for the purpose of signing status lists (Token Status List, section 10). The draft (21) says `id-kp TBD`:
 * until it has a number, each number under id-kp that nothing else has (IANA's registry ends at 44) can be it.
 */
function isStatusSigning(purpose: string): boolean {
  const [, number] = /^1\.3\.6\.1\.5\.5\.7\.3\.(\d+)$/.exec(purpose) ?? [];
  return number !== undefined && Number(number) > 44;
}

/** Parses the `leaf` of a trust entry (K20). */
export function parseLeafRules(value: unknown, where: string): LeafRules {
  const given = knownOptions(value, optionNames, where);
  const purposes = given.purposes === undefined ? signing : identifiers(given.purposes, `${where}.purposes`);
  if (purposes.some((purpose) => relyingParty.includes(purpose))) {
    throw configInvalid(
      `${where}.purposes has one of a relying party or TLS, which never signs a credential.`,
    );
  }
  if (purposes.some(isStatusSigning)) {
    throw configInvalid(
      `${where}.purposes has that of status lists, whose signers need none here and never sign a credential.`,
    );
  }
  return {
    signs: 'credentials',
    purposes,
    policies: given.policies === undefined ? undefined : identifiers(given.policies, `${where}.policies`),
    subject: given.subject === undefined ? [] : parseSubject(given.subject, `${where}.subject`),
    requireIssuerInSan: optionalBoolean(given.requireIssuerInSan, `${where}.requireIssuerInSan`) === true,
  };
}

/**
 * Returns the rules for signers of status lists: a purpose that signs, or one of their own. Subject, policies and names
 * of the entry describe the signer of credentials, who may be somebody else.
 */
export function statusSigners({ purposes }: LeafRules): LeafRules {
  return {
    signs: 'status lists',
    purposes: [...new Set([...signing, ...purposes])],
    policies: undefined,
    subject: [],
    requireIssuerInSan: false,
  };
}

/** Returns the purposes of which a path must have one from end to end. */
export function purposesFor({ signs, purposes }: LeafRules, path: readonly Certificate[]): readonly string[] {
  if (signs === 'credentials') return purposes;
  return [...purposes, ...path.flatMap((certificate) => certificate.purposes ?? []).filter(isStatusSigning)];
}

function identifiers(value: unknown, where: string): readonly string[] {
  const list = stringList(value, where);
  if (list.every((identifier) => /^[0-2](\.(0|[1-9]\d*))+$/.test(identifier))) return list;
  throw configInvalid(`${where} must be object identifiers, such as 1.3.130.2.0.0.1.2.`);
}

function parseSubject(value: unknown, where: string): LeafRules['subject'] {
  const names = Object.keys(attributes) as (keyof typeof attributes)[];
  const given = knownOptions(value, names, where);
  const parts = names.filter((name) => given[name] !== undefined);
  if (parts.length === 0) throw configInvalid(`${where} must have at least one of ${names.join(', ')}.`);
  return parts.map((name) => [attributes[name], nonEmptyString(given[name], `${where}.${name}`)]);
}

/** Returns true for a relying party's certificate, which never signs a credential (K18). */
export function isRelyingParty({ purposes = [] }: Certificate): boolean {
  return purposes.some((purpose) => relyingParty.includes(purpose));
}

/** Returns what the leaf lacks of the entry's rules beside a purpose, if anything (K20). */
export function missingIn({ policies, subject }: Certificate, rules: LeafRules): string | undefined {
  if (rules.policies?.some((policy) => policies.includes(policy)) === false) {
    return 'has none of the certificate policies that the trust entry names';
  }
  const fits = rules.subject.every(([type, value]) => {
    const [first, ...others] = subject.filter((attribute) => attribute.type === type);
    return first?.value === value && others.length === 0;
  });
  return fits ? undefined : 'has another subject than the trust entry names';
}
