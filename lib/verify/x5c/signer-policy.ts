import * as v from '../../internal/validate.js';
import type { CertificateTrust } from '../../types/trust.js';
import { checkFailed, enforce, passed } from '../jose/enforce.js';
import type { Certificate } from './certificate.js';

/** The certificates that may sign credentials or status lists, of all those below the anchors. */
export interface LeafRules {
  readonly signs: 'credentials' | 'status lists';
  readonly purposes: readonly string[];
  readonly policies?: readonly string[] | undefined;
  /** Pairs of an attribute's object identifier and its value. */
  readonly subject: readonly (readonly [type: string, value: string])[];
  readonly requireIssuerInSan: boolean;
}

/** A CA that the configuration trusts, for leaves of some kind. */
export interface Anchor extends Certificate {
  readonly name: string;
  readonly leaf: LeafRules;
}

type LeafOptions = NonNullable<CertificateTrust['leaf']>;

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
  '1.3.6.1.5.5.7.3.1', // TLS server
  '1.3.6.1.5.5.7.3.2', // TLS client
  '1.3.130.2.0.0.1.6',
  '1.0.18013.5.1.6',
  '1.0.23220.4.1.6',
];

/**
 * Returns true for the purpose of signing status lists (Token Status List, section 10). Draft 20 says `id-kp TBD`:
 * until it has a number, each number under id-kp that nothing else has (IANA's registry ends at 44) can be it.
 */
function isStatusSigning(purpose: string): boolean {
  const [, number] = /^1\.3\.6\.1\.5\.5\.7\.3\.(\d+)$/.exec(purpose) ?? [];
  return number !== undefined && Number(number) > 44;
}

const identifiers: v.Check<readonly string[]> = (value, place) => {
  const list = v.stringList(value, place);
  if (list.every((identifier) => /^[0-2](\.(0|[1-9]\d*))+$/.test(identifier))) return list;
  throw v.invalid(place, 'must be object identifiers, such as 1.3.130.2.0.0.1.2');
};

const purposesOfSigners: v.Check<readonly string[]> = (value, place) => {
  const purposes = identifiers(value, place);
  if (purposes.some((purpose) => relyingParty.includes(purpose))) {
    throw v.invalid(place, 'has one of a relying party or TLS, which never signs a credential');
  }
  if (!purposes.some(isStatusSigning)) return purposes;
  throw v.invalid(
    place,
    'has that of status lists, whose signers need none here and never sign a credential',
  );
};

const subjectParts: v.Check<LeafRules['subject']> = (value, place) => {
  const names = Object.keys(attributes) as (keyof typeof attributes)[];
  const options = v.knownOptions(value, names, place, names);
  const parts = names.filter((name) => options[name] !== undefined);
  if (parts.length === 0) throw v.invalid(place, `must have at least one of ${names.join(', ')}`);
  return parts.map((name) => [attributes[name], v.nonEmptyString(options[name], `${place}.${name}`)]);
};

const readLeaf = v.objectWith(['purposes', 'policies', 'subject', 'requireIssuerInSan'], {
  purposes: v.withDefault(purposesOfSigners, signing),
  policies: v.optional(identifiers),
  subject: v.withDefault(subjectParts, []),
  requireIssuerInSan: v.withDefault(v.boolean, false),
} satisfies v.ChecksOf<LeafOptions>);

/** Parses the `leaf` of a trust entry (K20). */
export function parseLeafRules(value: unknown, place: string): LeafRules {
  return { signs: 'credentials', ...readLeaf(value, place) };
}

/**
 * Returns the rules for signers of status lists: a purpose that signs, or one of their own. Subject, policies and names
 * of the entry describe the signer of credentials, who may be somebody else.
 */
export function statusSigners({ purposes }: LeafRules): LeafRules {
  const all = [...new Set([...signing, ...purposes])];
  return { signs: 'status lists', purposes: all, subject: [], requireIssuerInSan: false };
}

function purposesFor({ signs, purposes }: LeafRules, path: readonly Certificate[]): readonly string[] {
  if (signs === 'credentials') return purposes;
  return [...purposes, ...path.flatMap((certificate) => certificate.purposes ?? []).filter(isStatusSigning)];
}

/** Bits of the key usage, the first one highest (RFC 5280, section 4.2.1.3). */
const digitalSignature = 0x80;
const keyCertSign = 0x04;

/** Returns why a certificate may not issue others (K07). Old anchors have no key usage, which forbids nothing. */
export function whyNotIssuer({ isCa, keyUsage, x509 }: Certificate): string | undefined {
  if (!isCa) return 'is not a CA';
  if (!x509.subject) return 'has no subject';
  if (keyUsage !== undefined && !(keyUsage & keyCertSign)) return 'may not sign certificates (key usage)';
  return undefined;
}

