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
