import type { IdentityPage } from '../../options/pages/page-options.js';
import type { TextKey } from '../../options/pages/en.js';
import { readLink } from '../../options/pages/page-options.js';
import { type PageContext, durationIn, pageOf, say, sayOwn } from './page-model.js';

interface ErrorPage {
  readonly status: number;
  readonly code: string;
  /** Whether trying again may help, where the code is the service's own. */
  readonly retryable?: boolean | undefined;
  /** Where a new start begins; absent if there is none. */
  readonly start: string | undefined;
  /** The request that failed, where it is known. */
  readonly request?: string | undefined;
  /** The app's own word for its refusal: the page is its own where it has texts for that. */
  readonly refused?: string | undefined;
  /** Milliseconds for which what was kept counts, after which the person can verify again. */
  readonly keptFor?: number | undefined;
  /** What the developer should know. */
  readonly hints?: readonly string[];
}

/** Says what happened, what it means for the person, and what to do now. */
export function errorPage(
  site: PageContext,
  { status, code, retryable, start, request, refused, keptFor, hints }: ErrorPage,
): IdentityPage {
  const { title, text, next } = status === 429 ? limited : textFor(code, retryable);
  const own = refusalTexts(site, refused);
  const link = own?.link?.url ?? (next === 'home' ? undefined : start);
  const otherWay = lostCodes.has(code) ? undefined : site.otherWayOf(request);
  const again =
    keptFor === undefined
      ? []
      : [say(site, 'insufficient_again', { duration: durationIn(site.lang, keptFor) })];
  return pageOf(site, {
    name: 'error',
    status,
    code,
    title: own?.title ?? say(site, title),
    lead: own?.text ?? say(site, text),
    more: again,
    action: own?.link?.label ?? say(site, next === 'later' ? 'try_again' : 'start_again'),
    link,
    home: 'home',
    otherWay: otherWay?.url === link ? undefined : otherWay,
    hints,
  });
}

/** Not about a verification, but about an address. */
const lostCodes: ReadonlySet<string> = new Set(['not_found', 'origin_not_allowed', 'return_to_invalid']);

/** What the app says for its own word; each text that it leaves out is the general one. */
function refusalTexts(site: PageContext, word: string | undefined) {
  if (word === undefined) return undefined;
  const own = (part: string): string | undefined => sayOwn(site, `refused.${word}.${part}`);
  const link = readLink(own('link'));
  return {
    title: own('title'),
    text: own('text'),
    link: link && { ...link, url: site.addressOf(link.url) },
  };
}

/** The one page for every return that may not be released: it does not reveal which rule was broken. */
export function startAgainPage(
  site: PageContext,
  { status, start, request, hints }: Pick<ErrorPage, 'status' | 'start' | 'request' | 'hints'>,
): IdentityPage {
  return pageOf(site, {
    name: 'start_again',
    status,
    title: say(site, 'elsewhere_title'),
    lead: say(site, 'elsewhere_text'),
    more: [say(site, 'elsewhere_now'), say(site, 'elsewhere_warning')],
    action: say(site, 'elsewhere_button'),
    link: start,
    home: 'home',
    otherWay: site.otherWayOf(request),
    hints,
  });
}

/** The verification itself stands; what the app does with it failed for now. The same address works again. */
export function tryAgainPage(
  site: PageContext,
  { status, code, hints }: Pick<ErrorPage, 'status' | 'code' | 'hints'>,
): IdentityPage {
  return pageOf(site, {
    name: 'try_again',
    status,
    code,
    title: say(site, 'unfinished_title'),
    lead: say(site, 'unfinished_text'),
    action: say(site, 'try_again'),
    link: '',
    home: 'cancel',
    hints,
  });
}

/** Reloads the return from this site, so that a SameSite=Strict session cookie comes along. */
export const returnRedirectPage = (site: PageContext, link: string): IdentityPage =>
  redirectPage(site, { lead: say(site, 'redirect_text'), action: 'continue', link });

