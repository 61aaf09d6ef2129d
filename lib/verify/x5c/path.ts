import { enforce, passed } from '../jose/enforce.js';
import type { Profile } from '../keys/key-source.js';
import {
  type Certificate,
  type Chain,
  isIssuedBy,
  parseX509,
  type PlainCertificate,
  readCertificate,
  whyOutsideValidity,
} from './certificate.js';
import { hasSoundKey, isSoundlySigned, whyUnsafeExponent, whyUnsound } from './crypto-policy.js';
import { type Anchor, anchorsForLeaf, whyNotIntermediate, whyNotSigner } from './signer-policy.js';

/** A chain that passed every check except that of its validity period. */
export interface Path {
  readonly certificates: readonly [Certificate, ...Certificate[]];
  /** The anchors that issued its end: more than one if a CA renewed its own certificate. */
  readonly anchors: readonly Anchor[];
}

/**
 * Returns the paths from a leaf to configured anchors, at least one (K03 to K05, K07, K08). Which of them counts depends
 * on the time. If there is none, the error is that of the shortest chain.
 */
export function pathsTo(
  x5c: Chain,
  anchors: readonly Anchor[],
  profile: Profile,
  leaves: readonly Anchor[],
): readonly [Path, ...Path[]] {
  const pinned = pinnedIn(x5c, leaves, profile);
  if (pinned !== undefined) return [pinned];
  const errors: unknown[] = [];
  const paths = chainsIn(x5c, anchors, profile).flatMap((chain) => {
    try {
      return checkPath(chain, anchors);
    } catch (error) {
      errors.push(error);
      return [];
    }
  });
  if (paths.length === 0) throw errors[0];
  return paths as [Path, ...Path[]];
}

/**
 * Returns the path of a leaf that is trusted as it is (L15): the same certificate, alone. Who issued it does not matter;
 * HAIP refuses it all the same if that was itself (K05).
 */
function pinnedIn([sent, ...others]: Chain, leaves: readonly Anchor[], profile: Profile): Path | undefined {
  const leaf = others.length === 0 ? leaves.find(({ x509 }) => x509.raw.equals(sent.x509.raw)) : undefined;
  if (leaf === undefined) return undefined;
  passed('K03');
  if (profile === 'haip-1.0') checkNotSelfSigned(leaf);
  checkSubject(leaf);
  return { certificates: [leaf], anchors: anchorsForLeaf([leaf], [leaf]) };
}

/**
 * Checks one path. It goes downwards from the anchor, so that no extension is read and no key is used before a trusted CA
 * has signed it, but for the leaf's: whether it signed itself is asked of it as soon as it is known to be sound.
 */
function checkPath(chain: Chain, anchors: readonly Anchor[]): Path {
  const [leaf, ...cas] = chain;
  checkNotSelfSigned(leaf);
  const issuing = issuersOf(chain, anchors);
  const issuers: Certificate[] = [];
  for (const [at, ca] of [...cas.entries()].toReversed()) {
    issuers.unshift(checkCertificate(ca, at + 1, issuers[0]));
  }
  const certificates = [checkCertificate(leaf, 0, issuers[0]), ...issuers] as const;
  checkSubject(leaf);
  return { certificates, anchors: anchorsForLeaf(certificates, checkPathLengths(certificates, issuing)) };
}

/** A certificate that bears its CA's name and has a key of its own is not self-signed, but self-issued (K19). */
function checkNotSelfSigned(leaf: PlainCertificate): void {
  const { x509, key } = leaf;
  const isSelfSigned = x509.subject === x509.issuer && hasSoundKey(leaf) && x509.verify(key);
  enforce('K05', !isSelfSigned, 'x5c[0] is self-signed.');
}

function checkCertificate(plain: PlainCertificate, at: number, issuer: Certificate | undefined): Certificate {
  const isIssued = issuer === undefined || isIssuedBy(plain, issuer);
  enforce('K08', isIssued, `x5c[${at}] was not issued by x5c[${at + 1}].`);
  const certificate = readCertificate(plain);
  enforce('K08', certificate !== undefined, `x5c[${at}] has parts that cannot be read.`);
  enforce('K08', isSoundlySigned(certificate), `x5c[${at}] is not signed with ECDSA or RSA and SHA-2.`);
  const unsound = whyUnsound(certificate);
  enforce('K08', unsound === undefined, `x5c[${at}] ${unsound}.`);
  const unsafe = whyUnsafeExponent(certificate);
  enforce('K17', unsafe === undefined, `x5c[${at}] ${unsafe}.`);
  const misplaced = at === 0 ? whyNotSigner(certificate) : whyNotIntermediate(certificate);
  enforce('K07', misplaced === undefined, `x5c[${at}] ${misplaced}.`);
  return certificate;
}

/** The issuer of the credential is the subject of the leaf, so the leaf must have one (RFC 5280, 4.1.2.6; K10). */
function checkSubject({ x509: { subject, subjectAltName } }: PlainCertificate): void {
  enforce('K10', Boolean(subject || subjectAltName), 'x5c[0] names nobody: it has no subject.');
}

/**
 * Counts the CAs below each CA, with or without a key usage, and returns the anchors that allow so many (K07). A CA
 * that certified a new key of its own counts too, unlike in RFC 5280.
 */
