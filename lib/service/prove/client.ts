import { configInvalid, IdentityError, kitError } from '../../errors.js';
import {
  type DerivedId,
  type PidAttributeId,
  type Variant,
  variants,
  withDateForAges,
} from '../../types/attributes.js';
import { isPlainObject, knownOptions, timerMs, withDefault } from '../../internal/validate.js';
import { TimeoutError, withTimeoutSignal } from '../../internal/timeouts.js';
import { type BoundedReply, mediaType, requestBounded, UnusableReply } from '../../internal/http.js';
import { type Network, networkFrom } from '../../internal/network.js';
import { decodeForm } from '../../internal/decode-form.js';
import type { IdentityService } from '../contract.js';
import { callbackReply, parseCallback, receivedOf } from './callback.js';
import { fromCallback, fromService, refusedHere } from './errors.js';
import { type ReceivedProveRequest, parseProveRequest, proveResponse } from './schema.js';
import { codeOf } from '../../internal/system-code.js';
import { isLoopback, secureUrl } from '../../internal/urls.js';

/** What is asked of the service. */
export interface ProveRequest {
  readonly issuer: string;
  readonly revealed: readonly PidAttributeId[];
  readonly state: string;
  readonly same_device?: boolean;
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
}

/** A client of the identity service. Its calls fail with an {@link IdentityError}. */
export interface ProveClient {
  /** Starts a verification; resolves to the address where the browser must go. */
  prove(request: ProveRequest): Promise<{ readonly redirectUrl: string }>;
}

/** Options of {@link createProveClient}. */
export interface ProveClientOptions extends Network {
  /** The address of the service without `/prove`: https, or http on this machine. */
  readonly baseUrl: string;
  /** The API key, or a function that returns it for each call, for example from a vault. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** How many milliseconds one call may take, everything included. Default 10,000. */
  readonly timeout?: number;
  /** The interface's variant; default `'derived'`. */
  readonly variant?: Variant;
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
  const { send, variant } = createSender(options);
  return {
    async prove(request: ProveRequest) {
      const parsed = parseProveRequest(onTheWire(request), variant);
      if (!parsed.ok) throw refusedHere(parsed.code, parsed.description);
      return await send(parsed.request);
    },
  };
}

/** Sends what was judged before: a request of the caller's, or one that the factory's options were made into. */
function createSender(options: ProveClientOptions) {
  knownOptions(options, ['baseUrl', 'apiKey', 'timeout', 'variant', 'fetch', 'agent'], 'createProveClient');
  const { apiKey, variant = 'derived' } = options;
  const timeout = withDefault(timerMs, 10_000)(options.timeout, 'createProveClient: timeout');
  const network = networkFrom(options, 'createProveClient: ');
  const url = secureUrl(options.baseUrl, true);
  if (url === undefined) {
    throw configInvalid('createProveClient: baseUrl must be an https URL (http only on loopback).');
  }
  if (/\/prove\/*$/.test(url.pathname)) {
    throw configInvalid("baseUrl (or IDENTITY_BASE_URL) must be the service's address without /prove.");
  }
  if (!variants.includes(variant)) {
    throw configInvalid(`createProveClient: variant must be ${variants.join(' or ')}.`);
  }
  if (typeof apiKey !== 'function') checkKey(apiKey);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/prove`;
  const { href } = url;
  const mayBePlain = isLoopback(url);

  async function send(request: ReceivedProveRequest): Promise<{ readonly redirectUrl: string }> {
    const body = JSON.stringify(request);
    const call = withTimeoutSignal(timeout, async (deadline) => {
      const headers = {
        authorization: `Bearer ${await readKey(apiKey)}`,
        'content-type': 'application/json',
        accept: 'application/json',
      };
      return await requestBounded(network, href, { headers, body, maxBytes: maxReplyBytes }, deadline);
    });
    const reply = await call.catch((error: unknown) => {
      throw callError(error);
    });
    const redirectUrl = secureUrl(readReply(reply), mayBePlain);
    if (redirectUrl === undefined) throw badReply('has no https redirect_url', reply.status);
    return { redirectUrl: redirectUrl.href };
  }

  return { send, variant };
}

/** Returns the service of `POST /prove` and its callbacks, as the kit sees it. */
export function createProveService(options: ProveClientOptions): IdentityService {
  const { send, variant } = createSender(options);
  return {
    start: async ({ issuer, reveal, derived, state, sameDevice }) =>
      await send({
        issuer,
        revealed: [...withDateForAges(reveal)], // the interface knows no ages
        state,
        same_device: sameDevice,
        ...(variant === 'derived' && { derived }),
      }),
    sendsOnce: false,
    callbackType: 'application/x-www-form-urlencoded',
    readCallback: (body) => receivedOf(parseCallback(Buffer.isBuffer(body) ? decodeForm(body) : body)),
    reply: (redirectUri = '') => ({
      mediaType: 'application/json',
      body: JSON.stringify(callbackReply(redirectUri)),
    }),
    errorOf: fromCallback,
    toRecord: () => ({ variant }),
    whyNotSupported: ({ derived }) =>
      variant === 'base' && Object.keys(derived).length > 0
        ? 'derived is not part of the base variant'
        : undefined,
  };
}

/**
 * Returns the request as JSON carries it: a member that is undefined is absent. So is an empty `derived`, because the
 * base variant does not know it and the other has it as its default.
 */
function onTheWire(request: ProveRequest): unknown {
  try {
    const { derived, ...rest } = JSON.parse(JSON.stringify(request)) as Record<string, unknown>;
    const isEmpty = isPlainObject(derived) && Object.keys(derived).length === 0;
    return derived === undefined || isEmpty ? rest : { ...rest, derived };
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
    throw kitError('hook_failed', { message: 'apiKey: the function failed.', cause });
  }
  return checkKey(key);
}

/** Refuses keys that fetch would refuse with a message that repeats the key. */
function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw configInvalid('apiKey may contain only printable ASCII characters, no spaces.');
}

function readReply({ status, header, text }: BoundedReply): string {
  const bad = (what: string): IdentityError => badReply(what, status);
  if (status >= 300 && status < 400) throw bad('is a redirect');
  if (mediaType(header('content-type')) !== 'application/json') throw bad('is not application/json');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw bad('is not JSON');
  }
  const parsed = proveResponse.safeParse(json);
  if (!parsed.success) throw bad('lacks required fields');
  if (!parsed.data.success) throw fromService(parsed.data.error.error, status);
  if (status < 200 || status >= 300) throw bad('reports success with an error status');
  return parsed.data.redirect_url;
}

/** An error of a fetch may quote what was sent, so only the code of a system error is repeated. */
function callError(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error;
  if (error instanceof TimeoutError) return new IdentityError('service_timeout');
  if (error instanceof UnusableReply) return badReply(`is ${error.what}`);
  const message = `The service could not be reached (${codeOf(error) ?? 'no network reason given'}).`;
  return kitError('service_unreachable', { message });
}

function badReply(what: string, status?: number): IdentityError {
  const at = status === undefined ? '' : ` (HTTP ${status})`;
  const message = `The /prove response${at} ${what}.`;
  return kitError('service_reply_invalid', { message });
}
