import type { Texts } from '../../options/pages/en.js';

/** The way on: `again` and `later` lead to a new start, `home` away from it because a new start would not help. */
type NextStep = 'again' | 'later' | 'home';

type TitleKey = Extract<keyof Texts, `${string}_title`>;
type Subject = TitleKey extends `${infer Name}_title` ? Name : never;

interface ErrorText {
  readonly title: TitleKey;
  readonly text: Extract<keyof Texts, `${string}_text`>;
  readonly way: NextStep;
}

const about = (
  subject: Extract<keyof Texts, `${Subject}_text`> extends `${infer Name}_text` ? Name : never,
  way: NextStep,
): ErrorText => ({ title: `${subject}_title`, text: `${subject}_text`, way });

const away = about('away', 'later');
const busy = about('busy', 'later');
const proof = about('proof', 'again');
const setUp = about('set_up', 'home');
const unknown = about('unknown', 'again');

const texts: Readonly<Record<string, ErrorText>> = {
  declined: about('declined', 'again'),
  timed_out: about('timed_out', 'again'),
  credential_missing: about('credential_missing', 'again'),
  presentation_invalid: proof,
  attribute_invalid: proof,
  key_not_found: proof,
  attributes_missing: about('incomplete', 'again'),
  refused: about('refused', 'home'),
  identity_insufficient: about('insufficient', 'home'),
  state_unknown: about('ended', 'again'),
  service_error: about('service_error', 'again'),

  service_unreachable: away,
  service_timeout: away,
  service_reply_invalid: away,
  error_internal: away,
  keys_unavailable: away,
  credential_status_unavailable: away,
  verify_timeout: away,

  busy,
  hook_failed: busy,
  hook_timeout: busy,
  session_save_failed: busy,
  store_full: busy,
  store_unavailable: busy,

  body_consumed: setUp,
  config_invalid: setUp,
  error_account: setUp,
  error_api_key: setUp,
  error_invalid_attribute: setUp,
  error_invalid_body: setUp,
  error_missing_parameter: setUp,
  error_missing_state: setUp,
  error_wrong_issuer: setUp,
  session_missing: setUp,
  session_unsupported: setUp,

  cross_site: about('foreign', 'again'),
  not_found: about('not_found', 'home'),
  origin_not_allowed: about('address', 'again'),
  return_to_invalid: about('link', 'home'),
};

/** The text for a code; a code that is not known gets the general one. */
export function textFor(code: string): ErrorText {
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? unknown;
}
