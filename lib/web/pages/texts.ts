import { serviceErrors } from '../../protocol/service-errors.js';

/** What a person is told: never what went wrong inside, always what to do. */
interface Text {
  readonly title: string;
  readonly text: string;
}

const notVerified = 'Your identity was not verified';

const general: Text = {
  title: notVerified,
  text: 'Something went wrong on the way. Please try again.',
};

const unreachable: Text = {
  title: 'The identity service is not available',
  text: 'The identity service could not be reached or did not answer. Please try again in a few minutes.',
};

const here: Text = {
  title: 'Please try again in a moment',
  text: 'This site is busy or has a fault just now. It may work again in a few minutes.',
};

const notUsable: Text = {
  title: notVerified,
  text: 'What your wallet sent could not be accepted as proof. Please try again.',
};

const texts: Readonly<Record<string, Text>> = {
  ...Object.fromEntries(Object.keys(serviceErrors).map((code) => [code, here])),
  attribute_type: notUsable,
  attributes_missing: {
    title: notVerified,
    text: 'Your wallet did not share everything that was asked for. Please try again and share all of it.',
  },
  busy: here,
  config_invalid: here,
  cross_site: { title: 'Please start from this site', text: 'A verification can only be started here.' },
  hook_failed: here,
  hook_timeout: here,
  key_unresolved: notUsable,
  keys_unavailable: unreachable,
  not_found: { title: 'Nothing here', text: 'There is no page at this address.' },
  origin_unknown: {
    title: 'Please use the main address',
    text: 'This site does not answer under this address.',
  },
  presentation_invalid: notUsable,
  refused: {
    title: 'You cannot go on here',
    text: 'This site cannot accept this identity for what you wanted to do.',
  },
  return_to_invalid: {
    title: 'This link is not valid',
    text: 'The link that led here is not one of this site.',
  },
  service_bad_reply: unreachable,
  service_error: {
    title: notVerified,
    text: 'You declined, or the wallet or the identity service ended it. Nothing was shared with this site.',
  },
  service_timeout: unreachable,
  service_unreachable: unreachable,
  session_missing: here,
  session_save_failed: here,
  session_unsupported: here,
  state_unknown: {
    title: 'This verification is over',
    text: 'It has expired or was already answered. Please start a new one.',
  },
  status_unavailable: unreachable,
  store_full: here,
  store_unavailable: here,
  verify_timeout: unreachable,
};

/** The text for a code; a code that is not known gets the general one. */
export function textFor(code: string): Text {
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? general;
}
