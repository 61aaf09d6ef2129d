import { type BoundedReply, requestBounded, UnusableReply } from '../../internal/http.js';
import type { Network } from '../../internal/network.js';
import { TimeoutError, withTimeoutSignal } from '../../internal/timeouts.js';

/**
 * Fetches a document that somebody publishes, compressed or not: bounded in time and size, and without following
 * redirects. `whyNot` says why there is none, in words that go on from its name.
 */
export async function fetchDocument(
  network: Network,
  url: string,
  { accept, deadlineMs, maxBytes }: { accept: string; deadlineMs: number; maxBytes: number },
): Promise<{ readonly reply?: BoundedReply; readonly whyNot?: string }> {
  try {
    const reply = await withTimeoutSignal(
      deadlineMs,
      async (deadline) =>
        await requestBounded(network, url, { headers: { accept }, maxBytes, gzip: true }, deadline),
    );
    const { status } = reply;
    return status >= 200 && status <= 299 ? { reply } : { whyNot: `came with the status ${status}` };
  } catch (error) {
    if (error instanceof TimeoutError) return { whyNot: `did not come within ${deadlineMs / 1000} seconds` };
    const isUnusable = error instanceof UnusableReply;
    return { whyNot: isUnusable ? `came in a reply that is ${error.what}` : 'could not be fetched' };
  }
}

const defaultMs = 10 * 60_000;
const maxFreshMs = 24 * 60 * 60_000;

/** Returns for how many milliseconds a reply may be reused (RFC 9111, sections 4.2 and 5.2.2). */
export function freshFor({ header }: BoundedReply): number {
  const directives = (header('cache-control') ?? '').toLowerCase();
  if (/\bno-(store|cache)\b/.test(directives)) return 0;
  const maxAge = /\bmax-age="?(\d{1,10})\b/.exec(directives)?.[1];
  if (maxAge === undefined) return defaultMs;
  const age = Math.max(Number(header('age') ?? 0) || 0, 0);
  return Math.min(Math.max(Number(maxAge) - age, 0) * 1000, maxFreshMs);
}
