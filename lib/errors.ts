/** What a code means. */
interface KitError {
  /** Of the HTTP reply. */
  readonly status: number;
  /** Whether trying again can help; default false. */
  readonly retryable?: boolean;
  readonly sentence: string;
  /** How the operator hears of it; absent where an operator can fix nothing. */
  readonly log?: 'error' | 'warn';
}

/** The kit's own codes. */
export const kitErrors = {
  attribute_invalid: {
    status: 422,
    log: 'warn',
    sentence: 'A requested attribute has a format that its issuer may not use.',
  },
  attributes_missing: {
    status: 422,
    log: 'warn',
    sentence: 'The presentation lacks a requested attribute.',
  },
  body_consumed: {
    status: 500,
    log: 'error',
    sentence: 'Another middleware consumed the request body before pidgate could read it.',
  },
  busy: {
    status: 503,
    retryable: true,
    log: 'warn',
    sentence: 'Too many verifications are in progress in this process.',
  },
  callback_malformed: { status: 400, sentence: "The callback does not follow the service's interface." },
  callback_too_large: { status: 413, sentence: 'The callback is larger than the limit.' },
  card_blocked: { status: 403, sentence: "The person's identity card is blocked." },
  config_invalid: { status: 500, log: 'error', sentence: 'The configuration is not valid.' },
  cross_site: { status: 403, sentence: 'Only a page of this app may start a verification.' },
  declined: { status: 403, sentence: 'The person declined in the wallet.' },
  hook_failed: { status: 500, retryable: true, log: 'error', sentence: "One of the app's hooks failed." },
  hook_timeout: {
    status: 504,
    retryable: true,
    log: 'error',
    sentence: "One of the app's hooks took too long.",
  },
  identity_insufficient: {
    status: 403,
    sentence: 'The verified identity does not meet the condition of this route.',
  },
  identity_required: { status: 401, sentence: 'A verified identity is required.' },
  identity_stale: { status: 401, sentence: 'An identity that was verified more recently is required.' },
  key_not_found: { status: 422, log: 'warn', sentence: 'No configured key matches the presentation.' },
  keys_unavailable: {
    status: 503,
    retryable: true,
    log: 'error',
    sentence: "The issuer's keys could not be fetched.",
  },
  media_type_unsupported: {
    status: 415,
    sentence: 'The callback must be application/x-www-form-urlencoded in UTF-8.',
  },
  method_not_allowed: { status: 405, sentence: 'This address does not accept this method.' },
  credential_missing: { status: 422, sentence: 'The wallet has no matching identity.' },
  not_found: { status: 404, sentence: 'There is nothing at this address.' },
  not_shared: { status: 403, sentence: 'The wallet shared nothing, and does not say why.' },
  origin_not_allowed: {
    status: 400,
    log: 'warn',
    sentence: "The request's origin is not listed in the appUrl option.",
  },
  presentation_invalid: { status: 422, log: 'warn', sentence: 'The presentation failed a check.' },
  refused: { status: 403, sentence: 'The app refused this identity.' },
  return_code_invalid: {
    status: 400,
    sentence: 'The return address does not match a verification of this browser.',
  },
  return_wrong_browser: {
    status: 403,
    sentence: 'The return arrived in a different browser than the start.',
  },
  return_to_invalid: { status: 400, sentence: 'The address to return to is not a path of this app.' },
  service_reply_invalid: {
    status: 502,
    retryable: true,
    log: 'error',
    sentence: "The service's response does not follow its interface.",
  },
  service_error: { status: 502, log: 'warn', sentence: 'The service reported an error.' },
  service_timeout: {
    status: 504,
    retryable: true,
    log: 'error',
    sentence: 'The service did not respond in time.',
  },
  service_unreachable: {
    status: 502,
    retryable: true,
    log: 'error',
    sentence: 'The service could not be reached.',
  },
  session_missing: {
    status: 500,
    log: 'error',
    sentence: 'There is no session: mount express-session above the kit, and above routes that use it.',
  },
  session_save_failed: {
    status: 503,
    retryable: true,
    log: 'error',
    sentence: 'The session could not be saved.',
  },
  session_unsupported: {
    status: 500,
    log: 'error',
    sentence:
      'This session cannot be saved, read again and given a new id on the server (cookie-session cannot do this): use express-session.',
  },
  state_unknown: {
    status: 404,
    sentence: 'No pending verification matches: it is unknown, expired or finished.',
  },
  credential_status_unavailable: {
    status: 503,
    retryable: true,
    log: 'error',
    sentence: 'The status of the credential could not be looked up.',
  },
  store_full: { status: 503, retryable: true, log: 'error', sentence: 'The flow store is full.' },
  store_unavailable: {
    status: 503,
    retryable: true,
    log: 'error',
    sentence: 'The flow store did not respond.',
  },
  subject_changed: { status: 403, sentence: 'A different person is logged in than at the start.' },
  timed_out: { status: 408, sentence: 'The wallet or the person did not respond in time.' },
  verify_timeout: {
    status: 504,
    retryable: true,
    log: 'error',
    sentence: 'The presentation could not be verified in time.',
  },
} as const satisfies Record<string, KitError>;

