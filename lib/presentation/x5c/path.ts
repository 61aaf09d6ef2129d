import { checkFailed } from '../token/check-failed.js';
import type { Profile } from '../keys/key-source.js';
import type { Anchor } from './anchors.js';
import { type Certificate, type Chain, type PlainCertificate, readCertificate } from './certificate.js';
import { issuersOf, withoutAnchors } from './chain.js';
import { isIssuedBy } from './issued-by.js';
import { checkPathLengths } from './path-length.js';
import { notIntermediate, notSigner } from './roles.js';
import { isSoundlySigned, unsoundness } from './strength.js';

/** A chain that passed every check except that of its validity period. */
export interface Path {
  readonly certificates: readonly Certificate[];
  /** The anchors that issued its end: more than one if a CA renewed its own certificate. */
  readonly anchors: readonly Anchor[];
}

/**
 * Checks the path from a leaf to a configured anchor (K03 to K05, K07, K08). It goes downwards from the anchor, so that
 * no key is used and no extension is read before a trusted CA has signed it.
 */
export function checkPath(x5c: Chain, anchors: readonly Anchor[], profile: Profile): Path {
  const chain = withoutAnchors(x5c, anchors, profile);
  const [leaf] = chain;
  if (leaf.x509.subject === leaf.x509.issuer) throw checkFailed('K05', 'x5c[0] is self-signed.');
  const issuing = issuersOf(chain, anchors);
  const certificates: Certificate[] = [];
  for (const [at, certificate] of [...chain.entries()].toReversed()) {
    const [issuer] = certificates;
    if (issuer !== undefined && !isIssuedBy(certificate, issuer)) {
      throw checkFailed('K08', `x5c[${at}] was not issued by x5c[${at + 1}].`);
    }
    certificates.unshift(checkCertificate(certificate, at));
  }
  checkSubject(leaf);
  return { certificates, anchors: checkPathLengths(certificates, issuing) };
}

function checkCertificate(plain: PlainCertificate, at: number): Certificate {
  const certificate = readCertificate(plain);
  if (certificate === undefined) throw checkFailed('K08', `x5c[${at}] has parts that cannot be read.`);
  if (!isSoundlySigned(certificate)) {
    throw checkFailed('K08', `x5c[${at}] is not signed with ECDSA or RSA and SHA-2.`);
  }
  const unsound = unsoundness(certificate);
  if (unsound !== undefined) throw checkFailed('K08', `x5c[${at}] ${unsound}.`);
  const misplaced = at === 0 ? notSigner(certificate) : notIntermediate(certificate);
  if (misplaced !== undefined) throw checkFailed('K07', `x5c[${at}] ${misplaced}.`);
  return certificate;
}

/** The issuer of the credential is the subject of the leaf, so the leaf must have one (RFC 5280, 4.1.2.6; K10). */
function checkSubject({ x509: { subject, subjectAltName } }: PlainCertificate): void {
  if (!subject && !subjectAltName) throw checkFailed('K10', 'x5c[0] names nobody: it has no subject.');
}
