import { IdentityError, configInvalid } from '../../errors.js';
import { sanitizeText } from '../../internal/sanitize-text.js';
import { sha256 } from '../../internal/sha256.js';
import { secureUrl } from '../../internal/urls.js';
import type { Callback, Received } from '../contract.js';

/** The body of the reply to a callback. */
export interface CallbackReply {
  readonly redirect_uri: string;
}

const names = ['state', 'presentation', 'error', 'error_description'] as const;

/**
 * Parses the decoded body of a callback. It needs exactly one `state`, and exactly one of `presentation` and `error`;
 * everything else is `callback_malformed`. Nothing is verified here.
 *
 * @example
 * ```ts
 * import { parseCallback } from 'pidgate'
 *
 * const callback = parseCallback({ state: 'a', error: 'user_cancelled', error_description: 'Declined.' })
 * console.log(callback.kind)
 * ```
 */
export function parseCallback(body: unknown): Callback {
  const { state, presentation, error, error_description } = ownStrings(body);
  if (state === undefined) throw malformed('The callback has no state.');
  if ((presentation === undefined) === (error === undefined)) {
    throw malformed('The callback must have either a presentation or an error.');
  }
  if (presentation !== undefined && error_description !== undefined) {
    throw malformed('A callback with a presentation must have no error_description.');
  }
  const code = sanitizeText(error ?? '', 100);
  if (state === '' || (presentation ?? code) === '') throw malformed('A value of the callback is empty.');
  if (presentation !== undefined) return { kind: 'presentation', state, presentation };
  // Some services leave out the description, although the interface has it.
  const errorDescription = sanitizeText(error_description ?? '', 500);
  return { kind: 'error', state, error: code, errorDescription };
}

/** A callback of the service says all at once. Its digest is of the parameters, not of the bytes that encode them. */
export function receivedOf(callback: Callback): Received {
  const { kind, state } = callback;
  const values = kind === 'error' ? [callback.error, callback.errorDescription] : [callback.presentation];
  return { state, digest: sha256(JSON.stringify([kind, state, ...values])), open: () => callback };
}

/**
 * Returns the reply that tells the service where to send the person's browser.
 *
 * @example
 * ```ts
 * import { callbackReply } from 'pidgate'
 *
 * console.log(callbackReply('https://shop.example/done'))
 * ```
 */
export function callbackReply(redirectUri: string): CallbackReply {
  const url = secureUrl(redirectUri, true);
  if (url === undefined)
    throw configInvalid('redirect_uri must be an absolute https URL (http only on loopback).');
  return { redirect_uri: url.href };
}

/** Returns the known fields, which must be own string properties. Nested and repeated keys leave brackets in names. */
function ownStrings(body: unknown): Partial<Record<(typeof names)[number], string>> {
  if (typeof body !== 'object' || body === null) throw malformed('The callback has no parameters.');
  const fields: ReturnType<typeof ownStrings> = {};
  for (const [key, value] of Object.entries(body)) {
    if (/[[\]]/.test(key)) throw malformed('A parameter name of the callback has brackets.');
    const name = names.find((known) => known === key);
    if (name === undefined) continue;
    if (typeof value !== 'string') throw malformed(`The callback has no single ${name}.`);
    fields[name] = value;
  }
  return fields;
}

const malformed = (message: string): IdentityError => new IdentityError('callback_malformed', { message });