/** An intermediate CA must have the key usage to sign certificates (RFC 5280, section 4.2.1.3). */
export function whyNotIntermediate(certificate: Certificate): string | undefined {
  return certificate.keyUsage === undefined ? 'has no key usage' : whyNotIssuer(certificate);
}

/** Returns why a certificate may not sign data (K07). */
export function whyNotSigner({ isCa, keyUsage = 0 }: Certificate): string | undefined {
  if (isCa) return 'is a CA';
  return keyUsage & digitalSignature ? undefined : 'may not sign (key usage)';
}

/**
 * Checks the leaf and the extended key usage of a path, and returns the anchors that allow both (K18, K20). A certificate
 * without extended key usage has every purpose.
 */
export function anchorsForLeaf(
  [leaf, ...issuers]: readonly [Certificate, ...Certificate[]],
  anchors: readonly Anchor[],
): readonly Anchor[] {
  const isRelyingParty = leaf.purposes?.some((purpose) => relyingParty.includes(purpose)) === true;
  enforce('K18', !isRelyingParty, 'x5c[0] is for a relying party or TLS (extended key usage).');
  const refusals = anchors.map((anchor) => refusalBy(anchor, leaf, issuers));
  if (!refusals.includes(undefined)) throw refusals[0] as Error;
  passed('K18');
  passed('K20');
  return anchors.filter((_, index) => refusals[index] === undefined);
}

function refusalBy(anchor: Anchor, leaf: Certificate, issuers: readonly Certificate[]): Error | undefined {
  let purposes = purposesFor(anchor.leaf, [leaf, ...issuers, anchor]).filter(
    (purpose) => leaf.purposes?.includes(purpose) ?? true,
  );
  if (purposes.length === 0) {
    return checkFailed('K18', `x5c[0] is not for signing ${anchor.leaf.signs} (extended key usage).`);
  }
  for (const [at, issuer] of [...issuers, anchor].entries()) {
    purposes = purposes.filter((purpose) => certifies(issuer, purpose));
    if (purposes.length > 0) continue;
    const name = issuer === anchor ? `The anchor ${anchor.name}` : `x5c[${at + 1}]`;
    return checkFailed('K18', `${name} may not certify the purpose of x5c[0] (extended key usage).`);
  }
  const without = whoLacksPolicy(anchor.leaf.policies, [leaf, ...issuers]);
  if (without !== undefined) {
    return checkFailed('K20', `${without} none of the certificate policies that the trust entry names.`);
  }
  const isNamed = anchor.leaf.subject.every(([type, value]) => {
    const [first, ...others] = leaf.subject.filter((attribute) => attribute.type === type);
    return first?.value === value && others.length === 0;
  });
  if (!isNamed) return checkFailed('K20', 'The subject of x5c[0] is not the one in the trust entry.');
  return undefined;
}

const anyPolicy = '2.5.29.32.0';

/**
 * Says at which certificate of a path none of these policies is left, if at any. The leaf must have one of them itself,
 * and each CA below the anchor certifies those alone that it names; one without policies certifies none (RFC 5280,
 * section 6.1.3 d and e).
 */
function whoLacksPolicy(wanted: readonly string[] | undefined, [leaf, ...issuers]: readonly Certificate[]) {
  if (wanted === undefined) return undefined;
  let valid = wanted.filter((policy) => leaf?.policies?.includes(policy));
  if (valid.length === 0) return 'x5c[0] has';
  for (const [at, { policies = [] }] of issuers.entries()) {
    if (!policies.includes(anyPolicy)) valid = valid.filter((policy) => policies.includes(policy));
    if (valid.length === 0) return `x5c[${at + 1}] certifies`;
  }
  return undefined;
}

/**
 * The purposes of CAs that certify signers alone, by the signers' purpose in the same arc: those of PIDs as the EU's
 * reference issuers write them, and those of documents (ISO/IEC 18013-5).
 */
const caPurposes: ReadonlyMap<string, string> = new Map([
  ['1.3.130.2.0.0.1.2', '1.3.130.2.0.0.1.7'],
  ['1.0.18013.5.1.2', '1.0.18013.5.1.7'],
]);

const anyPurpose = '2.5.29.37.0';

function certifies({ purposes }: Certificate, purpose: string): boolean {
  const fitting = [purpose, anyPurpose, caPurposes.get(purpose)];
  return purposes?.some((allowed) => fitting.includes(allowed)) ?? true;
}

/** Returns true if a certificate below this anchor could sign what the rules are for. */
export function certifiesAny(anchor: Anchor, rules: LeafRules): boolean {
  return purposesFor(rules, [anchor]).some((purpose) => certifies(anchor, purpose));
}
