import { IdentityError, kitError } from '../../errors.js';
import { TimeoutError, withTimeoutSignal } from '../../internal/timeouts.js';
import { freshFor } from '../keys/cache-control.js';
import { checkFailed, enforce, passed } from '../jose/check-failed.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import type { KeptList } from './list-cache.js';
import { checkListToken, type ListRules } from './list-token.js';
import { type BoundedReply, fetchBounded, mediaType, UnusableReply } from '../../internal/fetch-bounded.js';

/** Covers everything about one list. It ends before the kit's own five seconds, because a person waits. */
const deadlineMs = 4000;
const maxMs = 24 * 60 * 60_000;

/** Fetches and checks a status list. */
export async function loadList(uri: string, rules: ListRules, runtime: Runtime): Promise<KeptList> {
  try {
    return await withTimeoutSignal(deadlineMs, async ({ signal }) => {
      const { text, headers } = await fetchList(runtime.fetch, uri, signal);
      const at = runtime.clock().getTime();
      const generation = rules.keys.generation?.();
      const { list, ttl, exp } = await checkListToken(text, uri, rules, runtime);
      passed('T18');
      const freshMs = ttl === undefined ? freshFor(headers) : Math.min(ttl * 1000, maxMs);
      return { list, at, generation, freshUntil: Math.min(at + freshMs, (exp ?? Infinity) * 1000) };
    });
  } catch (error) {
    throw unusable(error);
  }
}

/** A bad list says nothing about the credential: a later delivery may find its status (T18). */
function unusable(error: unknown): unknown {
  if (error instanceof TimeoutError) return unknownStatus('T18', 'its server did not answer in time.');
  return error instanceof IdentityError && error.check !== undefined
    ? unknownStatus(error.check, error.message)
    : error;
}

function unknownStatus(check: string, why: string): Error {
  const message = `The credential's status list cannot be used: ${why}`;
  return kitError('credential_status_unavailable', { check, message });
}

/** A compressed list of a million people is some tens of kilobytes, and 700 kB where half of them are revoked. */
const maxBytes = 4 * 1024 * 1024;
const accepted = 'application/statuslist+jwt';

/** Fetches a status list token (T05). */
async function fetchList(
  fetch: typeof globalThis.fetch,
  uri: string,
  signal: AbortSignal,
): Promise<BoundedReply> {
  const reply = await fetchBounded(fetch, uri, { headers: { accept: accepted }, signal }, maxBytes).catch(
    (error: unknown) => {
      if (error instanceof UnusableReply) throw checkFailed('T05', `the reply is ${error.what}.`);
      throw checkFailed('T18', 'its server could not be reached.');
    },
  );
  const { status, headers } = reply;
  enforce('T05', status < 300 || status > 399, 'its server redirects, which is not followed.');
  enforce('T05', status >= 200 && status <= 299, `its server answered with the status ${status}.`);
  enforce('T05', mediaType(headers.get('content-type')) === accepted, `the reply is not ${accepted}.`);
  return reply;
}
