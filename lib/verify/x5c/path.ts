import { enforce, passed } from '../jose/check-failed.js';
import type { Profile } from '../keys/key-source.js';
import type { Anchor } from './signer-policy.js';
import {
  type Certificate,
  type Chain,
  isIssuedBy,
  isSelfIssued,
  whyOutsideValidity,
  type PlainCertificate,
  readCertificate,
} from './certificate.js';
import { chainsIn, issuersOf } from './chain.js';
import { anchorsForLeaf, whyNotIntermediate, whyNotSigner } from './key-usage.js';
import { isSound, isSoundlySigned, whyUnsafeExponent, whyUnsound } from './crypto-policy.js';

/** A chain that passed every check except that of its validity period. */
export interface Path {
  readonly certificates: readonly [Certificate, ...Certificate[]];
  /** The anchors that issued its end: more than one if a CA renewed its own certificate. */
  readonly anchors: readonly Anchor[];
}

/**
 * Returns the paths from a leaf to configured anchors, at least one (K03 to K05, K07, K08). Which of them counts depends
 * on the time.
 */
export function pathsTo(
  x5c: Chain,
  anchors: readonly Anchor[],
  profile: Profile,
  leaves: readonly Anchor[],
): readonly [Path, ...Path[]] {
  const pinned = pinnedIn(x5c, leaves, profile);
  if (pinned !== undefined) return [pinned];
  const [shortest, ...longer] = chainsIn(x5c, anchors, profile);
  const others = longer.flatMap((chain) => {
    const path = tryPath(chain, anchors);
    return 'error' in path ? [] : [path];
  });
  const first = tryPath(shortest, anchors);
  if (!('error' in first)) return [first, ...others];
  const [second, ...rest] = others;
  if (second === undefined) throw first.error;
  return [second, ...rest];
}

/**
 * Returns the path of a leaf that is trusted as it is (L15): the same certificate, alone. Who issued it does not matter;
 * HAIP refuses it all the same if that was itself (K05).
 */
function pinnedIn(x5c: Chain, leaves: readonly Anchor[], profile: Profile): Path | undefined {
  const [sent, ...others] = x5c;
  const leaf = others.length === 0 ? leaves.find(({ x509 }) => x509.raw.equals(sent.x509.raw)) : undefined;
  if (leaf === undefined) return undefined;
  passed('K03');
  if (profile === 'haip-1.0') checkNotSelfSigned(leaf);
  checkSubject(leaf);
  return { certificates: [leaf], anchors: anchorsForLeaf([leaf], [leaf]) };
}

function tryPath(chain: Chain, anchors: readonly Anchor[]): Path | { readonly error: unknown } {
  try {
    return checkPath(chain, anchors);
  } catch (error) {
    return { error };
  }
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
  enforce(
    'K05',
    !isSelfIssued(leaf) || !isSound(leaf.key) || !leaf.x509.verify(leaf.key),
    'x5c[0] is self-signed.',
  );
}

function checkCertificate(plain: PlainCertificate, at: number, issuer: Certificate | undefined): Certificate {
  enforce(
    'K08',
    issuer === undefined || isIssuedBy(plain, issuer),
    `x5c[${at}] was not issued by x5c[${at + 1}].`,
  );
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
  issuing: readonly [Anchor, ...Anchor[]],
): readonly [Anchor, ...Anchor[]] {
  const tooLong = certificates.findIndex(({ pathLength }, at) => at - 1 > pathLength);
  enforce('K07', tooLong === -1, `x5c[${tooLong}] has more CAs below it than its pathLen allows.`);
  const [first, ...others] = issuing.filter(({ pathLength }) => certificates.length - 1 <= pathLength);
  enforce(
    'K07',
    first !== undefined,
    `The anchor ${issuing[0].name} has more CAs below it than its pathLen allows.`,
  );
  return [first, ...others];
}

/** Every certificate of a path must be valid now, and one of its anchors (K06). `now` in seconds. */
export function checkValidity(paths: readonly [Path, ...Path[]], now: number): void {
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
