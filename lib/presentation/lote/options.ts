import type { X509Certificate } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import type { CertificateTrust, Jwk } from '../../contracts/trust.js';
import type { FlowStore } from '../../contracts/store.js';
import { knownOptions, optionalDuration, stringList, wholeNumber } from '../../safe/check-options.js';
import { secureUrl } from '../../safe/urls.js';
import { readCertificatesIn } from '../x5c/anchors.js';
import { type Certificate, subjectOf } from '../x5c/certificate.js';
import { unsafeExponent, unsoundness } from '../x5c/strength.js';

/** A pinned certificate: only its key may sign the list, whatever else it may do. */
export interface Signer {
  readonly certificate: Certificate;
  readonly jwk: Jwk;
}

/** The entities whose services count. An undefined list does not limit. */
export interface EntityFilter {
  readonly territories: readonly string[] | undefined;
  readonly entities: readonly string[] | undefined;
}

/** The `lote` of a trust entry, parsed. Times in milliseconds. */
export interface LoteRules extends EntityFilter {
  readonly url: string;
  readonly signers: readonly Signer[];
  readonly minSequence: number;
  readonly maxStale: number;
  readonly store: FlowStore | undefined;
}

type LoteOptions = NonNullable<CertificateTrust['lote']>;

const optionNames = [
  'url',
  'signers',
  'territories',
  'entities',
  'minSequence',
  'maxStale',
  'store',
] as const satisfies readonly (keyof LoteOptions)[];

const defaultMaxStale = 3 * 24 * 60 * 60_000;

/** Parses the `lote` of a trust entry. */
export function parseLoteRules(value: unknown, where: string): LoteRules {
  const given = knownOptions(value, optionNames, where);
  const url = secureUrl(given.url, true)?.href;
  if (url === undefined) throw configInvalid(`${where}.url must be an https URL (http only on loopback).`);
  if (given.territories === undefined && given.entities === undefined) {
    throw configInvalid(
      `${where} must have territories or entities: any member state's CA could sign for this issuer otherwise.`,
    );
  }
  return {
    url,
    signers: stringList(given.signers, `${where}.signers`).flatMap((pem, index) =>
      readSigners(pem, `${where}.signers[${index}]`),
    ),
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

function readSigners(pem: string, where: string): Signer[] {
  return readCertificatesIn(pem, where).map((certificate) => {
    const why = unsoundness(certificate) ?? unsafeExponent(certificate);
    if (why === undefined) return { certificate, jwk: jwkOf(certificate.x509) };
    const name = subjectOf(certificate.x509);
    throw configInvalid(`${where} must be the certificate that signs the list: ${name} ${why}.`);
  });
}

function jwkOf({ publicKey }: X509Certificate): Jwk {
  return publicKey.export({ format: 'jwk' }) as Jwk;
}

const storeFunctions = ['create', 'read', 'replace'] as const;

function parseStore(value: unknown, where: string): FlowStore | undefined {
  if (value === undefined) return undefined;
  const store = value as Partial<Record<(typeof storeFunctions)[number], unknown>> | null;
  if (storeFunctions.every((name) => typeof store?.[name] === 'function')) return value as FlowStore;
  throw configInvalid(`${where} must have the functions ${storeFunctions.join(', ')}.`);
}
