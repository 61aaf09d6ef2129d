import type { IdentityPage } from '../../options/pages/options.js';
import { textFor } from './error-texts.js';
import { type PageContext, pageOf, say } from './page-model.js';

export interface ErrorPage {
  readonly status: number;
  readonly code: string;
  /** Where a new start begins; absent where there is none. */
  readonly start: string | undefined;
  /** What the developer should know. */
  readonly hints?: readonly string[];
}

/** Says what happened, what it means for the person, and what to do now. */
export function errorPage(site: PageContext, { status, code, start, hints }: ErrorPage): IdentityPage {
  const { title, text, way } = textFor(code);
  return pageOf(site, {
    name: 'error',
    status,
    code,
    title,
    lead: say(site, text),
    action: way === 'later' ? 'try_again' : 'start_again',
    link: way === 'home' ? undefined : start,
    home: 'home',
    notes: forDeveloper(hints),
  });
}

/** The one page for every return that may not be released: it does not tell which rule it broke. */
export function startAgainPage(
  site: PageContext,
  { status, start, hints }: Omit<ErrorPage, 'code'>,
): IdentityPage {
  return pageOf(site, {
    name: 'start_again',
    status,
    title: 'elsewhere_title',
    lead: say(site, 'elsewhere_text'),
    more: [say(site, 'elsewhere_now'), say(site, 'elsewhere_warning')],
    action: 'elsewhere_button',
    link: start,
    home: 'home',
    notes: forDeveloper(hints),
  });
}

/** The verification itself stands; what the app does with it failed for now. The same address works again. */
export function tryAgainPage(
  site: PageContext,
  { status, code, hints }: Omit<ErrorPage, 'start'>,
): IdentityPage {
  return pageOf(site, {
    name: 'try_again',
    status,
    code,
    title: 'unfinished_title',
    lead: say(site, 'unfinished_text'),
    action: 'try_again',
    link: '',
    home: 'cancel',
    notes: forDeveloper(hints),
  });
}

/** Goes on at once from this site, so that a SameSite=Strict session cookie comes along. */
export function hopPage(site: PageContext, goTo: string): IdentityPage {
  return pageOf(site, {
    name: 'hop',
    status: 200,
    title: 'hop_title',
    lead: say(site, 'hop_text'),
    action: 'continue',
    link: goTo,
    home: 'cancel',
  });
}

/** Goes on to the wallet at once, from a page whose policy allows that. */
export function walletPage(site: PageContext, goTo: string): IdentityPage {
  return pageOf(site, {
    name: 'hop',
    status: 200,
    title: 'hop_title',
    lead: say(site, 'wallet_text'),
    action: 'start_button',
    link: goTo,
    home: 'cancel',
  });
}

export function forDeveloper(hints: readonly string[] = []): string[] {
  return hints.map((hint) => `For the developer: ${hint}`);
}
