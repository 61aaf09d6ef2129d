import { codeOf } from '../../../internal/system-code.js';
import { TimeoutError, withTimeoutSignal } from '../../../internal/timeouts.js';
import { UnusableReply, fetchBounded } from '../../../internal/http.js';
import { maskCallback, maskUrl, part } from '../timeline/mask.js';
import type { Message } from '../timeline/timeline.js';
import { type ReplyOutcome, failed, readReply } from './reply.js';

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

/** One callback to be sent. */
export interface CallbackDelivery {
  readonly url: string;
  readonly body: string;
  /** Sends the body in two halves, with a pause between them. */
  readonly slow: boolean;
  /** A service sends again where that can help, and a wallet sends once. */
  readonly by: 'service' | 'wallet';
  readonly record: (message: Message, outcome: ReplyOutcome) => void;
}

const pauses = [300, 1000, 2500];
const maxPauseMs = 5000;
const maxReplyBytes = 64 * 1024;
const contentType = 'application/x-www-form-urlencoded';

/** Sends a callback, again where trying again can help, and tells where the browser goes. */
export async function deliver(delivery: CallbackDelivery, runtime: DeliveryRuntime): Promise<ReplyOutcome> {
  for (const pause of delivery.by === 'wallet' ? [] : pauses) {
    const { outcome, again } = await attempt(delivery, runtime);
    if (again === undefined) return outcome;
    await runtime.wait(Math.min(again === 'soon' ? pause : again, maxPauseMs), runtime.signal);
  }
  return (await attempt(delivery, runtime)).outcome;
}

interface Attempt {
  readonly outcome: ReplyOutcome;
  readonly reply?: Awaited<ReturnType<typeof fetchBounded>>;
  /** Milliseconds after which the customer asked to be tried again, or `soon`. */
  readonly again?: number | 'soon';
}

async function attempt(delivery: CallbackDelivery, runtime: DeliveryRuntime): Promise<Attempt> {
  const attempted = await exchange(delivery, runtime);
  const { outcome, reply } = attempted;
  const message: Message = {
    what: delivery.by === 'wallet' ? 'answer' : 'callback',
    from: delivery.by,
    to: 'app',
    line: `POST ${maskUrl(delivery.url)}`,
    sent: part([['content-type', contentType]], maskCallback(delivery.body)),
    status: reply?.status,
    received: reply && part(reply.headers, outcome.ok ? replyBody(outcome.redirectUri) : undefined),
  };
  delivery.record(message, outcome);
  return attempted;
}

function replyBody(redirectUri: string | undefined): string {
  return JSON.stringify({ redirect_uri: redirectUri && maskUrl(redirectUri) }, undefined, 2);
}

async function exchange(
  { url, body, slow, by }: CallbackDelivery,
  runtime: DeliveryRuntime,
): Promise<Attempt> {
  try {
    const reply = await withTimeoutSignal(runtime.timeout, async ({ signal: deadline }) => {
      const headers = { 'content-type': contentType, accept: 'application/json' };
      const signal = AbortSignal.any([deadline, runtime.signal]);
      const content = slow ? { body: inHalves(body, runtime), duplex: 'half' as const } : { body };
      const init = { method: 'POST', headers, signal, ...content };
      return await fetchBounded(runtime.fetch, url, init, maxReplyBytes);
    });
    const outcome = readReply(reply, by === 'wallet');
    const busy = reply.status >= 500 || reply.status === 429;
    return busy ? { outcome, reply, again: retryAfter(reply.headers) } : { outcome, reply };
  } catch (error) {
    runtime.signal.throwIfAborted();
    if (error instanceof TimeoutError) return { outcome: failed({ kind: 'timeout' }) };
    if (error instanceof UnusableReply) {
      return { outcome: failed({ kind: error.what === 'too large' ? 'too_large' : 'not_utf8' }) };
    }
    return { outcome: failed({ kind: 'unreachable', code: codeOf(error) }), again: 'soon' };
  }
}

const slowPause = 1500;

function inHalves(body: string, { wait, signal }: DeliveryRuntime): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  const middle = bytes.length >> 1;
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, middle));
      await wait(slowPause, signal);
      controller.enqueue(bytes.subarray(middle));
      controller.close();
    },
  });
}

/** Seconds, or a date that is read against the reply's own (RFC 9110 10.2.3). */
function retryAfter(headers: Headers): number | 'soon' {
  const header = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const pause = Date.parse(header) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(pause) ? 'soon' : Math.max(0, pause);
}
