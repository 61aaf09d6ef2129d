import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { IdentityError, kitError } from '../../errors.js';
import { mediaType, requestBounded, UnusableReply } from '../../internal/http.js';
import { type Loaded, type Remote, remote } from '../../internal/remote.js';
import {
  type Cancellation,
  formatDuration,
  TimeoutError,
  withTimeoutSignal,
} from '../../internal/timeouts.js';
import { type Runtime, secondsNow } from '../jose/clock.js';
import { checkPeriod, timeOf } from '../jose/times.js';
import { decodeSegment, defaultLimits, isObject, type JsonObject, startReading } from '../jose/decode.js';
import { checkFailed, enforce, passed } from '../jose/enforce.js';
import { checkSignature, readJws, splitJws } from '../jose/jws.js';
import { freshFor } from '../keys/fetch-document.js';
import type { KeySource } from '../keys/key-source.js';

/** The keys and algorithms of a list: those of the credential. */
export interface ListRules {
  readonly keys: KeySource;
  readonly algorithms: readonly string[];
}

/** A status list, inflated. */
export interface StatusList {
  readonly bits: number;
  readonly bytes: Uint8Array;
}

/**
 * A status list as it is kept: inflated too, because inflating a list of a million entries costs as much as both signatures of
 * a presentation, or more. Where there is no room for that, it is inflated again, and not fetched again.
 */
export interface KeptList {
  readonly bits: number;
  readonly compressed: Uint8Array;
  /** How many bytes it has inflated. */
  readonly length: number;
  /** Undefined while there is no room. Those who need it at once inflate it once. */
  inflated: Promise<Uint8Array> | undefined;
  /** The trust that its signature was checked with. */
  readonly generation?: unknown;
}

const maxLists = 256;
/** Of all lists as they are fetched, and of all that are inflated. */
const maxKeptBytes = 32 * 1024 * 1024;

/**
 * Keeps lists by address while they are fresh (T16, T21). Callers that need the same list share one fetch (T17). A list
 * of a signer who is no longer trusted does not count, even if it was under way when that ended (L20). The least
 * recently used lists make room for new ones.
 */
export function keepLists(
  load: (uri: string, runtime: Runtime) => Promise<Loaded<KeptList>>,
  currentGeneration: () => unknown = () => undefined,
): (uri: string, runtime: Runtime) => Promise<StatusList> {
  const lists = new Map<string, Remote<KeptList, Runtime>>();
  const listAt = (uri: string): Remote<KeptList, Runtime> =>
    remote({
      load: async (runtime) => await load(uri, runtime),
      // Only credentials that passed every other check come here: nobody can cause fetches with forged ones.
      cooldown: 0,
      stillCounts: ({ generation }) => generation === currentGeneration(),
    });
  const makeRoom = (): void => {
    let [compressed, inflated] = [0, 0];
    for (const [index, [uri, list]] of [...lists].toReversed().entries()) {
      const latest = list.latest();
      compressed += latest?.compressed.length ?? 0;
      if (index >= maxLists || compressed > maxKeptBytes) lists.delete(uri);
      if (latest?.inflated === undefined) continue;
      inflated += latest.length;
      if (inflated > maxKeptBytes) latest.inflated = undefined;
    }
  };
  return async (uri, runtime) => {
    const list = lists.get(uri) ?? listAt(uri);
    lists.delete(uri);
    lists.set(uri, list);
    try {
      const kept = await list.current(runtime);
      const { bits } = kept;
      return { bits, bytes: await (kept.inflated ??= inflateList(kept.compressed)) };
    } finally {
      makeRoom();
    }
  };
}

/** Covers everything about one list. It ends before the kit's own five seconds, because a person waits. */
const deadlineMs = 4000;
const maxFreshMs = 24 * 60 * 60_000;

export async function loadList(uri: string, rules: ListRules, runtime: Runtime): Promise<Loaded<KeptList>> {
  try {
    return await withTimeoutSignal(deadlineMs, async (deadline) => {
      const reply = await fetchList(runtime, uri, deadline);
      const at = runtime.clock().getTime();
      const generation = rules.keys.generation?.();
      const { ttl, exp = Infinity, ...list } = await checkListToken(reply.text, uri, rules, runtime);
      passed('T18');
      const freshMs = ttl === undefined ? freshFor(reply) : Math.min(ttl * 1000, maxFreshMs);
      return { value: { ...list, generation }, at, freshUntil: Math.min(at + freshMs, exp * 1000) };
    });
  } catch (error) {
    if (error instanceof TimeoutError) throw unknownStatus('T18', 'its server did not answer in time.');
    if (!(error instanceof IdentityError) || error.check === undefined) throw error;
    throw unknownStatus(error.check, error.message);
  }
}

