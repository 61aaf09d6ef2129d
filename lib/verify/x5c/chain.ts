import { X509Certificate } from 'node:crypto';
import { enforce } from '../jose/check-failed.js';
import { type Chain, isIssuedBy, type PlainCertificate } from './certificate.js';
import type { Profile } from '../keys/key-source.js';
import type { Anchor } from './signer-policy.js';

const maxCertificates = 6;
const maxCertificateBytes = 16 * 1024;

/** Reads the certificates of a header's x5c, leaf first, as far as Node parses them (RFC 7515, section 4.1.6; K01). */
export function readX5c(x5c: unknown): Chain {
  enforce('K01', Array.isArray(x5c) && x5c.length !== 0, 'x5c is not a list of certificates.');
  enforce('K01', x5c.length <= maxCertificates, `x5c has more than ${maxCertificates} certificates.`);
  return x5c.map(readDer) as [PlainCertificate, ...PlainCertificate[]];
}

function readDer(text: unknown, index: number): PlainCertificate {
  enforce(
    'K01',
    typeof text === 'string' && text.length <= maxCertificateBytes,
    `x5c[${index}] is not a string of at most ${maxCertificateBytes} characters.`,
  );
  const der = Buffer.from(text, 'base64');
  enforce(
    'K01',
    der.toString('base64') === text,
    `x5c[${index}] is not standard base64: no PEM, no base64url, no spaces.`,
  );
  const certificate = parse(der);
  // Node reads PEM too, and does not mind what follows a certificate.
  enforce(
    'K01',
    certificate !== undefined && certificate.x509.raw.equals(der),
    `x5c[${index}] is not one certificate in DER with a known kind of key.`,
  );
  return certificate;
}

function parse(der: Buffer): PlainCertificate | undefined {
  try {
    const x509 = new X509Certificate(der);
    return { x509, key: x509.publicKey };
  } catch {
    return undefined;
  }
}

/**
 * Returns the chains to try, the shortest first. An anchor may be sent along, and the path ends before it (K04); but a
 * CA can be an anchor and stand below another one, and then the path may go on to that. HAIP 6.1.1 forbids to send an
 * anchor, and such a CA is none there.
 */
export function chainsIn(
  x5c: Chain,
  anchors: readonly Anchor[],
  profile: Profile,
): readonly [Chain, ...Chain[]] {
  const [leaf, ...others] = x5c;
  const sent = [...x5c.entries()].filter(([, it]) => anchors.some((anchor) => isSame(it, anchor)));
  const [first, ...more] = sent.map(([end]) => end);
  if (first === undefined) return [x5c];
  const unsent = anchors.filter((anchor) => !x5c.some((it) => isSame(it, anchor)));
  enforce(
    'K04',
    profile !== 'haip-1.0' || unsent.some((anchor) => isIssuedBy(others.at(-1) ?? leaf, anchor)),
    `x5c[${first}] is an anchor, which must not be sent.`,
  );
  const until = (end: number): Chain => [leaf, ...others.slice(0, Math.max(end - 1, 0))];
  return [until(first), ...more.map(until), x5c];
}

/** A trust anchor is a name and a key, however often its certificate was renewed (RFC 5280, section 6.1.1). */
function isSame({ x509, key }: PlainCertificate, anchor: Anchor): boolean {
  return x509.subject === anchor.x509.subject && key.equals(anchor.key);
}

/** Returns the anchors that issued the end of the chain (K03). */
export function issuersOf(chain: Chain, anchors: readonly Anchor[]): readonly [Anchor, ...Anchor[]] {
  const last = chain.at(-1) as PlainCertificate;
  const [first, ...others] = anchors.filter((anchor) => isIssuedBy(last, anchor));
  enforce('K03', first !== undefined, () => whyNoAnchor(chain, last, anchors), 'key_not_found');
  return [first, ...others];
}

function whyNoAnchor(chain: Chain, last: PlainCertificate, anchors: readonly Anchor[]): string {
  const end = `x5c[${chain.length - 1}]`;
  const named = anchors.find(({ x509 }) => x509.subject === last.x509.issuer);
  return named === undefined
    ? `No configured anchor issued ${end}, the end of the chain. Configured: ${namesOf(anchors)}.`
    : `${end} names the anchor ${named.name} as its issuer, but was not issued with its key.`;
}

const maxNames = 3;

function namesOf(anchors: readonly Anchor[]): string {
  if (anchors.length === 0) return 'none';
  const names = anchors.slice(0, maxNames).map(({ name }) => name);
  const more = anchors.length - names.length;
  return names.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
