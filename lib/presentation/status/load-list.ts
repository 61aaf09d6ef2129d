import { IdentityError } from '../../errors.js';
import { DeadlinePassed, within } from '../../safe/time.js';
import { freshFor } from '../keys/freshness.js';
import { refusal } from '../token/check-failed.js';
import type { Seams } from '../token/runtime.js';
import { fetchList } from './fetch-list.js';
import type { KeptList } from './list-cache.js';
import { type ListRules, judgeListToken } from './list-token.js';

/** For everything about one list. The person waits, and the kit's own five seconds should not end first. */
const deadlineMs = 4000;
const longestMs = 24 * 60 * 60_000;

/** Fetches and judges a status list. */
export async function loadList(uri: string, rules: ListRules, seams: Seams): Promise<KeptList> {
  try {
    return await within(deadlineMs, async (signal) => {
      const { text, headers } = await fetchList(seams.fetch, uri, signal);
      const at = seams.clock().getTime();
      const { list, ttl, exp } = await judgeListToken(text, uri, rules, seams);
      const freshMs = ttl === undefined ? freshFor(headers) : Math.min(ttl * 1000, longestMs);
      return { list, freshUntil: Math.min(at + freshMs, (exp ?? Infinity) * 1000) };
    });
  } catch (error) {
    throw unusable(error);
  }
}

/** Whatever is wrong with a list says nothing about the credential: another time its status may be known (T18). */
function unusable(error: unknown): unknown {
  if (error instanceof DeadlinePassed) return unknownStatus('T18', 'its server did not answer in time.');
  return error instanceof IdentityError && error.check !== undefined
    ? unknownStatus(error.check, error.message)
    : error;
}

function unknownStatus(check: string, why: string): Error {
  return refusal(check, `The credential's status list cannot be used: ${why}`, 'status_unavailable');
}
