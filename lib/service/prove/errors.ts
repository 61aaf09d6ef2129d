import { IdentityError, kitError, type KitErrorCode } from '../../errors.js';
import { sanitizeText } from '../../internal/sanitize-text.js';

/**
 * The error codes of the interface, with the HTTP status that `POST /prove` gives them and the interface's sentence. The
 * service's own sentence may repeat what was sent, so it is not used.
 */
export const proveErrors = {
  error_invalid_body: { status: 400, sentence: 'the body of the request is not valid.' },
  error_missing_parameter: { status: 400, sentence: 'a required field is missing.' },
  error_missing_state: { status: 400, sentence: 'the state is missing.' },
  error_invalid_attribute: { status: 400, sentence: 'an unknown attribute was asked for.' },
  error_wrong_issuer: { status: 400, sentence: 'the issuer is not one that it supports.' },
  error_api_key: { status: 401, sentence: 'the API key is missing or not valid.' },
  error_account: { status: 401, sentence: 'the account is not set up for the API, or suspended.' },
  error_internal: { status: 500, sentence: 'it failed inside.' },
} as const;

export type ProveErrorCode = keyof typeof proveErrors;

export function isProveErrorCode(code: string): code is ProveErrorCode {
  return Object.hasOwn(proveErrors, code);
}

/**
 * Spellings of the codes in error callbacks, which the interface leaves open: OpenID4VP's, the sandbox's, and common ones.
 */
const spellings = [
  // In OpenID4VP 1.0, 8.5: no such credential, no consent, or not authenticated. Wallets hide which.
  ['not_shared', 'access_denied'],
  ['card_blocked', 'card_blocked'],
  [
    'declined',
    'canceled cancelled consent_denied declined denied rejected user_aborted user_canceled ' +
      'user_cancelled user_declined user_denied user_rejected',
  ],
  ['timed_out', 'expired request_expired session_expired timed_out timeout user_timeout wallet_timeout'],
  [
    'credential_missing',
    'credential_not_found identity_not_found identity_unavailable no_credential no_credentials credential_missing ' +
      'no_identity no_matching_credential no_matching_credentials vp_formats_not_supported',
  ],
] as const;

const meanings: ReadonlyMap<string, KitErrorCode> = new Map(
  spellings.flatMap(([meaning, codes]) => codes.split(' ').map((code) => [code, meaning] as const)),
);

/** Returns the error for the code of an error callback: one of a closed list, with the service's own in `serviceCode`. */
export function fromCallback(serviceCode: string): IdentityError {
  const meaning = meanings.get(serviceCode);
  return meaning === undefined ? fromService(serviceCode) : new IdentityError(meaning, { serviceCode });
}

/** Returns the error for a code in a reply of the service: a code that the interface does not name is `service_error`. */
export function fromService(code: string, status?: number): IdentityError {
  const serviceCode = sanitizeText(code, 100);
  if (isProveErrorCode(code)) {
    const message = `The service reported ${code}: ${proveErrors[code].sentence}`;
    return kitError(code, { message, ...factsOf(code), serviceCode });
  }
  const isFailure = status !== undefined && status >= 400 && status < 600;
  const facts = isFailure ? { status, retryable: status >= 500 } : { status: 502, retryable: false };
  return new IdentityError('service_error', { ...facts, serviceCode });
}

/** Returns the error for a request that was never sent, because the interface forbids it: without `serviceCode`. */
export function refusedHere(code: ProveErrorCode, description: string): IdentityError {
  return kitError(code, { message: `Refused before the network: ${description}`, ...factsOf(code) });
}

function factsOf(code: ProveErrorCode) {
  const { status } = proveErrors[code];
  return { status, retryable: status >= 500, page: code };
}
