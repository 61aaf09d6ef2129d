import { X509Certificate } from 'node:crypto';
import { enforce, passed } from '../jose/check-failed.js';
import { isObject, type JsonObject } from '../jose/segment.js';
import { type AnchorSet, anchorOf, leafOf, withKey } from '../x5c/anchors.js';
import type { Certificate } from '../x5c/certificate.js';
import { type Anchor, type LeafRules, statusSigners } from '../x5c/signer-policy.js';
import { timeIn } from './list.js';
import type { EntityFilter } from './options.js';

const issuance = 'http://uri.etsi.org/19602/SvcType/PID/Issuance';
const revocation = 'http://uri.etsi.org/19602/SvcType/PID/Revocation';

/**
 * Returns the anchors of the entities that count (L12 to L15): CAs of services in force, by what the service is for, and
 * end entities that issue PIDs themselves. History and pointers to other lists are never read (L16). `now` in milliseconds.
 */
export function anchorsIn(
  entities: readonly unknown[],
  filter: EntityFilter,
  leaf: LeafRules,
  now: number,
): AnchorSet {
  const services = entities.filter((entity) => counts(entity, filter)).flatMap(servicesOf);
  const of = (type: string): readonly Certificate[] =>
    services
      .filter((service) => service['ServiceTypeIdentifier'] === type && isInForce(service, now))
      .flatMap((service) => certificatesOf(service).flatMap((text) => parse(text) ?? []));
  const issuing = of(issuance);
  const credential = usable(issuing, anchorOf, leaf);
  const leaves = usable(issuing, leafOf, leaf);
  enforce(
    'L15',
    credential.length + leaves.length > 0,
    'no entity in it that counts has a certificate that issues PIDs.',
  );
  passed('L13');
  return { credential, statusList: usable(of(revocation), anchorOf, statusSigners(leaf)), leaves };
}

/** Leaves out certificates that cannot have this role. */
function usable(
  certificates: readonly Certificate[],
  as: (certificate: Certificate, rules: LeafRules) => Anchor | string,
  rules: LeafRules,
): readonly Anchor[] {
  return certificates.map((certificate) => as(certificate, rules)).filter((it) => typeof it !== 'string');
}

/** Returns true for an entity of a configured territory, under all of its addresses, or with a configured name (L14). */
function counts(entity: unknown, { territories, entities }: EntityFilter): boolean {
  const { TrustedEntityInformation: information } = object(entity);
  const { TEAddress: address, TEName: names, TETradeName: tradeNames } = object(information);
  const countries = list(object(address)['TEPostalAddress']).map((it) => object(it)['Country']);
  const named = [...list(names), ...list(tradeNames)].map((it) => object(it)['value']);
  const isHere = countries.length > 0 && countries.every((country) => isOneOf(territories, country));
  return (
    (territories === undefined || isHere) &&
    (entities === undefined || named.some((it) => isOneOf(entities, it)))
  );
}

function isOneOf(allowed: readonly string[] | undefined, value: unknown): boolean {
  return typeof value === 'string' && allowed?.includes(value) === true;
}

function servicesOf(entity: unknown): JsonObject[] {
  return list(object(entity)['TrustedEntityServices']).map((service) =>
    object(object(service)['ServiceInformation']),
  );
}

/** The profile of PID providers leaves the status out: to be on the list is to be notified. Another list may state it. */
const inForce = /^http:\/\/uri\.etsi\.org\/[\w/]+\/(notified|granted)$/;

/** Returns true for a service whose status, if any, is in force and has begun (L13). */
function isInForce({ ServiceStatus: status, StatusStartingTime: start }: JsonObject, now: number): boolean {
  if (status !== undefined && !(typeof status === 'string' && inForce.test(status))) return false;
  return start === undefined || timeIn(start, 'L13') <= now;
}

function certificatesOf(service: JsonObject): string[] {
  const certificates = list(object(service['ServiceDigitalIdentity'])['X509Certificates']);
  return certificates.map((it) => object(it)['val']).filter((text) => typeof text === 'string');
}

function parse(text: string): Certificate | undefined {
  try {
    return withKey(new X509Certificate(Buffer.from(text, 'base64')));
  } catch {
    return undefined;
  }
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
