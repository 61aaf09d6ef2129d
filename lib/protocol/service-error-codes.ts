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

/** What the interface says of each code, in place of the service's own words, which may repeat what was sent. */
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
