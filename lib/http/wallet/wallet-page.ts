import type { StoredFlow } from '../../flow/flow.js';
import { supportCodeOf } from '../../internal/support-code.js';
import type { IdentityPage } from '../../options/pages/page-options.js';
import type { ResolvedQuestion } from '../../options/questions.js';
import { textFor } from '../pages/error-page.js';
import { developerMark, languageOfText, type PageContext, pageOf, say } from '../pages/page-model.js';
import { askedOf, whyAsked } from '../pages/start-page.js';

export interface WalletPage {
  readonly stored: StoredFlow;
  readonly question: ResolvedQuestion | undefined;
  /** Why the page asks that began: the session knows it. */
  readonly reason: string | undefined;
  /** This page's own: of Cancel, of the poll, and of the button without scripts. */
  readonly address: string;
  readonly start: string | undefined;
  readonly link: string | undefined;
  readonly qrCode: string | undefined;
  readonly browser: IdentityPage['browser'];
  /** The certificate that began the flow is gone, or has ended. */
  readonly isGone: boolean;
  readonly sandbox: boolean;
  /** Why the last answer does not count, for the developer. */
  readonly hints: readonly string[];
}

/** Waits for a wallet, or for the page that the wallet has opened. */
export function walletPage(site: PageContext, page: WalletPage): IdentityPage {
  const { stored, question, reason, address, start, link, qrCode, browser, isGone } = page;
  const { status, expiresAt } = stored.record;
  const until = new Date(expiresAt);
  const topic = status !== 'pending' ? 'wallet_answered' : isGone ? 'wallet_gone' : undefined;
  const notice = walletNotice(site, stored, page.hints);
  const named = pageOf(site, {
    name: 'wallet',
    status: isGone ? 503 : 200,
    ...(topic === undefined
      ? {
          title: say(site, 'wallet_title'),
          lead: say(site, 'wallet_lead'),
          ...(question !== undefined && {
            more: [whyAsked(site, { question, reason })],
            asked: askedOf(site, question),
          }),
          action: say(site, 'wallet_cancel'),
          form: { method: 'post', action: address, fields: {} },
        }
      : {
          title: say(site, `${topic}_title`),
          lead: say(site, `${topic}_text`),
          more: topic === 'wallet_answered' ? [say(site, 'wallet_answered_again')] : [],
          action: say(site, 'start_again'),
          link: start ?? site.home, // the app's own page has one
        }),
    wallet: {
      open: say(site, 'wallet_open'),
      scan: say(site, 'wallet_scan'),
      warning: say(site, 'wallet_warning'),
      otherDevice: say(site, 'wallet_other_device'),
      thisDevice: say(site, 'wallet_this_device'),
      until: say(site, 'wallet_until', { time: timeIn(languageOfText(site, 'wallet_until'), until) }),
      waiting: say(site, 'wallet_waiting'),
      reload: say(site, 'wallet_reload'),
      soon: say(site, 'wallet_soon'),
      slow: say(site, 'wallet_slow'),
      away: say(site, 'wallet_away'),
      ...(browser !== undefined && {
        browser: {
          ask: say(site, 'wallet_browser'),
          failed: say(site, 'wallet_browser_failed'),
          unable: say(site, 'wallet_browser_unable'),
        },
      }),
    },
    home: 'home',
    otherWay: site.otherWayOf(question?.name),
    notes: page.sandbox ? [say(site, 'sandbox')] : [],
  });
  return {
    ...named,
    ...(link !== undefined && { link }),
    ...(qrCode !== undefined && { qrCode }),
    ...(browser !== undefined && { browser }),
    pollAddress: address,
    until: until.toISOString(),
    ...(notice !== undefined && { notice }),
  };
}

/** What came of the last answer, with what somebody who calls reads out: the log has the same support code. */
export function walletNotice(
  site: PageContext,
  { id, record }: StoredFlow,
  hints: readonly string[],
): string | undefined {
  const { outcome, status } = record;
  if (outcome === undefined || status !== 'pending') return undefined;
  const reason = say(site, textFor(outcome).title);
  const support = say(site, 'support', { code: `${supportCodeOf(id)} (${outcome})` });
  const more = hints.map((hint) => ` ${developerMark}${hint}`);
  return `${say(site, 'wallet_notice', { reason })} ${support}${more.join('')}`;
}

/** With the zone: this machine's may be another one than the person's. */
export const timeIn = (lang: string, until: Date): string =>
  new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).format(until);
