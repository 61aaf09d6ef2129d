import { configInvalid, IdentityError, kitError } from '../../errors.js';
import type { Variant } from '../../types/attributes.js';
import type { ProveClient, ProveRequest } from '../../types/service.js';
import { knownOptions, optionalFunction, timerMs } from '../../internal/former-validate.js';
import { TimeoutError, withTimeoutSignal } from '../../internal/timeouts.js';
import { type BoundedReply, UnusableReply, fetchBounded, mediaType } from '../../internal/fetch-bounded.js';
import { parseProveRequest, proveBody, proveResponse } from './schema.js';
import { fromService, refusedHere } from './errors.js';
import { isLoopback, secureUrl } from '../../internal/urls.js';
import { variants } from './dates.js';

/** Options of {@link createProveClient}. */
export interface ProveClientOptions {
  /** The address of the service without `/prove`: https, or http on this machine. */
  readonly baseUrl: string;
  /** The API key, or an async function that fetches it (from a vault, say) for each call. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Milliseconds for one call, everything included; default 10,000. */
  readonly timeout?: number;
  /** The interface's variant; default `'derived'`. */
  readonly variant?: Variant;
  /** Default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

const maxReplyBytes = 64 * 1024;

/**
 * Returns a client for the one call of the service, for apps that do not use the router. A request that the interface
 * forbids is refused before the network, with the interface's own code.
 *
 * @example
 * ```ts
 * import { createProveClient } from 'pidgate'
 *
 * const client = createProveClient({ baseUrl: 'https://service.example', apiKey: 'the key' })
 * const start = async (state: string) =>
 *   await client.prove({ issuer: 'de-ausweis', revealed: ['given_name'], state })
 * ```
 */
export function createProveClient(options: ProveClientOptions): ProveClient {
  knownOptions(options, ['baseUrl', 'apiKey', 'timeout', 'variant', 'fetch'], 'createProveClient');
  const { apiKey, variant = 'derived' } = options;
  const timeout = timerMs(options.timeout, 10_000, 'createProveClient: timeout');
  const fetch = optionalFunction(options.fetch, 'createProveClient: fetch') ?? globalThis.fetch;
  const base = secureUrl(options.baseUrl, true);
  if (base === undefined) {
    throw configInvalid('createProveClient: baseUrl must be an https URL (http only on loopback).');
  }
  if (!variants.includes(variant)) {
    throw configInvalid(`createProveClient: variant must be ${variants.join(' or ')}.`);
  }
  if (typeof apiKey !== 'function') checkKey(apiKey);
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/prove`;
  const mayLoop = isLoopback(base);

  return {
    async prove(request: ProveRequest) {
      const parsed = parseProveRequest(onTheWire(request), variant);
      if (!parsed.ok) throw refusedHere(parsed.code, parsed.description);
      const reply = await call(parsed.request);
      const redirectUrl = secureUrl(readReply(reply), mayLoop);
      if (redirectUrl === undefined) throw badReply('without an https redirect_url', reply.status);
      return { redirectUrl: redirectUrl.href };
    },
  };

  async function call(request: ProveRequest): Promise<BoundedReply> {
    try {
      return await withTimeoutSignal(timeout, async ({ signal }) => {
        const headers = {
          authorization: `Bearer ${await readKey(apiKey)}`,
          'content-type': 'application/json',
          accept: 'application/json',
        };
        const init = { method: 'POST', headers, body: proveBody(request, variant), signal };
        // In every other mode Node copies request and body before it sends them, lest it must follow.
        const once = { ...init, redirect: 'error' } as const;
        return await fetchBounded(fetch, url.href, once, maxReplyBytes);
      });
    } catch (error) {
      throw toIdentityError(error);
    }
  }
}

/**
 * Returns the request as JSON carries it: a member that is undefined is absent. So is an empty `derived`, because the
 * base variant does not know it and the other has it as its default.
 */
function onTheWire(request: ProveRequest): unknown {
  try {
    const { derived, ...rest } = JSON.parse(JSON.stringify(request)) as Record<string, unknown>;
    return derived === undefined || JSON.stringify(derived) === '{}' ? rest : { ...rest, derived };
  } catch {
    return undefined; // a cycle or a bigint, which JSON cannot carry
  }
}

async function readKey(apiKey: ProveClientOptions['apiKey']): Promise<string> {
  if (typeof apiKey !== 'function') return apiKey;
  let key: string;
  try {
    key = await apiKey();
  } catch (cause) {
    const message = 'apiKey: the function failed.';
    throw kitError('hook_failed', { message, cause });
  }
  return checkKey(key);
}

/** Refuses keys that fetch would refuse with a message that repeats the key. */
function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw configInvalid('apiKey must be visible ASCII without spaces.');
}

function readReply({ status, headers, text }: BoundedReply): string {
  const bad = (what: string): IdentityError => badReply(what, status);
  if (status >= 300 && status < 400) throw bad('a redirect'); // a fetch that was handed in may know no mode 'error'
  if (mediaType(headers.get('content-type')) !== 'application/json') throw bad('not JSON by its media type');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw bad('not JSON');
  }
  const parsed = proveResponse.safeParse(json);
  if (!parsed.success) throw bad('without the fields of the interface');
  if (!parsed.data.success) throw fromService(parsed.data.error.error, status);
  if (status < 200 || status >= 300) throw bad('a success with an error status');
  return parsed.data.redirect_url;
}

/** An error of the platform's fetch may quote what was sent, so only the code of a system error is repeated. */
function toIdentityError(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error;
  if (error instanceof TimeoutError) return new IdentityError('service_timeout');
  if (error instanceof UnusableReply) return badReply(error.what);
  if (isRedirect(error)) return badReply('a redirect');
  const code = systemCode(error) ?? systemCode((error as { cause?: unknown } | null)?.cause);
  const message = `The service could not be reached (${code ?? 'no network reason given'}).`;
  return kitError('service_unreachable', { message });
}

/** Node's fetch says so in words only. */
function isRedirect(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { message?: unknown } };
  return cause?.message === 'unexpected redirect';
}

function systemCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}

function badReply(what: string, status?: number): IdentityError {
  const at = status === undefined ? '' : ` (HTTP ${status})`;
  return kitError('service_reply_invalid', {
    message: `The reply of the service to /prove${at} is ${what}.`,
  });
}
