/** What a code means. */
export interface KitError {
  /** Of the HTTP reply. */
  readonly status: number;
  /** Whether trying again can help. */
  readonly retryable: boolean;
  readonly sentence: string;
  /** How the operator hears of it; absent where it is nothing that an operator can mend. */
  readonly log?: 'error' | 'warn';
}

/** The kit's own codes. */
export const kitErrors = {
  attribute_invalid: {
    status: 422,
    retryable: false,
    log: 'warn',
    sentence: 'The presentation holds an asked attribute in a form that its issuer must not use.',
  },
  attributes_missing: {
    status: 422,
    retryable: false,
    log: 'warn',
    sentence: 'The presentation does not hold every attribute that was asked for.',
  },
  body_consumed: {
    status: 500,
    retryable: false,
    log: 'error',
    sentence: 'Something before the kit read the request body and left nothing of it.',
  },
  busy: {
    status: 503,
    retryable: true,
    log: 'warn',
    sentence: 'Too many verifications are under way in this process.',
  },
  callback_malformed: {
    status: 400,
    retryable: false,
    sentence: 'The callback is not one that the interface allows.',
  },
  callback_too_large: { status: 413, retryable: false, sentence: 'The callback is larger than the limit.' },
  config_invalid: {
    status: 500,
    retryable: false,
    log: 'error',
    sentence: 'The configuration is not valid.',
  },
  cross_site: {
    status: 403,
    retryable: false,
    sentence: 'Only a page of this app may start a verification.',
  },
  declined: { status: 403, retryable: false, sentence: 'The person declined in the wallet.' },
  hook_failed: { status: 500, retryable: true, log: 'error', sentence: "One of the app's hooks failed." },
  hook_timeout: {
    status: 504,
    retryable: true,
    log: 'error',
    sentence: "One of the app's hooks took too long.",
  },
  identity_insufficient: {
    status: 403,
    retryable: false,
    sentence: 'The verified identity does not meet the condition of this route.',
  },
  identity_required: { status: 401, retryable: false, sentence: 'This needs a verified identity.' },
  identity_stale: {
    status: 401,
    retryable: false,
    sentence: 'This needs an identity that was verified more recently.',
  },
  key_not_found: {
    status: 422,
    retryable: false,
    log: 'warn',
    sentence: 'No configured key fits the presentation.',
  },
  keys_unavailable: {
    status: 503,
    retryable: true,
    log: 'error',
    sentence: "The issuer's keys could not be fetched.",
  },
  media_type_unsupported: {
    status: 415,
    retryable: false,
    sentence: 'The callback must be application/x-www-form-urlencoded in UTF-8.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    sentence: 'This address does not answer this method.',
  },
  credential_missing: {
    status: 422,
    retryable: false,
    sentence: 'The wallet has no identity that fits the request.',
  },
  not_found: { status: 404, retryable: false, sentence: 'There is nothing at this address.' },
  origin_not_allowed: {
    status: 400,
    retryable: false,
    log: 'warn',
    sentence: "The request came in under an origin that is not in the kit's appUrl.",
  },
  presentation_invalid: {
    status: 422,
    retryable: false,
    log: 'warn',
    sentence: 'The presentation failed a check.',
  },
  refused: { status: 403, retryable: false, sentence: 'The app refused this identity.' },
  return_code_invalid: {
    status: 400,
    retryable: false,
    sentence: 'The return address does not fit a verification of this browser.',
  },
  return_wrong_browser: {
    status: 403,
    retryable: false,
    sentence: 'The verification came back in another browser than the one that started it.',
  },
  return_to_invalid: {
    status: 400,
    retryable: false,
    sentence: 'The address to return to is not a path of this app.',
  },
  service_reply_invalid: {
    status: 502,
    retryable: true,
    log: 'error',
    sentence: 'The service gave a reply that the interface does not allow.',
  },
  service_error: { status: 502, retryable: false, log: 'warn', sentence: 'The service reported an error.' },
  service_timeout: {
    status: 504,
    retryable: true,
    log: 'error',
    sentence: 'The service did not answer in time.',
  },
  service_unreachable: {
    status: 502,
    retryable: true,
    log: 'error',
    sentence: 'The service could not be reached.',
  },
  session_missing: {
    status: 500,
    retryable: false,
    log: 'error',
    sentence: 'There is no session: mount express-session before the kit.',
  },
  session_save_failed: {
    status: 503,
    retryable: true,
    log: 'error',
    sentence: 'The session could not be saved.',
  },
  session_unsupported: {
    status: 500,
    retryable: false,
    log: 'error',
    sentence:
      'This session cannot be saved, read again and given a new id on the server (one of cookie-session cannot): use express-session.',
  },
  state_unknown: {
    status: 404,
    retryable: false,
    sentence: 'No such verification is waiting: it is unknown, expired or over.',
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
    sentence: 'The flow store did not answer.',
  },
  subject_changed: {
    status: 403,
    retryable: false,
    sentence: 'Another person is logged in than the one who started.',
  },
  timed_out: { status: 408, retryable: false, sentence: 'The wallet or the person did not answer in time.' },
  verify_timeout: {
    status: 504,
    retryable: true,
    log: 'error',
    sentence: 'The presentation could not be judged in time.',
  },
} as const satisfies Record<string, KitError>;
