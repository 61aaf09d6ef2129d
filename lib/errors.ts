import { type KitError, kitErrors } from './error-codes.js';

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
export function isKitErrorCode(code: string): code is KitErrorCode {
  return Object.hasOwn(kitErrors, code);
}

/** How the operator hears of an error with this code; undefined where it is nothing to mend. */
export function logLevelOf(code: string): 'error' | 'warn' | undefined {
  if (!isKitErrorCode(code)) return undefined;
  const { log }: KitError = kitErrors[code];
  return log;
}

/** What is known of an error beside its code. */
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
    const own = isKitErrorCode(code);
    const { status, retryable, sentence } = own ? kitErrors[code] : kitErrors.service_error;
    super(details.message ?? sentence, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    if (details.serviceCode !== undefined) this.serviceCode = details.serviceCode;
    if (details.check !== undefined) this.check = details.check;
    this.status = details.status ?? status;
    this.retryable = details.retryable ?? retryable;
    this.docs = `pidgate/docs/errors/${own ? code : (details.page ?? 'service_error')}.md`;
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

export function isInOwnWords(said: object): boolean {
  return ownSentences.has(said);
}

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

/** The one way to say that the caller's configuration is wrong. */
export function configInvalid(message: string): IdentityError {
  return kitError('config_invalid', { message });
}
