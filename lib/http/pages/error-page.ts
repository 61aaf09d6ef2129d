import type { KitErrorCode } from '../../errors.js';
import type { IdentityPage } from '../../options/pages/page-options.js';
import type { TextKey } from '../../options/pages/en.js';
import { readLink } from '../../options/pages/page-options.js';
import { type PageContext, durationIn, languageOfText, pageOf, say, sayOwn } from './page-model.js';

interface ErrorPage {
  readonly status: number;
  readonly code: string;
  /** Whether trying again may help, where the code is the service's own. */
  readonly retryable?: boolean | undefined;
  /** Where a new start begins; absent if there is none. */
  readonly start: string | undefined;
  readonly question?: string | undefined;
  /** The app's own word for its refusal: the page is its own where it has texts for that. */
  readonly refused?: string | undefined;
  /** Milliseconds for which what was kept counts. Said where there is no start for another ID. */
  readonly keptFor?: number | undefined;
  /** An earlier result of the same question counts, whatever became of this try. */
  readonly stillCounts?: boolean;
  /** Milliseconds after which a limiter lets the person try again. */
  readonly wait?: number;
  /** The flow's public id. */
  readonly flow?: string | undefined;
  readonly hints?: readonly string[];
}

/** Says what happened, what it means for the person, and what to do now. */
export function errorPage(
  site: PageContext,
  { status, code, retryable, start, question, refused, keptFor, stillCounts, wait, flow, hints }: ErrorPage,
): IdentityPage {
  const { title, text, next } = status === 429 ? textOf(limited) : textFor(code, retryable);
  const duration = wait === undefined ? '' : durationIn(languageOfText(site, text), wait);
  // What the app says for its own word; each text that it leaves out is the general one.
  const own = (part: 'title' | 'text' | 'link'): string | undefined =>
    refused === undefined ? undefined : sayOwn(site, `refused.${refused}.${part}`);
  const ownLink = readLink(own('link'));
  const otherWay = lostCodes.has(code) ? undefined : site.otherWayOf(question);
  const wayOn = ownLink
    ? { label: ownLink.label, url: site.addressOf(ownLink.url) }
    : next === 'home' || next === 'another_id' // a new start with the same ID would not help
      ? { label: otherWay?.text ?? say(site, 'other_way_button'), url: otherWay?.url }
      : { label: say(site, next === 'later' ? 'try_again' : 'start_again'), url: start ?? site.home };
  const anotherId = next === 'another_id' ? start : undefined;
  return pageOf(site, {
    name: 'error',
    status,
    code,
    title: own('title') ?? say(site, title),
    lead: own('text') ?? say(site, text, { duration }),
    more: [
      ...(keptFor === undefined || anotherId !== undefined
        ? []
        : [
            say(site, 'insufficient_again', {
              duration: durationIn(languageOfText(site, 'insufficient_again'), keptFor),
            }),
          ]),
      ...(stillCounts === true ? [say(site, 'still_counts')] : []),
    ],
    action: wayOn.label,
    link: wayOn.url,
    home: 'home',
    otherWay: otherWay?.url === wayOn.url ? undefined : otherWay,
    anotherId,
    flow,
    isExplained: own('title') !== undefined,
    hints,
  });
}

/** Not about a verification, but about an address. */
const lostCodes: ReadonlySet<string> = new Set(['not_found', 'origin_not_allowed', 'return_to_invalid']);

/** What is said of a return that is not released. */
export type StartAgainTopic = Extract<
  Topic,
  'elsewhere' | 'session_over' | 'unrecognised' | 'broken' | 'used' | 'changed'
>;

interface StartAgainPage extends Pick<ErrorPage, 'status' | 'start' | 'question' | 'hints'> {
  readonly topic: StartAgainTopic;
}

/**
 * The page for every return that may not be released. It does not reveal which rule was broken: what it says follows
 * from the visitor's own request. Only its button leads to the question of a flow whose code was right.
 */
export function startAgainPage(
  site: PageContext,
  { status, topic, start, question, hints }: StartAgainPage,
): IdentityPage {
  // Somebody may have sent the address to a stranger, whose browser brings no session of this verification.
  const isWaiting = topic === 'unrecognised'; // nothing has ended
  const mayBeStranger = isWaiting || topic === 'elsewhere' || topic === 'session_over';
  const text = say(site, `${topic}_text`);
  return pageOf(site, {
    name: 'start_again',
    status,
    title: say(site, `${topic}_title`),
    lead: mayBeStranger ? say(site, 'elsewhere_warning') : text,
    more: [...(mayBeStranger ? [text] : []), ...(topic === 'elsewhere' ? [say(site, 'elsewhere_now')] : [])],
    elsewhere: mayBeStranger
      ? {
          title: say(site, 'elsewhere_other'),
          text: say(site, isWaiting ? 'unrecognised_other' : 'elsewhere_other_text'),
        }
      : undefined,
    action: say(site, mayBeStranger ? 'elsewhere_button' : 'start_again'),
    // Where nothing tells which of several questions it was, the app's own page offers them.
    link: start ?? site.home,
    home: 'home',
    otherWay: site.otherWayOf(question),
    hints,
  });
}

