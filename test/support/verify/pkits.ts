import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { root } from '../root.js';
import type { Verifier } from '../../../lib/types/trust.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { clock } from './issuer.js';
import { expected, present, trustIn } from './verdicts.js';

/** A certificate of NIST's suite (test/vectors/pkits, with its source). */
export interface Named {
  readonly name: string;
  readonly pem: string;
  readonly x509: X509Certificate;
}

const text = readFileSync(`${root}/test/vectors/pkits/certificates.pem`, 'latin1');
export const all: readonly Named[] = [
  ...text.matchAll(/^(\w+)\n(-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----)$/gm),
].map(([, name = '', pem = '']) => ({ name, pem, x509: new X509Certificate(pem) }));

const anchor = all.find(({ name }) => name === 'TrustAnchorRootCertificate') as Named;
export const { pem: anchorPem } = anchor;

const canonical = (name: unknown): string => String(name).toLowerCase().replaceAll(/ +/g, ' ');
const subjects = all.map((one) => [canonical(one.x509.subject), one] as const);

/** Who may be meant by the name of an issuer: without regard to case and spaces, or else as OpenSSL compares names. */
function issuersOf({ x509 }: Named): readonly Named[] {
  const name = canonical(x509.issuer);
  const named = subjects.flatMap(([subject, one]) => (subject === name ? [one] : []));
  return named.length > 0 ? named : all.filter((one) => x509.checkIssued(one.x509));
}

const longest = 6;

/** Every path from a certificate to the anchor by name, whether one issued the other or not. */
function pathsFrom(last: Named, below: readonly Named[] = []): (readonly Named[])[] {
  const path = [...below, last];
  if (path.length > longest) return [];
  return issuersOf(last).flatMap((issuer) => {
    if (issuer === anchor) return [path];
    return path.includes(issuer) ? [] : pathsFrom(issuer, path);
  });
}

/** A case of the suite: an end entity (`…EE`), with every path that could lead to the anchor, or itself alone. */
export const cases = all
  .filter(({ name }) => name.endsWith('EE'))
  .map((end) => {
    const paths = pathsFrom(end);
    return { name: end.name.slice(0, -2), paths: paths.length === 0 ? [[end]] : paths };
  });

const verifiers = new Map<string | undefined, Verifier | undefined>();

/** A verifier that trusts the anchor, for leaves with this policy. */
function verifierFor(policy: string | undefined): Verifier | undefined {
  if (verifiers.has(policy)) return verifiers.get(policy);
  const x5c = { anchors: [anchorPem], leaf: policy === undefined ? {} : { policies: [policy] } };
  const trust = trustIn({ keys: { x5c }, algorithms: ['RS256', 'ES256'] });
  const verifier = createVerifiers(trust, { clock }).get('de-ausweis');
  verifiers.set(policy, verifier);
  return verifier;
}

/**
 * `accepted`, or the check that refuses a path. Nobody here has the key of its end entity, so what is good but for that
 * ends at the signature (K02).
 */
export async function judgePath(path: readonly Named[], policy?: string): Promise<string> {
  const header = { alg: 'RS256', x5c: path.map(({ x509 }) => x509.raw.toString('base64')) };
  const token = present({ header, payload: { iss: undefined } });
  const verdict = await verifierFor(policy)?.(token, expected);
  if (verdict?.valid !== false) throw new Error('Nobody signed this.');
  return verdict.check === 'K02' ? 'accepted' : String(verdict.check);
}

/** What the kit says of a case: accepted by one of its paths, or the checks that refuse them. */
export async function judgeCase({ paths }: (typeof cases)[number], policy?: string): Promise<string> {
  const said = new Set<string>();
  for (const path of paths) said.add(await judgePath(path, policy));
  return said.has('accepted') ? 'accepted' : [...said].toSorted().join(' ');
}

/** The policies of the suite by number. */
export const policyOf = (number: number): string => `2.16.840.1.101.3.2.1.48.${number}`;
