/**
 * The built-in English texts. Placeholders stand in braces: {name}, {duration}, {country}, {years}, {code},
 * {time}, {reason}.
 */
export const en = {
  cancel: 'Cancel',
  home: 'Back to {name}',
  privacy: 'Privacy',
  start_again: 'Start again',
  try_again: 'Try again',
  continue: 'Continue',
  support: 'If you contact {name}, give this code: {code}',

  start_title: 'Prove who you are',
  start_title_age: 'Prove your age',
  start_purpose: '{name} asks for proof from your identity wallet.',
  start_asked: 'What you will be asked to share',
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Date of birth',
  nationality: 'Nationality',
  age_over: 'Whether you are {years} or over',
  age_over_or_date:
    'If your wallet cannot share only this, it shares your date of birth, and {name} does not keep it.',
  age_over_by_date:
    'Your wallet shares your date of birth. Of it, {name} keeps only whether you are {years} or over.',
  derived_nationality: 'Whether you are a national of {country}',
  derived_answer: 'yes or no only',
  kept_title: 'What is stored',
  kept_title_for: 'We store, until your session ends, and for {duration} at most',
  kept: 'Whether {name} stores what you share is not stated here. A receipt number and the time are stored until your session ends, and for {duration} at most.',
  kept_receipt: 'The time, and a receipt number',
  not_kept_title: 'We do not store',
  start_button: 'Continue to my wallet',
  start_renew: 'Your last check was too long ago. Please verify again.',
  needs:
    'The wallet is an app on your phone that holds your official ID. You need it and its PIN. It takes about two minutes.',
  other_way: 'I have no wallet: other ways',
  other_way_button: 'Choose another way',
  another_id: 'Verify with another ID',
  start_note: 'Your wallet shows the same list again. Nothing is shared until you agree there.',
  start_foreign:
    'The verification has not begun, because the request did not come from this page. Please start it here.',
  start_dropped:
    'We could not confirm that you started this yourself. If it happens again, please let {name} know.',
  sandbox: 'Test: made-up people, proves nothing',
  needs_in_test:
    'The wallet is an app that holds your official ID. Here you need no phone and no PIN of your own: a sandbox stands in for your wallet.',

  declined_title: 'You cancelled',
  declined_text: '{name} kept none of your data from this request. If you change your mind, start again.',
  not_shared_title: 'Your wallet shared nothing',
  not_shared_text:
    'Perhaps you cancelled or said no, the PIN was wrong, or your wallet has no matching ID. You can try again, or use another wallet.',
  card_blocked_title: 'Your identity card is blocked',
  card_blocked_text:
    'Trying again will not help until it is unblocked. The authority that issued it can tell you how: for a German card, you need the PUK from its PIN letter. Then come back. Nothing was shared with {name}.',
  timed_out_title: 'This request timed out',
  timed_out_text: 'The verification was not completed in time. This browser got nothing. Please start again.',
  credential_missing_title: 'No matching ID in your wallet',
  credential_missing_text:
    'Nothing was shared with {name}. Add your identity card to the wallet, or use the wallet that has it. Then start again.',
  expired_title: 'The ID in your wallet has expired',
  expired_text:
    'Trying again will not help until you have a valid one in your wallet. {name} kept none of what was shared.',
  revoked_title: 'The ID in your wallet is not valid',
  revoked_text:
    'The authority that issued it has revoked or suspended it. Trying again will not help until you have settled that with the authority. {name} kept none of what was shared.',
  proof_title: 'Your proof was not accepted',
  proof_text:
    'What your wallet sent could not be accepted as valid proof. Please start again. If it happens again, check whether your wallet app is up to date.',
  unusable_title: 'Your ID cannot be used here',
  unusable_text:
    'A requested value on it is incomplete, for example a date of birth without a day. Trying again with the same ID will not help.',
  incomplete_title: 'Something is missing',
  incomplete_text:
    'Your wallet did not share everything that was requested. Please start again and share all of it.',
  refused_title: 'You cannot continue here',
  refused_text:
    'Your ID was checked, but {name} cannot accept it for what you wanted to do. Starting again with the same ID will not change that.',
  insufficient_title: 'You cannot use this page',
  insufficient_text: 'The verification succeeded, but you do not meet the conditions of this page.',
  still_counts: 'What you proved before still counts.',
  insufficient_again: 'What you proved stays stored for up to {duration} more.',
  ended_title: 'We cannot find this verification',
  ended_text: 'It may have expired. Please start again.',
  used_title: 'This verification has ended',
  used_text:
    'It has expired, has already been completed, or was opened in another browser. If you have completed it, go back to {name}. Otherwise, please start again.',
  service_error_title: 'The verification did not succeed',
  service_error_text:
    'The wallet or the identity service ended the verification. This browser got nothing, and {name} has not used your answer. Please start again.',
  away_title: 'The identity service is not available',
  away_text:
    'It could not be reached or did not respond. You did nothing wrong, and none of your data was kept. Please try again in a few minutes.',
  trouble_title: 'The identity service had a problem',
  trouble_text: 'You did nothing wrong, and none of your data was kept. Please try again in a few minutes.',
  unchecked_title: 'We cannot check your ID right now',
  unchecked_text:
    'Something that we need for the check could not be looked up, such as whether your ID is still valid. You did nothing wrong, and {name} kept none of what was shared. Please try again in a few minutes.',
  busy_title: 'That did not work',
  busy_text:
    'We could not continue the verification. You did nothing wrong. Please try again in a few minutes.',
  limited_title: 'Please wait a moment',
  limited_text:
    'Too many requests came from your network just now. That may have nothing to do with you. Please try again in about {duration}.',
  set_up_title: 'This site is not set up correctly',
  set_up_text:
    'You cannot verify your identity here at the moment, and trying again will not help. Please let {name} know.',
  foreign_title: 'Nothing has changed',
  foreign_text:
    'We could not confirm that this came from a page of {name}, so we did nothing. If you have begun a verification, it is still open: go back to its page. If you cannot find that page, start again.',
  not_found_title: 'Page not found',
  not_found_text: 'There is no page at this address.',
  address_title: 'Please use the main address',
  address_text: 'You cannot verify your identity at this address. The button leads to the main address.',
  link_title: 'This link is not valid',
  link_text: 'The link that brought you here would have led you on to a page that is not on {name}.',
  unknown_title: 'That did not work',
  unknown_text: 'Something went wrong. Please start again.',

  elsewhere_title: 'Your wallet opened a different browser',
  elsewhere_text:
    'This verification was started in another browser, or you have logged in or out since. We ended it, for your protection. This browser got nothing, and {name} has not used your answer.',
  elsewhere_now: 'Start again in this browser, and your wallet will bring you back to it.',
  elsewhere_other: 'I began in another browser, and want to go on there',
  elsewhere_other_text:
    'What you began in the other browser has ended. If your wallet is on another device, go back to that browser, and start again. If it is on this device, start again here, because it would open this browser again.',
  elsewhere_button: 'Start again here',
  elsewhere_warning:
    'Did someone send you this link? Then close this page: no one has a good reason to ask you to open it.',
  session_over_title: 'Your session has ended',
  session_over_text:
    'You may have logged out, or waited too long. No data was given to this browser. Please start again.',
  unrecognised_title: '{name} does not recognise this browser',
  unrecognised_text:
    'Perhaps this browser blocks cookies. If so, allow them for this site, and load this page again. If that does not help, start again.',
  unrecognised_other: 'Please go back to that browser, and continue there.',
  broken_title: 'This address is incomplete',
  broken_text:
    'Part of it was lost on the way to {name}. No data was given to this browser. Please start again.',
  changed_title: 'The login has changed',
  changed_text:
    'Someone has logged in or out in this browser since this verification began. No data was given to the account that is open now. Log in to the right account, then start again.',
  unfinished_title: 'Almost done',
  unfinished_text:
    'Your wallet has responded, but {name} could not complete the verification just now. Nothing is lost: please try again.',
  redirect_title: 'One moment',
  redirect_text: 'You are being taken back to {name}.',
  wallet_text: 'You are being taken to your wallet.',

  wallet_title: 'Continue in your wallet',
  wallet_lead: 'Your wallet shows this list again. Nothing is shared until you agree there.',
  wallet_open: 'Open my wallet',
  wallet_scan: 'Scan this code with the phone that has your wallet: with the wallet, or with the camera.',
  wallet_code_label: 'QR code for your wallet',
  wallet_warning:
    'Scan it only if you opened this page yourself. If somebody sent you the code and you scan it, they could get your data.',
  wallet_other_device: 'Nothing happens? My wallet is on another device',
  wallet_this_device: 'My wallet is on this device',
  wallet_browser: 'Let my browser find my wallet',
  wallet_browser_failed:
    'Your browser returned no answer. Perhaps you closed its window, or it has no wallet, or it is not allowed to use one here. You can try again.',
  wallet_browser_unable: 'This browser cannot connect to a wallet. Open this site in another browser.',
  wallet_until: 'This request is open until {time}.',
  wallet_waiting: 'This page will continue as soon as your wallet has answered.',
  wallet_soon: 'This request ends in less than two minutes.',
  wallet_slow: 'Did your wallet show an error? Cancel, and tell {name}.',
  wallet_away: '{name} is not responding at the moment. If this continues, please start again later.',
  wallet_reload: 'My wallet has answered',
  wallet_notice: 'An answer came, but it does not count: “{reason}”. You can try again here.',
  wallet_gone_title: 'This request can no longer be used',
  wallet_gone_text:
    'Your wallet can no longer answer this request. You did nothing wrong. Please start again.',
  wallet_cancel: 'Cancel this request',
  wallet_answered_title: 'Your wallet has answered',
  wallet_answered_text:
    'It has opened a page that says how to go on, perhaps in another browser on this device.',
  wallet_answered_again:
    'Can’t find that page? Look in the other browsers on this device. If it is in none of them, start again here.',
};

/** The closed list of texts. */
export type TextKey = keyof typeof en;

/** All texts of one language. */
export type Texts = Readonly<Record<TextKey, string>>;
