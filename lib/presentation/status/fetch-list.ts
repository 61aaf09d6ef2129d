import { type BoundedReply, UnusableReply, fetchBounded, mediaType } from '../../safe/fetch-bounded.js';
import { checkFailed } from '../token/check-failed.js';

/** A compressed list of a million people is some tens of kilobytes, and 700 kB where half of them are revoked. */
const maxBytes = 4 * 1024 * 1024;
const accepted = 'application/statuslist+jwt';

/** Fetches a status list token (T05). */
export async function fetchList(
  fetch: typeof globalThis.fetch,
  uri: string,
  signal: AbortSignal,
): Promise<BoundedReply> {
  const reply = await fetchBounded(fetch, uri, { headers: { accept: accepted }, signal }, maxBytes).catch(
    (error: unknown) => {
      throw error instanceof UnusableReply
        ? checkFailed('T05', `the reply is ${error.what}.`)
        : checkFailed('T18', 'its server could not be reached.');
    },
  );
  const { status, headers } = reply;
  if (status >= 300 && status <= 399)
    throw checkFailed('T05', 'its server redirects, which is not followed.');
  if (status < 200 || status > 299)
    throw checkFailed('T05', `its server answered with the status ${status}.`);
  if (mediaType(headers.get('content-type')) !== accepted) {
    throw checkFailed('T05', `the reply is not ${accepted}.`);
  }
  return reply;
}
