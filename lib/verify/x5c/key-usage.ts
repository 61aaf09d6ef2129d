import { KeyUsageFlags, anyExtendedKeyUsage } from '@peculiar/asn1-x509';
import { checkFailed, enforce, passed } from '../jose/check-failed.js';
import type { Certificate } from './certificate.js';
import { type Anchor, isRelyingParty, type LeafRules, missingIn, purposesFor } from './signer-policy.js';

/** Returns why a certificate may not issue others (K07). Old anchors have no key usage, which forbids nothing. */
export function whyNotIssuer({ isCa, keyUsage, x509 }: Certificate): string | undefined {
  if (!isCa) return 'is not a CA';
  if (!x509.subject) return 'has no subject';
  if (keyUsage !== undefined && !(keyUsage & KeyUsageFlags.keyCertSign))
    return 'may not sign certificates (key usage)';
  return undefined;
}

/** An intermediate CA must have the key usage to sign certificates (RFC 5280, section 4.2.1.3). */
export function whyNotIntermediate(certificate: Certificate): string | undefined {
  return certificate.keyUsage === undefined ? 'has no key usage' : whyNotIssuer(certificate);
}

/** Returns why a certificate may not sign data (K07). */
export function whyNotSigner({ isCa, keyUsage = 0 }: Certificate): string | undefined {
  if (isCa) return 'is a CA';
  return keyUsage & KeyUsageFlags.digitalSignature ? undefined : 'may not sign (key usage)';
}

/**
 * Checks the leaf and the extended key usage of a path, and returns the anchors that allow both (K18, K20). A certificate
 * without extended key usage has every purpose.
 */
export function anchorsForLeaf(
  certificates: readonly [Certificate, ...Certificate[]],
  anchors: readonly [Anchor, ...Anchor[]],
): readonly Anchor[] {
  const [leaf, ...issuers] = certificates;
  enforce('K18', !isRelyingParty(leaf), 'x5c[0] is for a relying party or TLS (extended key usage).');
  const refusals = anchors.flatMap((anchor) => refusalBy(anchor, leaf, issuers) ?? []);
  const [refusal] = refusals;
  if (refusal !== undefined && refusals.length === anchors.length) throw refusal;
  passed('K18');
  passed('K20');
  return anchors.filter((anchor) => refusalBy(anchor, leaf, issuers) === undefined);
}

/** Returns why an anchor does not allow this leaf. */
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
  const missing = missingIn(leaf, anchor.leaf);
  if (missing !== undefined) return checkFailed('K20', `x5c[0] ${missing}.`);
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

function certifies({ purposes }: Certificate, purpose: string): boolean {
  const fitting = [purpose, anyExtendedKeyUsage, caPurposes.get(purpose)];
  return purposes?.some((allowed) => fitting.includes(allowed)) ?? true;
}

/** Returns true if a certificate below this anchor could sign what the rules are for. */
export function certifiesAny(anchor: Anchor, rules: LeafRules): boolean {
  return purposesFor(rules, [anchor]).some((purpose) => certifies(anchor, purpose));
}
