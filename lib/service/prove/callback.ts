import { z } from 'zod';
import { IdentityError, configInvalid } from '../../errors.js';
import { sanitizeText } from '../../internal/sanitize-text.js';
import { secureUrl } from '../../internal/urls.js';

/** Body of the success callback. */
const successCallback = z.object({ presentation: z.string().min(1), state: z.string().min(1) });

/** Body of the error callback. `error_description` may be absent, although the interface has it. */
const errorCallback = z.object({
  error: z.string().min(1),
  error_description: z.string().default(''),
  state: z.string().min(1),
});

/** The customer's reply. */
export const callbackReplySchema = z.strictObject({ redirect_uri: z.url({ protocol: /^https?$/ }) });

/** The body of the reply to a callback. */
export type CallbackReply = z.infer<typeof callbackReplySchema>;

/** A parsed callback. The strings of an error have a limited length and no control characters. */
export type Callback =
  | { readonly kind: 'presentation'; readonly state: string; readonly presentation: string }
  | {
      readonly kind: 'error';
      readonly state: string;
      readonly error: string;
      readonly errorDescription: string;
    };

const names = ['state', 'presentation', 'error', 'error_description'] as const;

type Fields = Partial<Record<(typeof names)[number], string>>;

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
  const fields = ownStrings(body);
  const has = (name: keyof Fields): boolean => fields[name] !== undefined;
  if (!has('state')) throw malformed('The callback has no state.');
  if (has('presentation') === has('error')) {
    throw malformed('The callback must have either a presentation or an error.');
  }
  if (has('presentation') && has('error_description')) {
    throw malformed('A callback with a presentation must have no error_description.');
  }
  if (has('presentation')) {
    const parsed = successCallback.safeParse(fields);
    if (parsed.success) return { kind: 'presentation', ...parsed.data };
  } else {
    const parsed = errorCallback.safeParse(fields);
    const error = sanitizeText(parsed.data?.error ?? '', 100);
    if (parsed.success && error !== '') {
      const { state, error_description } = parsed.data;
      return { kind: 'error', state, error, errorDescription: sanitizeText(error_description, 500) };
    }
  }
  throw malformed('A value of the callback is empty.');
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
function ownStrings(body: unknown): Fields {
  if (typeof body !== 'object' || body === null) throw malformed('The callback has no parameters.');
  const fields: Fields = {};
  for (const [key, value] of Object.entries(body)) {
    if (/[[\]]/.test(key)) throw malformed('A parameter name of the callback has brackets.');
    const name = names.find((known) => known === key);
    if (name === undefined) continue;
    if (typeof value !== 'string') throw malformed(`The callback has no single ${name}.`);
    fields[name] = value;
  }
  return fields;
}

function malformed(message: string): IdentityError {
  return new IdentityError('callback_malformed', { message });
}