/** The verification itself stands; what the app does with it failed for now. The same address works again. */
export function tryAgainPage(
  site: PageContext,
  { status, code, flow, hints }: Pick<ErrorPage, 'status' | 'code' | 'flow' | 'hints'>,
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
    flow,
    hints,
  });
}

/** Reloads the return from this site, so that a SameSite=Strict session cookie comes along. */
export const returnRedirectPage = (site: PageContext, link: string): IdentityPage =>
  redirectPage(site, link, 'redirect_text', 'continue');

/** Goes on to the wallet at once, from a page whose policy allows that. */
export const walletRedirectPage = (site: PageContext, link: string): IdentityPage =>
  redirectPage(site, link, 'wallet_text', 'start_button');

function redirectPage(site: PageContext, link: string, lead: TextKey, action: TextKey): IdentityPage {
  return pageOf(site, {
    name: 'redirect',
    status: 200,
    title: say(site, 'redirect_title'),
    lead: say(site, lead),
    action: say(site, action),
    link,
    home: 'cancel',
  });
}

/** The names of texts that are a title and a text. */
type Topic = { [Key in TextKey]: Key extends `${infer Name}_title` ? Name : never }[TextKey] &
  { [Key in TextKey]: Key extends `${infer Name}_text` ? Name : never }[TextKey];

/**
 * `again` and `later` lead to a new start, or where none is known to the app's own page, which has one. `home` leads away
 * from it, because a new start would not help; `another_id` too, but for people who have another ID.
 */
type ErrorText = readonly [topic: Topic, next: 'again' | 'later' | 'home' | 'another_id'];

/** What a limiter of the app shows: nothing was started. */
const limited: ErrorText = ['limited', 'later'];
const away: ErrorText = ['away', 'later'];
/** It answered, so it could be reached. */
const trouble: ErrorText = ['trouble', 'later'];
const setUp: ErrorText = ['set_up', 'home'];
const unknown: ErrorText = ['unknown', 'again'];

const codesOfTexts: readonly (readonly [...ErrorText, ...KitErrorCode[]])[] = [
  ['declined', 'again', 'declined'],
  ['not_shared', 'later', 'not_shared'],
  ['card_blocked', 'another_id', 'card_blocked'],
  ['unusable', 'another_id', 'attribute_invalid'],
  ['timed_out', 'again', 'timed_out'],
  ['credential_missing', 'again', 'credential_missing'],
  ['expired', 'another_id', 'credential_expired'],
  ['revoked', 'another_id', 'credential_revoked'],
  ['incomplete', 'again', 'attributes_missing'],
  ['refused', 'another_id', 'refused'],
  ['insufficient', 'another_id', 'identity_insufficient'],
  ['ended', 'again', 'state_unknown'],
  ['service_error', 'again', 'service_error'],
  ['foreign', 'again', 'cross_site'],
  ['not_found', 'home', 'not_found'],
  ['address', 'again', 'origin_not_allowed'],
  ['link', 'home', 'return_to_invalid'],
  ['proof', 'again', 'presentation_invalid', 'key_not_found'],
  [...away, 'service_unreachable', 'service_timeout'],
  [...trouble, 'service_reply_invalid'],
  ['unchecked', 'later', 'keys_unavailable', 'credential_status_unavailable', 'verify_timeout'],
  ['busy', 'later', 'busy', 'hook_failed', 'hook_timeout'],
  ['busy', 'later', 'session_changed', 'session_save_failed', 'store_full', 'store_unavailable'],
  [...setUp, 'body_consumed', 'config_invalid', 'session_missing', 'session_unsupported'],
];

const errorTexts = new Map<string, ErrorText>(
  codesOfTexts.flatMap(([topic, next, ...codes]) => codes.map((code) => [code, [topic, next]] as const)),
);

/**
 * The text for a code; a code that is not known gets the general one. `retryable` is known of the service's own codes:
 * it is away, or this site asks it for what it does not give.
 */
export function textFor(code: string, retryable?: boolean) {
  const general = retryable === undefined ? unknown : retryable ? trouble : setUp;
  return textOf(errorTexts.get(code) ?? general);
}

const textOf = ([topic, next]: ErrorText) =>
  ({ title: `${topic}_title`, text: `${topic}_text`, next }) as const;
