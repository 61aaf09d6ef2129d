import { hash } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import type { CertificateTrust, Jwk } from '../../types/trust.js';
import type { FlowStore } from '../../types/store.js';
import { knownOptions, optionalDuration, stringList, wholeNumber } from '../../internal/former-validate.js';
import { secureUrl } from '../../internal/urls.js';
import { readCertificatesIn } from '../x5c/anchors.js';
import { type Certificate, subjectName } from '../x5c/certificate.js';
import { whyUnsafeExponent, whyUnsound } from '../x5c/crypto-policy.js';

/** A pinned certificate: only its key may sign the list, whatever else it may do. */
export interface Signer {
  readonly certificate: Certificate;
  readonly jwk: Jwk;
  /** Identifies the key, in however many certificates and encodings it is: SHA-256 over its JWK. */
  readonly keyId: string;
}

/** How lists are put in order. */
export interface SequenceRules {
  readonly minSequence: number;
  /** The keys that sign lists now, by their ids. */
  readonly keyIds: readonly string[];
  /** True if the sequence number says nothing, and the issue time alone counts. */
  readonly byIssueTime: boolean;
}

/** The entities whose services count. An undefined list does not limit. */
export interface EntityFilter {
  readonly territories: readonly string[] | undefined;
  readonly entities: readonly string[] | undefined;
}

/** The `trustedList` of a trust entry, parsed. Times in milliseconds. */
export interface LoteRules extends EntityFilter, SequenceRules {
  readonly url: string;
  readonly signers: readonly Signer[];
  /** How far ahead the next update of a list may be. */
  readonly longestMs: number;
  readonly maxStale: number;
  readonly store: FlowStore | undefined;
}

type LoteOptions = NonNullable<CertificateTrust['trustedList']>;

const optionNames = [
  'url',
  'signers',
  'territories',
  'entities',
  'dangerouslyAllow',
  'minSequence',
  'maxStale',
  'store',
] as const satisfies readonly (keyof LoteOptions)[];

const dayMs = 24 * 60 * 60_000;
const defaultMaxStale = 3 * dayMs;
/** Six months, of which the longest have 184 days (ETSI TS 119 602, clause 6.3.15). */
const usualLongest = 184 * dayMs;
/** The life of the memory of the newest list. No list may be valid for longer: it could come back after it. */
export const memoryMs = 400 * dayMs;

type Danger = NonNullable<LoteOptions['dangerouslyAllow']>[number];
const dangers: readonly string[] = ['sequence-reset', 'long-validity'] satisfies readonly Danger[];

/** Parses the `trustedList` of a trust entry. */
export function parseLoteRules(value: unknown, where: string): LoteRules {
  const given = knownOptions(value, optionNames, where);
  const url = secureUrl(given.url, true)?.href;
  if (url === undefined) throw configInvalid(`${where}.url must be an https URL (http only on loopback).`);
  if (given.territories === undefined && given.entities === undefined) {
    throw configInvalid(
      `${where} must have territories or entities: any member state's CA could sign for this issuer otherwise.`,
    );
  }
  const signers = stringList(given.signers, `${where}.signers`).flatMap((pem, index) =>
    readSigners(pem, `${where}.signers[${index}]`),
  );
  const allowed = parseDangers(given.dangerouslyAllow, `${where}.dangerouslyAllow`);
  return {
    url,
    signers,
    keyIds: [...new Set(signers.map(({ keyId }) => keyId))],
    byIssueTime: allowed.includes('sequence-reset'),
    longestMs: allowed.includes('long-validity') ? memoryMs : usualLongest,
    territories: parseTerritories(given.territories, `${where}.territories`),
    entities: given.entities === undefined ? undefined : stringList(given.entities, `${where}.entities`),
    minSequence: wholeNumber(given.minSequence, 0, `${where}.minSequence`, [0, Number.MAX_SAFE_INTEGER]),
    maxStale: optionalDuration(given.maxStale, `${where}.maxStale`) ?? defaultMaxStale,
    store: parseStore(given.store, `${where}.store`),
  };
}

function parseTerritories(value: unknown, where: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const territories = stringList(value, where);
  if (territories.every((territory) => /^[A-Z]{2}$/.test(territory) && territory !== 'EU'))
    return territories;
  throw configInvalid(`${where} must be country codes such as DE.`);
}

function parseDangers(value: unknown, where: string): readonly string[] {
  if (value === undefined) return [];
  const given = stringList(value, where);
  if (given.every((it) => dangers.includes(it))) return given;
  throw configInvalid(`${where} may have ${dangers.join(' and ')}, and nothing else.`);
}

function readSigners(pem: string, where: string): Signer[] {
  return readCertificatesIn(pem, where).map((certificate) => {
    const why = whyUnsound(certificate) ?? whyUnsafeExponent(certificate);
    if (why === undefined) return signerOf(certificate);
    const name = subjectName(certificate.x509);
    throw configInvalid(`${where} must be the certificate that signs the list: ${name} ${why}.`);
  });
}

function signerOf(certificate: Certificate): Signer {
  const jwk = certificate.key.export({ format: 'jwk' }) as Jwk;
  return { certificate, jwk, keyId: hash('sha256', JSON.stringify(jwk), 'base64url') };
}

const storeFunctions = ['create', 'read', 'replace'] as const;

function parseStore(value: unknown, where: string): FlowStore | undefined {
  if (value === undefined) return undefined;
  const store = value as Partial<Record<(typeof storeFunctions)[number], unknown>> | null;
  if (storeFunctions.every((name) => typeof store?.[name] === 'function')) return value as FlowStore;
  throw configInvalid(`${where} must have the functions ${storeFunctions.join(', ')}.`);
}
