import type { Expected, SdJwtVcTrust } from '../../../lib/types/trust.js';
import { type Authority, type CertificatePlan, alternativeNames, certify } from './certificates.js';
import { extension, pemOf, policies, x5cOf } from './certificates.js';
import { audience, erika, iss, issuerKeys, mint, now, nowSeconds, vct } from './issuer.js';
import type { Mutant } from './mutants.js';

const root = certify({ subject: 'PID Root', isCa: true });
const foreign = certify({ subject: 'PID Root', isCa: true });
const readers = certify({ subject: 'Readers', issuer: root, isCa: true, purposes: ['1.0.18013.5.1.6'] });
const reader = '1.0.18013.5.1.6';
const tls = '1.3.6.1.5.5.7.3.1';

const policy = '1.2.3.4.5';
const named = (name: string) => [alternativeNames({ dNSName: name }), policies(policy)];
const caWith = (...more: readonly Buffer[]) => certify({ subject: 'PID CA', issuer: root, isCa: true, more });
const otherPolicy = caWith(policies('1.2.3.4.9'));
const constrained = caWith(policies(policy), extension('2.5.29.36', '3003800100'));

/** A chain of one certificate with the issuer's own key. */
const leafWith = (change: Partial<CertificatePlan> = {}): Authority =>
  certify({
    subject: 'PID Issuer',
    issuer: root,
    keys: issuerKeys,
    more: named('issuer.example'),
    ...change,
  });
const good = leafWith();

/** A trust entry that asks for everything that one can ask for. */
export const strictEntry: SdJwtVcTrust = {
  format: 'sd-jwt-vc',
  profile: 'haip-1.0',
  keys: {
    x5c: {
      anchors: [pemOf(root)],
      leaf: { subject: { CN: 'PID Issuer' }, policies: [policy], requireIssuerInSan: true },
    },
  },
  iss,
  vct: [vct],
  keyBinding: { nonce: 'state-sha256', audience: [audience, 'x509_hash:renewed'] },
  maxCredentialAge: 86_400,
};

/** What its flow asks for. */
export const strictExpected: Omit<Expected, 'state'> = {
  issuer: 'de-ausweis',
  reveal: ['given_name', 'age_over_18'],
  derived: { nationality: 'DE' },
  startedAt: new Date(now.getTime() - 60_000),
};

const contradiction = { birthdate: '2010-01-01', age_equal_or_over: { 18: true } };
const derived = { derived: { nationality: '1' }, derived_for: { nationality: 'DE' } };

/** Presentations with one fault each that the strict entry must refuse, and the one without a fault. */
export function entryMutants(nonce: string): {
  readonly good: () => string;
  readonly mutants: readonly Mutant[];
} {
  const made = (
    payload: Readonly<Record<string, unknown>> = {},
    chain: readonly Authority[] = [good],
    aud = audience,
    sd: Readonly<Record<string, unknown>> = erika,
  ) =>
    mint({
      sd,
      header: { x5c: x5cOf(...chain) },
      payload: { iat: nowSeconds, ...derived, ...payload },
      binding: { payload: { nonce, aud } },
    });
  const mutant = (check: string, what: string, token: () => string): Mutant => ({ check, what, token });
  const chain = (check: string, what: string, change: Partial<CertificatePlan>, ...others: Authority[]) =>
    mutant(check, what, () => made({}, [leafWith(change), ...others]));
  const claims = (check: string, what: string, payload: Readonly<Record<string, unknown>>) =>
    mutant(check, what, () => made(payload));

  return {
    good: () => made(),
    mutants: [
      chain('K03', 'an anchor of the same name and another key', { issuer: foreign }),
      mutant('K04', 'the anchor sent along', () => made({}, [good, root])),
      chain('K05', 'a self-signed leaf', { issuer: undefined }),
      chain('K06', 'a leaf that has expired', { notAfter: -60 }),
      chain('K07', 'a leaf that is a CA', { isCa: true }),
      chain('K10', 'a leaf that names another host', { more: named('other.example') }),
      chain('K10', 'a leaf without an alternative name', { more: [policies(policy)] }),
      claims('K10', 'an iss that the entry does not allow', { iss: 'https://other.example' }),
      chain('K18', 'a leaf for reader authentication', { purposes: [reader] }),
      chain('K18', 'a leaf for signing and for reader authentication', {
        purposes: ['1.0.18013.5.1.2', reader],
      }),
      chain('K18', 'a leaf for TLS', { purposes: [tls] }),
      chain('K18', 'a leaf for anything that is not signing', { purposes: ['1.2.3.4'] }),
      chain('K18', 'a CA that certifies readers', { issuer: readers }, readers),
      chain('K20', 'a leaf of another name', { subject: 'Diploma Issuer' }),
      chain('K20', 'a leaf without the policy', { more: [alternativeNames({ dNSName: 'issuer.example' })] }),
      chain('K20', 'a CA of another policy', { issuer: otherPolicy }, otherPolicy),
      chain('K08', 'a CA with policy constraints', { issuer: constrained }, constrained),
      claims('C08', 'neither exp nor status', { exp: undefined }),
      claims('C08', 'no iat', { iat: undefined }),
      claims('C08', 'issued two days ago', { iat: nowSeconds - 172_800 }),
      mutant('B08', 'a client id that is neither the old nor the new one', () =>
        made({}, [good], 'x509_hash:another'),
      ),
      claims('B19', 'a derived result for another value', { derived_for: { nationality: 'FR' } }),
      claims('B19', 'a derived result without its value', { derived_for: undefined }),
      claims('B19', 'a derived result that is older than the flow', { iat: nowSeconds - 600 }),
      mutant('C17', 'an age that the date of birth contradicts', () =>
        made({}, [good], audience, { ...erika, ...contradiction }),
      ),
      claims('C15', 'a derived result that is true', { derived: { nationality: true } }),
    ],
  };
}