function checkPathLengths(
  certificates: readonly Certificate[],
  issuing: readonly Anchor[],
): readonly Anchor[] {
  const tooLong = certificates.findIndex(({ pathLength }, at) => at - 1 > pathLength);
  enforce('K07', tooLong === -1, `x5c[${tooLong}] has more CAs below it than its pathLen allows.`);
  const allowing = issuing.filter(({ pathLength }) => certificates.length - 1 <= pathLength);
  const why = `The anchor ${issuing[0]?.name} has more CAs below it than its pathLen allows.`;
  enforce('K07', allowing.length > 0, why);
  return allowing;
}

/** Every certificate of a path must be valid now, and one of its anchors (K06). `now` in seconds. */
export function checkValidity(paths: readonly Path[], now: number): void {
  const reasons = paths.map((path) => whyNotValid(path, now));
  enforce('K06', reasons.includes(undefined), String(reasons[0]));
}

function whyNotValid({ certificates, anchors }: Path, now: number): string | undefined {
  for (const [at, certificate] of certificates.entries()) {
    const why = whyOutsideValidity(certificate, now);
    if (why !== undefined) return `x5c[${at}] ${why}.`;
  }
  const reasons = anchors.map((anchor) => [anchor.name, whyOutsideValidity(anchor, now)] as const);
  if (reasons.some(([, why]) => why === undefined)) return undefined;
  return `${reasons.map(([name, why]) => `The anchor ${name} ${why}`).join('; ')}.`;
}

const maxCertificates = 6;
const maxCertificateBytes = 16 * 1024;

/** Reads the certificates of a header's x5c, leaf first, as far as Node parses them (RFC 7515, section 4.1.6; K01). */
export function readX5c(x5c: unknown): Chain {
  enforce('K01', Array.isArray(x5c) && x5c.length !== 0, 'x5c is not a list of certificates.');
  enforce('K01', x5c.length <= maxCertificates, `x5c has more than ${maxCertificates} certificates.`);
  return x5c.map(readDer) as [PlainCertificate, ...PlainCertificate[]];
}

function readDer(text: unknown, index: number): PlainCertificate {
  const isShort = typeof text === 'string' && text.length <= maxCertificateBytes;
  enforce('K01', isShort, `x5c[${index}] is not a string of at most ${maxCertificateBytes} characters.`);
  const der = Buffer.from(text, 'base64');
  const isStandard = der.toString('base64') === text;
  enforce('K01', isStandard, `x5c[${index}] is not standard base64: no PEM, no base64url, no spaces.`);
  const certificate = parseX509(der);
  // Node reads PEM too, and does not mind what follows a certificate.
  const isWhole = certificate !== undefined && certificate.x509.raw.equals(der);
  enforce('K01', isWhole, `x5c[${index}] is not one certificate in DER with a known kind of key.`);
  return certificate;
}

/**
 * Returns the chains to try, the shortest first. An anchor may be sent along, and the path ends before it (K04); but a
 * CA can be an anchor and stand below another one, and then the path may go on to that. HAIP 6.1.1 forbids to send an
 * anchor, and such a CA is none there.
 */
function chainsIn(x5c: Chain, anchors: readonly Anchor[], profile: Profile): readonly Chain[] {
  const [leaf, ...others] = x5c;
  const isSent = (certificate: PlainCertificate) => anchors.some((anchor) => isSame(certificate, anchor));
  const ends = [...x5c.entries()].flatMap(([at, certificate]) => (isSent(certificate) ? at : []));
  if (ends.length === 0) return [x5c];
  const unsent = anchors.filter((anchor) => !x5c.some((certificate) => isSame(certificate, anchor)));
  const isAllowed =
    profile !== 'haip-1.0' || unsent.some((anchor) => isIssuedBy(others.at(-1) ?? leaf, anchor));
  enforce('K04', isAllowed, `x5c[${ends[0]}] is an anchor, which must not be sent.`);
  return [...ends.map((end): Chain => [leaf, ...others.slice(0, Math.max(end - 1, 0))]), x5c];
}

/** A trust anchor is a name and a key, however often its certificate was renewed (RFC 5280, section 6.1.1). */
const isSame = ({ x509, key }: PlainCertificate, anchor: Anchor): boolean =>
  x509.subject === anchor.x509.subject && key.equals(anchor.key);

/** Returns the anchors that issued the end of the chain (K03). */
function issuersOf(chain: Chain, anchors: readonly Anchor[]): readonly Anchor[] {
  const last = chain.at(-1) as PlainCertificate;
  const issuing = anchors.filter((anchor) => isIssuedBy(last, anchor));
  enforce('K03', issuing.length > 0, () => {
    const end = `x5c[${chain.length - 1}]`;
    const named = anchors.find(({ x509 }) => x509.subject === last.x509.issuer);
    return named === undefined
      ? `No configured anchor issued ${end}, the end of the chain. Configured: ${namesOf(anchors)}.`
      : `${end} names the anchor ${named.name} as its issuer, but was not issued with its key.`;
  });
  return issuing;
}

const maxNames = 3;

function namesOf(anchors: readonly Anchor[]): string {
  const names = anchors.slice(0, maxNames).map(({ name }) => name);
  if (anchors.length > maxNames) names.push(`and ${anchors.length - maxNames} more`);
  return names.join('; ') || 'none';
}
