/** What a code means. */
type KitError = readonly [
  /** Of the HTTP reply. */
  status: number,
  sentence: string,
  /** How the operator hears of it; absent where an operator can fix nothing. */
  log?: 'error' | 'warn',
  /** Whether trying again can help. */
  retry?: 'retryable',
];

/** The kit's own codes. */
const kitErrors = {
  attribute_invalid: [422, 'A requested attribute has a format that its issuer may not use.', 'warn'],
  attributes_missing: [422, 'The presentation lacks a requested attribute.', 'warn'],
  body_consumed: [500, 'Another middleware consumed the request body before pidgate could read it.', 'error'],
  busy: [503, 'Too many verifications are in progress in this process.', 'warn', 'retryable'],
  callback_malformed: [400, 'The callback is not what a wallet or a service sends.'],
  callback_too_large: [413, 'The callback is larger than the limit.'],
  card_blocked: [403, "The person's identity card is blocked."],
  config_invalid: [500, 'The configuration is not valid.', 'error'],
  cross_site: [403, 'Only a page of this app may start a verification.'],
  declined: [403, 'The person declined.'],
  hook_failed: [500, "One of the app's hooks failed.", 'error', 'retryable'],
  hook_timeout: [504, "One of the app's hooks took too long.", 'error', 'retryable'],
  identity_insufficient: [403, 'The verified identity does not meet the condition of this route.'],
  identity_required: [401, 'A verified identity is required.'],
  identity_stale: [401, 'An identity that was verified more recently is required.'],
  key_not_found: [422, 'No configured key matches the presentation.', 'warn'],
  keys_unavailable: [503, "The issuer's keys could not be fetched.", 'error', 'retryable'],
  media_type_unsupported: [
    415,
    'The body has another media type, charset or encoding than this address reads.',
  ],
  method_not_allowed: [405, 'This address does not accept this method.'],
  credential_expired: [422, "The person's ID has expired.", 'warn'],
  credential_missing: [422, 'The wallet has no matching identity.'],
  credential_revoked: [422, "The person's ID was revoked or suspended by its issuer.", 'warn'],
  not_found: [404, 'There is nothing at this address.'],
  not_shared: [403, 'The wallet shared nothing, and does not say why.'],
  origin_not_allowed: [400, "The request's origin is not listed in the appUrl option.", 'warn'],
  presentation_invalid: [422, 'The presentation failed a check.', 'warn'],
  refused: [403, 'The app refused this identity.'],
  return_code_invalid: [400, 'The return address does not match a verification of this browser.'],
  return_wrong_browser: [403, 'The return arrived in a different browser than the start.'],
  return_to_invalid: [400, 'The address to return to is not a path of this app.'],
  service_reply_invalid: [502, "The service's response does not follow its interface.", 'error', 'retryable'],
  service_error: [502, 'The service reported an error.', 'warn'],
  service_timeout: [504, 'The service did not respond in time.', 'error', 'retryable'],
  service_unreachable: [502, 'The service could not be reached.', 'error', 'retryable'],
  session_changed: [
    409,
    'The session is not as it is stored: save what you have changed in it before (`req.session.save`), or change it ' +
      'after `identity.forget` (if you have changed nothing, another request has, and the same request works again). ' +
      'On Express 4, pass a rejection on: `identity.forget(req).then(() => …, next)`.',
    'warn',
    'retryable',
  ],
  session_ended: [
    409,
    'This session is not in its store: it has ended meanwhile, or it was renewed and not saved yet (save it first).',
    'warn',
  ],
  session_missing: [
    500,
    'There is no session: mount express-session above the kit, and above routes that use it.',
    'error',
  ],
  session_save_failed: [503, 'The session could not be saved.', 'error', 'retryable'],
  session_unsupported: [
    500,
    'This session cannot be saved, read again and given a new id on the server (cookie-session cannot do this): use express-session.',
    'error',
  ],
  state_unknown: [404, 'No pending verification matches: it is unknown, expired or finished.'],
  credential_status_unavailable: [
    503,
    'The status of the credential could not be looked up.',
    'error',
    'retryable',
  ],
  store_full: [503, 'The flow store is full.', 'error', 'retryable'],
  store_unavailable: [503, 'The flow store did not respond.', 'error', 'retryable'],
  subject_changed: [403, 'A different person is logged in than at the start.'],
  timed_out: [408, 'The wallet or the person did not respond in time.'],
  verify_timeout: [504, 'The presentation could not be verified in time.', 'error', 'retryable'],
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
  Object.fromEntries(Object.entries(kitErrors).map(([code, [, sentence]]) => [code, sentence])),
) as Readonly<Record<KitErrorCode, string>>;

export const isKitErrorCode = (code: string): code is KitErrorCode => Object.hasOwn(kitErrors, code);

/** How the operator hears of an error with this code; undefined where there is nothing to fix. */
export function logLevelOf(code: KitErrorCode): 'error' | 'warn' | undefined {
  const [, , log]: KitError = kitErrors[code];
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
 * why and what to do. The kit's own messages hold no secret and no personal value.
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
  /** The code of the service, cleaned and shortened, or the app's own word for a refusal. */
  declare readonly serviceCode?: string;
  declare readonly check?: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly docs: string;

  constructor(code: ErrorCode, details: IdentityErrorDetails = {}) {
    const isKits = isKitErrorCode(code);
    const [status, sentence, , retry]: KitError = kitErrors[isKits ? code : 'service_error'];
    super(details.message ?? sentence, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    if (details.serviceCode !== undefined) this.serviceCode = details.serviceCode;
    if (details.check !== undefined) this.check = details.check;
    this.status = details.status ?? status;
    this.retryable = details.retryable ?? retry !== undefined;
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
