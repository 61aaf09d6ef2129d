import { DeadlinePassed, stoppedWithin } from '../../../safe/time.js';
import { UnusableReply, fetchBounded } from '../../../safe/fetch-bounded.js';
import { type Outcome, failed, readReply } from './reply.js';

/** What a delivery needs of the world. */
export interface DeliveryRuntime {
  readonly fetch: typeof globalThis.fetch;
  /** Waits between two attempts; rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborts when the sandbox closes. */
  readonly signal: AbortSignal;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
}

const pauses = [300, 1000, 2500];
const longestPause = 5000;
const maxReplyBytes = 64 * 1024;

/** Sends a callback, again where trying again can help, and tells where the browser goes. */
export async function deliver(url: string, body: string, runtime: DeliveryRuntime): Promise<Outcome> {
  for (const pause of pauses) {
    const { outcome, again } = await attempt(url, body, runtime);
    if (again === undefined) return outcome;
    await runtime.wait(Math.min(again === 'soon' ? pause : again, longestPause), runtime.signal);
  }
  return (await attempt(url, body, runtime)).outcome;
}

interface Attempt {
  readonly outcome: Outcome;
  /** Milliseconds after which the customer asked to be tried again, or `soon`. */
  readonly again?: number | 'soon';
}

async function attempt(url: string, body: string, runtime: DeliveryRuntime): Promise<Attempt> {
  try {
    const reply = await stoppedWithin(runtime.timeout, async (deadline) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      const signal = AbortSignal.any([deadline, runtime.signal]);
      return await fetchBounded(runtime.fetch, url, { method: 'POST', headers, body, signal }, maxReplyBytes);
    });
    const outcome = readReply(reply);
    const busy = reply.status >= 500 || reply.status === 429;
    return busy ? { outcome, again: retryAfter(reply.headers) } : { outcome };
  } catch (error) {
    runtime.signal.throwIfAborted();
    if (error instanceof DeadlinePassed) return { outcome: failed({ kind: 'timeout' }) };
    if (error instanceof UnusableReply) {
      return { outcome: failed({ kind: error.what === 'too large' ? 'too_large' : 'not_utf8' }) };
    }
    return { outcome: failed({ kind: 'unreachable', code: systemCode(error) }), again: 'soon' };
  }
}

/** Seconds, or a date that is read against the reply's own (RFC 9110 10.2.3). */
function retryAfter(headers: Headers): number | 'soon' {
  const header = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const pause = Date.parse(header) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(pause) ? 'soon' : Math.max(0, pause);
}

/** Node puts the reason of a failed fetch into its cause, or into the first of several causes. */
function systemCode(error: unknown): string | undefined {
  const { cause } = error as { cause?: { code?: unknown; errors?: readonly { code?: unknown }[] } };
  const code = cause?.code ?? cause?.errors?.[0]?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}
