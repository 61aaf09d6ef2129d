import type { CheckNumber } from '../checks.js';
import { isDay } from '../../internal/dates.js';
import { sha256 } from '../../internal/sha256.js';
import { checkHeader, fits, isSignedBy, type Jws, type JwsHeader, splitJws } from '../jose/jws.js';
import { enforce } from '../jose/enforce.js';
import {
  decodeSegment,
  isObject,
  type JsonObject,
  readObject,
  startReading,
  type TokenLimits,
} from '../jose/decode.js';
import { whyOutsideValidity } from '../x5c/certificate.js';
import type { LoteRules } from './list-rules.js';

/** The largest list that is read, in bytes. The list of the whole Union has some hundred kilobytes. */
export const maxBytes = 5 * 1024 * 1024;
const limits: TokenLimits = {
  length: maxBytes,
  disclosures: 0,
  disclosureLength: 0,
  depth: 32,
  arrayLength: 10_000,
  values: 200_000,
};
const algorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
const name = 'the list';

/** A list that its signer vouches for. Times in milliseconds. */
export type SignedList = Awaited<ReturnType<typeof checkList>>;

/**
 * Checks a list of trusted entities (ETSI TS 119 602) that is a compact JWS of a pinned signer (L01 to L07, L10, L11).
 * `now` in milliseconds.
 */
export async function checkList(compact: string, { signers, longestMs }: LoteRules, now: number) {
  const jws = splitJws(compact.trim());
  enforce('L01', jws !== undefined, 'it is not a compact JWS.');
  const reading = startReading(limits);
  const { alg, typ } = checkListHeader(readObject(jws.header, name, reading), now);
  decodeSegment(jws.signature, name);
  const keyId = await checkSigner(jws, alg, signers, now);
  const payload = readObject(jws.payload, name, reading);
  const isList = typ === ownType || Object.keys(payload).every((member) => members.includes(member));
  enforce('L02', isList, `its typ is not ${ownType}, and it has more members than ${members.join(', ')}.`);
  const { LoTE: lote } = payload;
  const { ListAndSchemeInformation: scheme, TrustedEntitiesList: entities } = isObject(lote) ? lote : {};
  enforce('L07', isObject(scheme) && Array.isArray(entities), 'it is not a list of trusted entities.');
  const times = checkScheme(scheme, now, longestMs);
  // Two lists of one sequence number must be the same.
  return { ...times, keyId, entities: entities as readonly unknown[], digest: sha256(jws.payload) };
}

/** The type that says what the JWS is. TS 119 602 asks for none, and others write one that says nothing, or none. */
const ownType = 'trustlist+jwt';
const types = [ownType, 'JOSE', 'JWT'];
/** The members of a payload that can be taken for nothing but a list. */
const members = ['LoTE', 'iat', 'exp'];

/**
 * Checks the header (L02, L03). The signature is a JAdES one, which declares its time as critical in the form of before
 * V1.2.1 (TS 119 182-1, clause 5.2.1). No other token may do that.
 */
function checkListHeader(header: JsonObject, now: number): JwsHeader {
  const { crit, ...others } = header;
  const hasSigningTime = Array.isArray(crit) && crit.length === 1 && crit[0] === 'sigT';
  if (hasSigningTime) {
    const signed = timeIn(header['sigT'], 'L10');
    enforce('L10', signed <= now + clockToleranceMs, 'it was signed in the future.');
  }
  const rules = { name, types, algorithms, checks: { type: 'L02', algorithm: 'L03' } } as const;
  return checkHeader({ typ: 'JOSE', ...(hasSigningTime ? others : header) }, rules);
}

/** Returns the id of the key. It is pinned: nothing in the header supplies or selects one (L03, L05, L06). */
async function checkSigner(jws: Jws, alg: string, signers: LoteRules['signers'], now: number) {
  const fitting = signers.filter(({ jwk }) => fits(jwk, alg));
  enforce('L03', fitting.length > 0, 'its alg does not fit the key of its signer.');
  const signed = Buffer.from(`${jws.header}.${jws.payload}`, 'latin1');
  const signature = Buffer.from(jws.signature, 'base64url');
  const signing: LoteRules['signers'] = [];
  for (const signer of fitting) {
    if (await isSignedBy(signer.certificate.key, alg, signed, signature)) signing.push(signer);
  }
  enforce('L05', signing.length > 0, 'it is not signed by a configured signer.');
  const reasons = signing.map(({ certificate }) => whyOutsideValidity(certificate, now / 1000));
  const valid = signing[reasons.indexOf(undefined)];
  enforce('L06', valid !== undefined, `the certificate of its signer ${reasons.join(', ')}.`);
  return valid.keyId;
}

const listType = 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList';
const clockToleranceMs = 5000;

function checkScheme(scheme: JsonObject, now: number, longestMs: number) {
  const { LoTEType: type, LoTEVersionIdentifier: version, LoTESequenceNumber: sequence } = scheme;
  enforce('L07', type === listType, 'it is not the list of PID providers (LoTEType).');
  enforce('L07', version === 1, 'its version is not 1.');
  const isNumber = typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0;
  enforce('L08', isNumber, 'it has no sequence number.');
  const issued = timeIn(scheme['ListIssueDateTime'], 'L10');
  enforce('L10', issued <= now + clockToleranceMs, 'it was issued in the future.');
  const nextUpdate = timeIn(scheme['NextUpdate'], 'L11');
  enforce('L11', nextUpdate > now, 'its next update is overdue.');
  const days = longestMs / 86_400_000;
  enforce('L11', nextUpdate <= now + longestMs, `its next update is more than ${days} days ahead.`);
  return { sequence, issued, nextUpdate };
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a date and time with its zone, in milliseconds. */
export function timeIn(value: unknown, check: CheckNumber): number {
  const time = typeof value === 'string' && dateTime.test(value) ? Date.parse(value) : Number.NaN;
  const isTime = Number.isFinite(time) && isDay(String(value).slice(0, 10));
  enforce(check, isTime, 'it contains an invalid timestamp.');
  return time;
}
