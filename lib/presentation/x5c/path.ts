import { refusal } from '../token/check-failed.js';
import type { Profile } from '../keys/key-source.js';
import type { Anchor } from './anchors.js';
import { type Certificate, type Chain, type PlainCertificate, readCertificate } from './certificate.js';
import { issuersOf, withoutAnchors } from './chain.js';
import { isIssuedBy } from './issued-by.js';
import { judgePathLengths } from './path-length.js';
import { notIntermediate, notSigner } from './roles.js';
import { isSoundlySigned, unsoundness } from './strength.js';

/** A chain of which all is judged but the day. */
export interface Path {
  readonly certificates: readonly Certificate[];
  /** The anchors that issued its end: more than one where a CA renewed its own certificate. */
  readonly anchors: readonly Anchor[];
}

/**
 * Judges the path from a leaf to an anchor of the configuration (K03 to K05, K07, K08). It goes downwards from the
 * anchor, so that no key is used and no extension read before someone trusted has signed it.
 */
export function judgePath(x5c: Chain, anchors: readonly Anchor[], profile: Profile): Path {
  const chain = withoutAnchors(x5c, anchors, profile);
  const [leaf] = chain;
  if (leaf.x509.subject === leaf.x509.issuer) throw refusal('K05', 'x5c[0] is self-signed.');
  const issuing = issuersOf(chain, anchors);
  const certificates: Certificate[] = [];
  for (const [at, certificate] of [...chain.entries()].toReversed()) {
    const [issuer] = certificates;
    if (issuer !== undefined && !isIssuedBy(certificate, issuer)) {
      throw refusal('K08', `x5c[${at}] was not issued by x5c[${at + 1}].`);
    }
    certificates.unshift(judgeCertificate(certificate, at));
  }
  judgeSubject(leaf);
  return { certificates, anchors: judgePathLengths(certificates, issuing) };
}

function judgeCertificate(plain: PlainCertificate, at: number): Certificate {
  const certificate = readCertificate(plain);
  if (certificate === undefined) throw refusal('K08', `x5c[${at}] has parts that cannot be read.`);
  if (!isSoundlySigned(certificate)) {
    throw refusal('K08', `x5c[${at}] is not signed with ECDSA or RSA and SHA-2.`);
  }
  const unsound = unsoundness(certificate);
  if (unsound !== undefined) throw refusal('K08', `x5c[${at}] ${unsound}.`);
  const misplaced = at === 0 ? notSigner(certificate) : notIntermediate(certificate);
  if (misplaced !== undefined) throw refusal('K07', `x5c[${at}] ${misplaced}.`);
  return certificate;
}

/** The issuer of the credential is the subject of the leaf: someone must be named (RFC 5280, 4.1.2.6; K10). */
function judgeSubject({ x509: { subject, subjectAltName } }: PlainCertificate): void {
  if (!subject && !subjectAltName) throw refusal('K10', 'x5c[0] names nobody: it has no subject.');
}
