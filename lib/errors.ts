/** What each of the kit's own codes means: its HTTP status, whether trying again can help, one sentence. */
const kitErrors = {
  busy: [503, true, 'Too many verifications are under way in this process.'],
  attribute_type: [
    422,
    false,
    'The presentation holds an asked attribute in a form that its issuer must not use.',
  ],
  attributes_missing: [422, false, 'The presentation does not hold every attribute that was asked for.'],
  body_consumed: [500, false, 'Something before the kit read the request body and left nothing of it.'],
  callback_malformed: [400, false, 'The callback is not one that the interface allows.'],
  callback_too_large: [413, false, 'The callback is larger than the limit.'],
  config_invalid: [500, false, 'The configuration is not valid.'],
  cross_site: [403, false, 'Only a page of this app may start a verification.'],
  hook_failed: [500, true, "One of the app's hooks failed."],
  hook_timeout: [504, true, "One of the app's hooks took too long."],
  identity_required: [401, false, 'This needs a verified identity.'],
  identity_stale: [401, false, 'This needs an identity that was verified more recently.'],
  key_unresolved: [422, false, 'No configured key fits the presentation.'],
  keys_unavailable: [503, true, "The issuer's keys could not be fetched."],
  media_type_unsupported: [415, false, 'The callback must be application/x-www-form-urlencoded in UTF-8.'],
  method_not_allowed: [405, false, 'This address does not answer this method.'],
  not_found: [404, false, 'There is nothing at this address.'],
  origin_unknown: [400, false, "The request came in under an origin that is not in the kit's appUrl."],
  presentation_invalid: [422, false, 'The presentation failed a check.'],
  refused: [403, false, 'The app refused this identity.'],
  return_code_invalid: [400, false, 'The return address does not fit a verification of this browser.'],
  return_elsewhere: [
    403,
    false,
    'The verification came back in another browser than the one that started it.',
  ],
  return_to_invalid: [400, false, 'The address to return to is not a path of this app.'],
  service_bad_reply: [502, true, 'The service gave a reply that the interface does not allow.'],
  service_error: [502, false, 'The service reported an error.'],
  service_timeout: [504, true, 'The service did not answer in time.'],
  service_unreachable: [502, true, 'The service could not be reached.'],
  session_missing: [500, false, 'There is no session: mount express-session before the kit.'],
  session_save_failed: [503, true, 'The session could not be saved.'],
  session_unsupported: [
    500,
    false,
    'This session middleware has no save and regenerate: use express-session.',
  ],
  state_unknown: [404, false, 'No such verification is waiting: it is unknown, expired or over.'],
  status_unavailable: [503, true, 'The status of the credential could not be looked up.'],
  store_full: [503, true, 'The flow store is full.'],
  store_unavailable: [503, true, 'The flow store did not answer.'],
  subject_changed: [403, false, 'Another person is logged in than the one who started.'],
  verify_timeout: [504, true, 'The presentation could not be judged in time.'],
} as const satisfies Record<string, readonly [status: number, retryable: boolean, sentence: string]>;

/** A code of the kit itself; see {@link errorCodes}. */
export type KitErrorCode = keyof typeof kitErrors;

/** Any code: the kit's own, those of the service's interface, or one that the service invents. */
export type ErrorCode = KitErrorCode | (string & {});

/**
 * The closed list of the kit's own error codes, each with the sentence that says what it means.
 *
 * @example
 * ```ts
 * import { errorCodes } from 'pidgate'
 *
 * console.log(errorCodes.return_elsewhere)
 * ```
 */
export const errorCodes = Object.freeze(
  Object.fromEntries(Object.entries(kitErrors).map(([code, [, , sentence]]) => [code, sentence])),
) as Readonly<Record<KitErrorCode, string>>;

/** True for a code of the kit's own list. */
export function isKitErrorCode(code: string): code is KitErrorCode {
  return Object.hasOwn(kitErrors, code);
}

/** What is known of an error beside its code. */
export interface IdentityErrorDetails {
  /** Replaces the code's own sentence. Never holds a value from outside. */
  readonly message?: string;
  /** The code as the service gave it. */
  readonly serviceCode?: string;
  /** The number of the failed check of a presentation, such as `B07`. */
  readonly check?: string;
  readonly status?: number;
  readonly retryable?: boolean;
  /** The page that explains it, for a code that is not the kit's own; default `service_error`. */
  readonly page?: string;
  readonly cause?: unknown;
}

/**
 * The one error of the kit. `code` tells what happened, `docs` names the page (inside the package) that tells
 * why and what to do. No message holds a secret or a personal value.
 *
 * @example
 * ```ts
 * import { IdentityError } from 'pidgate'
 *
 * const isOurs = (error: unknown) => error instanceof IdentityError && error.code === 'config_invalid'
 * ```
 */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: ErrorCode;
  declare readonly serviceCode?: string;
  declare readonly check?: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly docs: string;

  constructor(code: ErrorCode, details: IdentityErrorDetails = {}) {
    const own = isKitErrorCode(code);
    const [status, retryable, sentence] = own ? kitErrors[code] : kitErrors.service_error;
    super(details.message ?? sentence, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    if (details.serviceCode !== undefined) this.serviceCode = details.serviceCode;
    if (details.check !== undefined) this.check = details.check;
    this.status = details.status ?? status;
    this.retryable = details.retryable ?? retryable;
    this.docs = `pidgate/docs/errors/${own ? code : (details.page ?? 'service_error')}.md`;
  }
}

/** The one way to say that the caller's configuration is wrong. */
export function configInvalid(message: string): IdentityError {
  return new IdentityError('config_invalid', { message });
}