/** A code of the kit itself; see {@link errorCodes}. */
export type KitErrorCode = keyof typeof kitErrors;

/** Any code: the kit's own, those of the service's interface, or one of your own verifier function. */
export type ErrorCode = KitErrorCode | (string & {});

/**
 * The closed list of the kit's own error codes, each with the sentence that says what it means.
 *
 * @example
 * ```ts
 * import { errorCodes } from 'pidgate'
 *
 * console.log(errorCodes.return_wrong_browser)
 * ```
 */
export const errorCodes = Object.freeze(
  Object.fromEntries(Object.entries(kitErrors).map(([code, { sentence }]) => [code, sentence])),
) as Readonly<Record<KitErrorCode, string>>;

/** True for a code of the kit's own list. */
export const isKitErrorCode = (code: string): code is KitErrorCode => Object.hasOwn(kitErrors, code);

/** How the operator hears of an error with this code; undefined where there is nothing to fix. */
export function logLevelOf(code: string): 'error' | 'warn' | undefined {
  if (!isKitErrorCode(code)) return undefined;
  const { log }: KitError = kitErrors[code];
  return log;
}

/** What is known of an error in addition to its code. */
export interface IdentityErrorDetails {
  /** Replaces the code's own sentence. Never holds a value from outside. */
  readonly message?: string;
  /** The code as the service gave it, or the app's own code of a refusal. */
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
  /** The code as the service gave it, or the app's own code of a refusal. */
  declare readonly serviceCode?: string;
  declare readonly check?: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly docs: string;

  constructor(code: ErrorCode, details: IdentityErrorDetails = {}) {
    const isKits = isKitErrorCode(code);
    const { status, retryable = false, sentence }: KitError = kitErrors[isKits ? code : 'service_error'];
    super(details.message ?? sentence, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    if (details.serviceCode !== undefined) this.serviceCode = details.serviceCode;
    if (details.check !== undefined) this.check = details.check;
    this.status = details.status ?? status;
    this.retryable = details.retryable ?? retryable;
    this.docs = `pidgate/docs/errors.md#${isKits ? code : (details.page ?? 'service_error')}`;
  }
}

const ownSentences = new WeakSet<object>();

/**
 * Marks an error or a refusal whose sentence is the kit's own. Only such sentences are written to the log: an app can
 * throw an IdentityError and write a verifier too, and its words may be personal.
 */
export function inOwnWords<T extends object>(said: T): T {
  ownSentences.add(said);
  return said;
}

export const isInOwnWords = (said: object): boolean => ownSentences.has(said);

/** An error in a sentence of the kit. */
export function kitError(
  code: ErrorCode,
  details: IdentityErrorDetails & { message: string },
): IdentityError {
  return inOwnWords(new IdentityError(code, details));
}

/** The kit's own sentence about an error: the one that the kit gave it, or that of its code. */
export function sentenceOf(error: IdentityError): string {
  if (isInOwnWords(error)) return error.message;
  return errorCodes[isKitErrorCode(error.code) ? error.code : 'service_error'];
}

/** The number of the failed check, where it is one of the kit's and not an app's own. */
export function checkOf(error: IdentityError): string | undefined {
  return isInOwnWords(error) ? error.check : undefined;
}

/** The code as logs and traces may show it: an app can throw an IdentityError with any code, the kit cannot. */
export function listedCodeOf(error: IdentityError): string {
  return isKitErrorCode(error.code) || isInOwnWords(error) ? error.code : 'service_error';
}

/** The one way to say that the caller's configuration is wrong. */
export const configInvalid = (message: string): IdentityError => kitError('config_invalid', { message });
