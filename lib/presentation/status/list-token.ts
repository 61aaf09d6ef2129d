import { formatDuration } from '../../safe/time.js';
import { splitJws } from '../token/compact.js';
import { judgeHeader } from '../token/header.js';
import type { KeySource } from '../keys/key-source.js';
import { defaultLimits } from '../token/limits.js';
import { refusal } from '../token/check-failed.js';
import { type Seams, secondsNow } from '../token/runtime.js';
import { type JsonObject, decodeSegment, isObject, readObject } from '../token/segment.js';
import { judgeSignature } from '../token/signature.js';
import { timeOf } from '../token/times.js';
import { type StatusList, inflateList } from './status-list.js';

/** Who may sign a list: whoever may sign the credential. */
export interface ListRules {
  readonly keys: KeySource;
  readonly algorithms: readonly string[];
}

/** What a list token says. Times in seconds. */
export interface ListToken {
  readonly list: StatusList;
  readonly ttl: number | undefined;
  readonly exp: number | undefined;
}

const name = 'the status list token';
const clockTolerance = 5;

/** Judges a status list token that came from this address (T06 to T12); it is inflated only once it is believed. */
export async function judgeListToken(
  compact: string,
  uri: string,
  rules: ListRules,
  seams: Seams,
): Promise<ListToken> {
  const jws = splitJws(compact);
  if (jws === undefined) throw refusal('T06', 'it is not a compact JWS.');
  const header = judgeHeader(readObject(jws.header, name, defaultLimits), {
    name,
    types: ['statuslist+jwt'],
    algorithms: rules.algorithms,
    checks: { type: 'T06', algorithm: 'T06' },
  });
  const claims = readObject(jws.payload, name, defaultLimits);
  decodeSegment(jws.signature, name);
  if (claims['sub'] !== uri) throw refusal('T07', 'its sub is not the address that it came from.');
  const times = judgeListTimes(claims, secondsNow(seams.clock));
  const { bits, compressed } = readList(claims['status_list']);
  const key = await rules.keys({ header, claims }, seams);
  await judgeSignature(jws, key, header.alg, 'T06', 'it is not signed by its issuer.');
  return { ...times, list: await inflateList(compressed, bits) };
}

function judgeListTimes(claims: JsonObject, now: number): Pick<ListToken, 'ttl' | 'exp'> {
  const iat = timeOf(claims, 'iat', 'T08');
  const exp = timeOf(claims, 'exp', 'T09');
  const ttl = timeOf(claims, 'ttl', 'T10');
  if (iat === undefined) throw refusal('T08', 'it does not say when it was issued (iat).');
  if (iat > now + clockTolerance) {
    throw refusal('T08', `it was issued ${formatDuration(iat - now)} in the future.`);
  }
  if (exp !== undefined && exp <= now - clockTolerance) {
    throw refusal('T09', `it expired ${formatDuration(now - exp)} ago.`);
  }
  if (ttl !== undefined && ttl <= 0) throw refusal('T10', 'its ttl is not positive.');
  return { ttl, exp };
}

function readList(list: unknown): { bits: number; compressed: Buffer } {
  if (!isObject(list)) throw refusal('T11', 'it has no status_list.');
  const { bits, lst } = list;
  if (bits !== 1 && bits !== 2 && bits !== 4 && bits !== 8) {
    throw refusal('T11', 'its bits are not 1, 2, 4 or 8.');
  }
  if (typeof lst !== 'string') throw refusal('T12', 'its lst is not a string.');
  return { bits, compressed: decodeSegment(lst, 'its lst') };
}
