import { formatDuration } from '../../internal/timeouts.js';
import { checkHeader, checkSignature, splitJws } from '../jose/jws.js';
import type { KeySource } from '../keys/key-source.js';
import { defaultLimits } from '../jose/limits.js';
import { enforce } from '../jose/check-failed.js';
import { type Runtime, secondsNow } from '../jose/clock-and-fetch.js';
import { decodeSegment, isObject, type JsonObject, readObject } from '../jose/segment.js';
import { timeOf } from '../jose/times.js';
import { inflateList, type StatusList } from './status-list.js';

/** The keys and algorithms of a list: those of the credential. */
export interface ListRules {
  readonly keys: KeySource;
  readonly algorithms: readonly string[];
}

/** The content of a list token. Times in seconds. */
export interface ListToken {
  readonly list: StatusList;
  readonly ttl: number | undefined;
  readonly exp: number | undefined;
}

const name = 'the status list token';
const clockTolerance = 5;

/** Checks a status list token from this address (T06 to T12, T20). The list is inflated only after its signature is good. */
export async function checkListToken(
  compact: string,
  uri: string,
  rules: ListRules,
  runtime: Runtime,
): Promise<ListToken> {
  const jws = splitJws(compact);
  enforce('T06', jws !== undefined, 'it is not a compact JWS.');
  const header = checkHeader(readObject(jws.header, name, defaultLimits), {
    name,
    types: ['statuslist+jwt'],
    algorithms: rules.algorithms,
    checks: { type: 'T06', algorithm: 'T06' },
  });
  const claims = readObject(jws.payload, name, defaultLimits);
  decodeSegment(jws.signature, name);
  enforce('T07', claims['sub'] === uri, 'its sub is not the address that it came from.');
  const times = checkListTimes(claims, secondsNow(runtime.clock));
  const { bits, compressed } = readList(claims['status_list']);
  const key = await rules.keys({ header, claims, use: 'statusList' }, runtime);
  await checkSignature(jws, key, header.alg, 'T06', 'it is not signed by its issuer.');
  return { ...times, list: await inflateList(compressed, bits) };
}

function checkListTimes(claims: JsonObject, now: number): Pick<ListToken, 'ttl' | 'exp'> {
  const iat = timeOf(claims, 'iat', 'T08');
  const exp = timeOf(claims, 'exp', 'T09');
  const nbf = timeOf(claims, 'nbf', 'T20');
  const ttl = timeOf(claims, 'ttl', 'T10');
  enforce('T08', iat !== undefined, 'it does not say when it was issued (iat).');
  enforce(
    'T08',
    iat <= now + clockTolerance,
    () => `it was issued ${formatDuration(iat - now)} in the future.`,
  );
  if (nbf !== undefined) {
    enforce('T20', nbf <= now + clockTolerance, () => `it is valid only in ${formatDuration(nbf - now)}.`);
  }
  if (exp !== undefined) {
    enforce('T09', exp > now - clockTolerance, () => `it expired ${formatDuration(now - exp)} ago.`);
  }
  enforce('T10', ttl === undefined || ttl > 0, 'its ttl is not positive.');
  return { ttl, exp };
}

function readList(list: unknown): { bits: number; compressed: Buffer } {
  enforce('T11', isObject(list), 'it has no status_list.');
  const { bits, lst } = list;
  enforce('T11', bits === 1 || bits === 2 || bits === 4 || bits === 8, 'its bits are not 1, 2, 4 or 8.');
  enforce('T12', typeof lst === 'string', 'its lst is not a string.');
  return { bits, compressed: decodeSegment(lst, 'its lst') };
}
