import { IdentityError, isKitErrorCode } from '../errors.js';
import { printable } from '../safe/printable.js';

/** The error codes of the interface with the HTTP status that `POST /prove` gives them. */
export const serviceErrors = {
  error_invalid_body: 400,
  error_missing_parameter: 400,
  error_missing_state: 400,
  error_invalid_attribute: 400,
  error_wrong_issuer: 400,
  error_api_key: 401,
  error_account: 401,
  error_internal: 500,
} as const;

export type ServiceErrorCode = keyof typeof serviceErrors;

export function isServiceErrorCode(code: string): code is ServiceErrorCode {
  return Object.hasOwn(serviceErrors, code);
}

/** The interface's sentence for each code. The service's own sentence may repeat what was sent, so it is not used. */
export const serviceSentences: Readonly<Record<ServiceErrorCode, string>> = {
  error_invalid_body: 'the body of the request is not valid.',
  error_missing_parameter: 'a required field is missing.',
  error_missing_state: 'the state is missing.',
  error_invalid_attribute: 'an unknown attribute was asked for.',
  error_wrong_issuer: 'the issuer is not one that it supports.',
  error_api_key: 'the API key is missing or not valid.',
  error_account: 'the account is not set up for the API, or suspended.',
  error_internal: 'it failed inside.',
};

/**
 * Returns the error for a code of the service. The code stays if it is lower snake case and none of the kit's own;
 * anything else becomes `service_error`.
 */
export function fromService(serviceCode: string, status?: number, message?: string): IdentityError {
  const passes = /^[a-z][a-z0-9_]{0,63}$/.test(serviceCode) && !isKitErrorCode(serviceCode);
  const code = passes ? serviceCode : 'service_error';
  const said = { serviceCode: printable(serviceCode, 100), ...(message !== undefined && { message }) };
  if (isServiceErrorCode(code)) {
    const sentence = `The service reported ${code}: ${serviceSentences[code]}`;
    return new IdentityError(code, { message: sentence, ...factsOf(code), ...said });
  }
  const failed = status !== undefined && status >= 400 && status < 600 ? status : undefined;
  return new IdentityError(code, { status: failed ?? 502, retryable: (failed ?? 0) >= 500, ...said });
}

/** Returns the error for a request that was never sent, because the interface forbids it: without `serviceCode`. */
export function refusedHere(code: ServiceErrorCode, description: string): IdentityError {
  return new IdentityError(code, { message: `Refused before the network: ${description}`, ...factsOf(code) });
}

function factsOf(code: ServiceErrorCode) {
  return { status: serviceErrors[code], retryable: serviceErrors[code] >= 500, page: code };
}