/** Goes on to the wallet at once, from a page whose policy allows that. */
export const walletPage = (site: PageContext, link: string): IdentityPage =>
  redirectPage(site, { lead: say(site, 'wallet_text'), action: 'start_button', link });

function redirectPage(
  site: PageContext,
  parts: { lead: string; action: TextKey; link: string },
): IdentityPage {
  const { action, ...others } = parts;
  return pageOf(site, {
    name: 'redirect',
    status: 200,
    title: say(site, 'redirect_title'),
    action: say(site, action),
    home: 'cancel',
    ...others,
  });
}

interface ErrorText {
  readonly title: TextKey;
  readonly text: TextKey;
  /** `again` and `later` lead to a new start, `home` away from it because a new start would not help. */
  readonly next: 'again' | 'later' | 'home';
}

/** What a limiter of the app shows: nothing was started. */
const limited: ErrorText = { title: 'limited_title', text: 'limited_text', next: 'later' };
const away: ErrorText = { title: 'away_title', text: 'away_text', next: 'later' };
const busy: ErrorText = { title: 'busy_title', text: 'busy_text', next: 'later' };
const proof: ErrorText = { title: 'proof_title', text: 'proof_text', next: 'again' };
const setUp: ErrorText = { title: 'set_up_title', text: 'set_up_text', next: 'home' };
const unknown: ErrorText = { title: 'unknown_title', text: 'unknown_text', next: 'again' };

const sharedTexts: readonly (readonly [ErrorText, readonly string[]])[] = [
  [proof, ['presentation_invalid', 'key_not_found']],
  [away, ['service_unreachable', 'service_timeout', 'service_reply_invalid']],
  [away, ['keys_unavailable', 'credential_status_unavailable', 'verify_timeout']],
  [busy, ['busy', 'hook_failed', 'hook_timeout', 'session_save_failed', 'store_full', 'store_unavailable']],
  [setUp, ['body_consumed', 'config_invalid', 'session_missing', 'session_unsupported']],
];

const errorTexts: ReadonlyMap<string, ErrorText> = new Map<string, ErrorText>([
  ['declined', { title: 'declined_title', text: 'declined_text', next: 'again' }],
  ['not_shared', { title: 'not_shared_title', text: 'not_shared_text', next: 'later' }],
  ['card_blocked', { title: 'card_blocked_title', text: 'card_blocked_text', next: 'home' }],
  ['attribute_invalid', { title: 'unusable_title', text: 'unusable_text', next: 'home' }],
  ['timed_out', { title: 'timed_out_title', text: 'timed_out_text', next: 'again' }],
  [
    'credential_missing',
    { title: 'credential_missing_title', text: 'credential_missing_text', next: 'again' },
  ],
  ['attributes_missing', { title: 'incomplete_title', text: 'incomplete_text', next: 'again' }],
  ['refused', { title: 'refused_title', text: 'refused_text', next: 'home' }],
  ['identity_insufficient', { title: 'insufficient_title', text: 'insufficient_text', next: 'home' }],
  ['state_unknown', { title: 'ended_title', text: 'ended_text', next: 'again' }],
  ['service_error', { title: 'service_error_title', text: 'service_error_text', next: 'again' }],
  ['cross_site', { title: 'foreign_title', text: 'foreign_text', next: 'again' }],
  ['not_found', { title: 'not_found_title', text: 'not_found_text', next: 'home' }],
  ['origin_not_allowed', { title: 'address_title', text: 'address_text', next: 'again' }],
  ['return_to_invalid', { title: 'link_title', text: 'link_text', next: 'home' }],
  ...sharedTexts.flatMap(([text, codes]) => codes.map((code) => [code, text] as const)),
]);

/**
 * The text for a code; a code that is not known gets the general one. `retryable` is known of the service's own codes:
 * it is away, or this site asks it for what it does not give.
 *
 * @internal
 */
export function textFor(code: string, retryable?: boolean): ErrorText {
  const text = errorTexts.get(code);
  if (text !== undefined || retryable === undefined) return text ?? unknown;
  return retryable ? away : setUp;
}
