import { isObject, isOneOf, type JsonObject } from '../jose/decode.js';
import { enforce, passed } from '../jose/enforce.js';
import { type AnchorSet, toAnchor, whyNotAnchor, whyNotListedSigner } from '../x5c/anchors.js';
import { parseCertificate } from '../x5c/certificate.js';
import { type Anchor, type LeafRules, statusSigners } from '../x5c/signer-policy.js';
import { timeIn } from './list.js';
import type { LoteRules } from './list-rules.js';

const issuance = 'http://uri.etsi.org/19602/SvcType/PID/Issuance';
const revocation = 'http://uri.etsi.org/19602/SvcType/PID/Revocation';

/** What a certificate of a list is good for. */
interface Listed {
  readonly credential: Anchor | undefined;
  readonly leaf: Anchor | undefined;
  readonly statusList: Anchor | undefined;
}

/**
 * Makes the function that returns the anchors of the entities that count (L12 to L15): CAs of services in force, by what the
 * service is for, and end entities that issue PIDs themselves. History and pointers to other lists are never read (L16).
 * `now` in milliseconds. The certificates of the last list are kept by their texts: reading hundreds of them again would
 * block the process, and nearly all are the same.
 */
export function anchorReader(filter: LoteRules, leaf: LeafRules) {
  let last: ReadonlyMap<string, Listed> = new Map();
  return (entities: readonly unknown[], now: number): AnchorSet => {
    const read = new Map<string, Listed>();
    const listed = (text: string): Listed => {
      const one = read.get(text) ?? last.get(text) ?? judge(text, leaf);
      read.set(text, one);
      return one;
    };
    const services = entities.filter((entity) => counts(entity, filter)).flatMap(servicesOf);
    const listedFor = (type: string) =>
      services
        .filter((service) => service['ServiceTypeIdentifier'] === type && isInForce(service, now))
        .flatMap((service) => textsOf(service).map(listed));
    const issuing = listedFor(issuance);
    const revoking = listedFor(revocation);
    last = read;
    const credential = issuing.flatMap((one) => one.credential ?? []);
    const leaves = issuing.flatMap((one) => one.leaf ?? []);
    const isUseful = credential.length + leaves.length > 0;
    enforce('L15', isUseful, 'no entity in it that counts has a certificate that issues PIDs.');
    passed('L13');
    return { credential, statusList: revoking.flatMap((one) => one.statusList ?? []), leaves };
  };
}

function judge(text: string, leaf: LeafRules): Listed {
  const certificate = parseCertificate(Buffer.from(text, 'base64'));
  const isAnchor = certificate !== undefined && whyNotAnchor(certificate) === undefined;
  const isSigner = certificate !== undefined && whyNotListedSigner(certificate) === undefined;
  return {
    credential: isAnchor ? toAnchor(certificate, leaf) : undefined,
    leaf: isSigner ? toAnchor(certificate, leaf) : undefined,
    statusList: isAnchor ? toAnchor(certificate, statusSigners(leaf)) : undefined,
  };
}

/** Returns true for an entity of a configured territory, under all of its addresses, and of a configured name, if any (L14). */
function counts(entity: unknown, { territories, entities }: LoteRules): boolean {
  const { TrustedEntityInformation: information } = object(entity);
  const { TEAddress: address, TEName: names, TETradeName: tradeNames } = object(information);
  const countries = list(object(address)['TEPostalAddress']).map((part) => object(part)['Country']);
  const named = [...list(names), ...list(tradeNames)].map((part) => object(part)['value']);
  const isHere = countries.length > 0 && countries.every((country) => isOneOf(country, territories));
  const isNamed = entities === undefined || named.some((name) => isOneOf(name, entities));
  return isHere && isNamed;
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

function textsOf(service: JsonObject): string[] {
  const values = list(object(service['ServiceDigitalIdentity'])['X509Certificates']);
  return values.flatMap((value) => {
    const { val: text } = object(value);
    return typeof text === 'string' ? text : [];
  });
}

const object = (value: unknown): JsonObject => (isObject(value) ? value : {});

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
