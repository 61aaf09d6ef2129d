/** The built-in English texts. Placeholders stand in braces: {name}, {duration}, {country}, {code}. */
export const en = {
  cancel: 'Cancel',
  home: 'Back to {name}',
  privacy: 'Privacy',
  start_again: 'Start again',
  try_again: 'Try again',
  continue: 'Continue',
  support: 'For support: {code}',

  start_title: 'Prove who you are',
  start_purpose: '{name} asks you to confirm your identity with your identity wallet.',
  start_asked: 'What you will be asked to share',
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Date of birth',
  nationality: 'Nationality',
  derived_nationality: 'Whether you hold the nationality of {country}',
  derived_answer: 'only yes or no',
  kept_title: 'What is kept',
  kept: '{name} remembers part of this in your session, for {duration} at most.',
  kept_nothing:
    '{name} remembers in your session that you have verified your identity, and when, for {duration} at most.',
  start_button: 'Continue to my wallet',
  start_note: 'Your wallet shows the same list again. Nothing is shared until you agree there.',
  start_foreign: 'The verification was not started from this page. Please start it here.',
  sandbox: 'Test mode: a sandbox stands in for the identity service. It proves nothing about anyone.',

  declined_title: 'You said no in your wallet',
  declined_text: 'Nothing was shared with {name}. If you change your mind, start again.',
  timed_out_title: 'The time is up',
  timed_out_text: 'Your wallet did not answer in time. Nothing was shared with {name}. Please start again.',
  credential_missing_title: 'Your wallet has no identity that fits',
  credential_missing_text:
    'Nothing was shared with {name}. Add your identity card to the wallet, or use the wallet that has it. Then start again.',
  proof_title: 'Your proof was not accepted',
  proof_text:
    'What your wallet sent could not be accepted as proof of who you are. Please start again. If it happens again, your wallet or your identity card may need to be renewed.',
  incomplete_title: 'Something is missing',
  incomplete_text:
    'Your wallet did not share everything that was asked for. Please start again and share all of it.',
  refused_title: 'You cannot go on here',
  refused_text:
    'Your identity was verified, but {name} cannot accept it for what you wanted to do. Starting again will not change that.',
  insufficient_title: 'You cannot go on here',
  insufficient_text:
    'You have verified your identity, but it does not meet the conditions of this page. Verifying it again will not change that.',
  ended_title: 'This verification has ended',
  ended_text: 'It has expired, or was already used. Please start a new one.',
  service_error_title: 'Your identity was not verified',
  service_error_text:
    'The wallet or the identity service ended the verification. Nothing was shared with {name}. Please start again.',
  away_title: 'The identity service is not available',
  away_text:
    'It could not be reached, or did not answer. The fault is not yours. Please try again in a few minutes.',
  busy_title: 'That did not work',
  busy_text:
    'We could not go on with the verification. The fault is not yours. Please try again in a few minutes.',
  set_up_title: 'This site is not set up correctly',
  set_up_text:
    'The verification cannot work at present, and trying again will not help. Please tell {name} about it.',
  foreign_title: 'Please start from this site',
  foreign_text: 'A verification can only be started on a page of {name}. Nothing has happened.',
  not_found_title: 'Nothing here',
  not_found_text: 'There is no page at this address.',
  address_title: 'Please use the main address',
  address_text: 'This site cannot verify anybody under this address. Please start at the main address.',
  link_title: 'This link is not valid',
  link_text: 'The link that brought you here does not lead back to a page of {name}.',
  unknown_title: 'Your identity was not verified',
  unknown_text: 'Something went wrong on the way. Please start again.',

  elsewhere_title: 'Please start again in the browser where you began',
  elsewhere_text:
    'A verification can only be finished in the browser that started it, once, and within a few minutes.',
  elsewhere_now:
    'Nothing was handed to this browser. If you began here, start again. Otherwise go back to where you began.',
  elsewhere_button: 'Start again here',
  elsewhere_warning: 'Did someone send you this link? Then close this page: nobody needs you to open it.',
  unfinished_title: 'Almost done',
  unfinished_text:
    'Your wallet has answered, but {name} could not finish just now. Nothing is lost: please try again.',
  hop_title: 'One moment',
  hop_text: 'You are being taken back to {name}.',
  wallet_text: 'You are being taken to your wallet.',
} as const;

/** The closed list of texts. */
export type TextKey = keyof typeof en;

/** All texts of one language. */
export type Texts = Readonly<Record<TextKey, string>>;
