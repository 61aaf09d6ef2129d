import { IdentityError } from '../../errors.js';
import { DeadlinePassed, within } from '../../safe/time.js';
import { freshFor } from '../keys/freshness.js';
import { checkFailed } from '../token/check-failed.js';
import type { Runtime } from '../token/runtime.js';
import { fetchList } from './fetch-list.js';
import type { KeptList } from './list-cache.js';
import { type ListRules, checkListToken } from './list-token.js';

/** Covers everything about one list. It ends before the kit's own five seconds, because a person waits. */
const deadlineMs = 4000;
const longestMs = 24 * 60 * 60_000;

/** Fetches and checks a status list. */
export async function loadList(uri: string, rules: ListRules, runtime: Runtime): Promise<KeptList> {
  try {
    return await within(deadlineMs, async (signal) => {
      const { text, headers } = await fetchList(runtime.fetch, uri, signal);
      const at = runtime.clock().getTime();
      const { list, ttl, exp } = await checkListToken(text, uri, rules, runtime);
      const freshMs = ttl === undefined ? freshFor(headers) : Math.min(ttl * 1000, longestMs);
      return { list, freshUntil: Math.min(at + freshMs, (exp ?? Infinity) * 1000) };
    });
  } catch (error) {
    throw unusable(error);
  }
}

/** A bad list says nothing about the credential: a later delivery may find its status (T18). */
function unusable(error: unknown): unknown {
  if (error instanceof DeadlinePassed) return unknownStatus('T18', 'its server did not answer in time.');
  return error instanceof IdentityError && error.check !== undefined
    ? unknownStatus(error.check, error.message)
    : error;
}

function unknownStatus(check: string, why: string): Error {
  return checkFailed(check, `The credential's status list cannot be used: ${why}`, 'status_unavailable');
}