/** A bad list says nothing about the credential: a later delivery may find its status (T18). */
function unknownStatus(check: string, why: string): Error {
  const message = `The credential's status list cannot be used: ${why}`;
  return kitError('credential_status_unavailable', { check, message });
}

/** A compressed list of a million people is some tens of kilobytes, and 700 kB where half of them are revoked. */
const maxListBytes = 4 * 1024 * 1024;
const listType = 'application/statuslist+jwt';

/** Fetches a status list token, which its server should compress with gzip (Token Status List, section 8.2; T05). */
async function fetchList(runtime: Runtime, uri: string, deadline: Cancellation) {
  const request = { headers: { accept: listType }, maxBytes: maxListBytes, gzip: true };
  const reply = await requestBounded(runtime, uri, request, deadline).catch((error: unknown) => {
    if (error instanceof UnusableReply) throw checkFailed('T05', `the reply is ${error.what}.`);
    throw checkFailed('T18', 'its server could not be reached.');
  });
  const { status, header } = reply;
  enforce('T05', status < 300 || status > 399, 'its server redirects, which is not followed.');
  enforce('T05', status >= 200 && status <= 299, `its server answered with the status ${status}.`);
  enforce('T05', mediaType(header('content-type')) === listType, `the reply is not ${listType}.`);
  return reply;
}

const name = 'the status list token';
const clockTolerance = 5;

/** Checks a status list token from this address (T06 to T12, T20). The list is inflated only after its signature is good. */
async function checkListToken(
  compact: string,
  uri: string,
  { keys, algorithms }: ListRules,
  runtime: Runtime,
) {
  const jws = splitJws(compact);
  enforce('T06', jws !== undefined, 'it is not a compact JWS.');
  const checks = { type: 'T06', algorithm: 'T06' } as const;
  const rules = { name, types: ['statuslist+jwt'], algorithms, checks };
  const token = readJws(jws, rules, startReading(defaultLimits));
  const { header, claims } = token;
  enforce('T07', claims['sub'] === uri, 'its sub is not the address that it came from.');
  const times = checkListTimes(claims, secondsNow(runtime.clock));
  const { status_list: list } = claims;
  enforce('T11', isObject(list), 'it has no status_list.');
  const { bits, lst } = list;
  enforce('T11', bits === 1 || bits === 2 || bits === 4 || bits === 8, 'its bits are not 1, 2, 4 or 8.');
  enforce('T12', typeof lst === 'string', 'its lst is not a string.');
  const compressed = decodeSegment(lst, 'its lst');
  const key = await keys({ ...token, use: 'statusList' }, runtime);
  await checkSignature(jws, key, header.alg, 'T06', 'it is not signed by its issuer.');
  const bytes = await inflateList(compressed);
  return { ...times, bits, compressed, length: bytes.length, inflated: Promise.resolve(bytes) };
}

function checkListTimes(claims: JsonObject, now: number) {
  const iat = timeOf(claims, 'iat', 'T08');
  const exp = timeOf(claims, 'exp', 'T09');
  const nbf = timeOf(claims, 'nbf', 'T20');
  const ttl = timeOf(claims, 'ttl', 'T10');
  enforce('T08', iat !== undefined, 'it does not say when it was issued (iat).');
  enforce('T08', iat <= now + clockTolerance, `it was issued ${formatDuration(iat - now)} in the future.`);
  checkPeriod({ exp, nbf }, now, clockTolerance, { exp: 'T09', nbf: 'T20' }, 'it');
  enforce('T10', ttl === undefined || ttl > 0, 'its ttl is not positive.');
  return { ttl, exp };
}

/** 134 million entries of one bit. */
const maxInflatedBytes = 16 * 1024 * 1024;
const inflateAside = promisify(inflate);

/** Inflates a list off the main thread, up to a limit: a kilobyte can hold a megabyte of zeros (T12). */
async function inflateList(compressed: Uint8Array): Promise<Uint8Array> {
  try {
    const bytes = await inflateAside(compressed, { maxOutputLength: maxInflatedBytes });
    passed('T12');
    return bytes;
  } catch {
    throw checkFailed('T12', `its lst is no ZLIB stream of at most ${maxInflatedBytes} bytes.`);
  }
}

/** Returns the status at an index, counted from the least significant bit of the first byte (T13, T14). */
export function readStatus({ bits, bytes }: StatusList, idx: number): number {
  const perByte = 8 / bits;
  const byte = bytes[Math.floor(idx / perByte)];
  enforce('T14', byte !== undefined, "The credential's status is beyond the end of its list.");
  return (byte >> ((idx % perByte) * bits)) & (2 ** bits - 1);
}
