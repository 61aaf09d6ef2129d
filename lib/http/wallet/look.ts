import { hash } from 'node:crypto';
import { html, raw, type Markup } from '../../internal/html.js';
import type { IdentityPage, WalletTexts } from '../../options/pages/page-options.js';
import { type LanguageLink, type Mark, linked, noteOf, renderPage, sectionOf } from '../pages/page.js';
import { languageOfText, type PageContext } from '../pages/page-model.js';
import type { Theme } from '../pages/theme.js';
import { browserScript, script } from './script.js';
import { timeIn } from './wallet-page.js';

/** The digest counts every character between the tags. */
const inline = (text: string) => ({
  digest: hash('sha256', text, 'base64'),
  element: raw(`<script>${text}</script>`),
});
const scripts = { usual: inline(script), browser: inline(browserScript) };

/** How the page that waits for a wallet is shown: with its one script, which asks this app alone. */
export function walletLook(
  theme: Theme,
  { asksBrowser, ...shown }: Shown & { readonly asksBrowser: boolean },
) {
  const { digest, element } = asksBrowser ? scripts.browser : scripts.usual;
  const policy = `${theme.policy}; script-src 'sha256-${digest}'; connect-src 'self'`;
  return {
    policy,
    render: (page: IdentityPage, site: PageContext, languages: readonly LanguageLink[]): string =>
      renderPage(page, theme, site, languages, (mark) => contentOf(page, site, mark, shown, element)),
  };
}

/** What the page is shown with. */
interface Shown {
  /** Milliseconds until the request ends, by this machine's clock: the browser's may be another one. */
  readonly left: number;
  readonly isPhone: boolean;
  readonly status: string;
}

function contentOf(
  page: IdentityPage,
  site: PageContext,
  mark: Mark,
  { left, isPhone, status }: Shown,
  inlineScript: Markup,
): Markup {
  const { texts, links, form, link, qrCode, browser, notice, pollAddress = '', until = '' } = page;
  const wallet: Partial<WalletTexts> = texts.wallet ?? {};
  const browserTexts: Partial<NonNullable<WalletTexts['browser']>> = wallet.browser ?? {};
  const open = link !== undefined && html`<p><a class="button" href="${link}">${mark(wallet.open)}</a></p>`;
  const code =
    qrCode !== undefined &&
    html`<p>${mark(wallet.scan)}</p>
      ${raw(qrCode)}
      <p class="note">${mark(wallet.warning)}</p>`;
  const [first, second, way] = isPhone ? [open, code, wallet.otherDevice] : [code, open, wallet.thisDevice];
  const ask =
    browser !== undefined &&
    html`<p id="browser" hidden>
        <button
          class="${first ? 'button other' : 'button'}"
          type="button"
          data-request="${browser.request}"
          data-action="${browser.action}"
        >
          ${mark(browserTexts.ask)}
        </button>
      </p>
      ${!first && !second && html`<p id="unable" class="note">${mark(browserTexts.unable)}</p>`}
      <div role="status"><p id="failed" class="note" hidden>${mark(browserTexts.failed)}</p></div>`;
  const folded = first
    ? second &&
      html`<details>
        <summary class="button other">${mark(way)}</summary>
        <div class="folded">${second}</div>
      </details>`
    : second;
  const hidden = (name: 'soon' | 'slow' | 'away'): Markup =>
    html`<p id="${name}" class="note" hidden>${mark(wallet[name])}</p>`;
  const isWaiting = form !== undefined;
  // What is polled has no markup.
  const its = languageOfText(site, 'wallet_notice') !== site.lang && html`lang="en" dir="ltr"`;
  const noNotice = notice === undefined && html`hidden`;
  const lead = html`<p ${!isWaiting && html`class="lead"`}>${mark(texts.lead)}</p>`;
  const more = texts.more.map((text) => html`<p>${mark(text)}</p>`);
  const time = timeIn(languageOfText(site, 'wallet_until'), new Date(until));
  return html`${texts.notes.map((text) => noteOf(text, mark))} ${!isWaiting && [lead, more]}
    <div role="status" id="status" data-poll="${pollAddress}" data-status="${status}" data-left="${left}">
      <p id="notice" class="note" ${its} ${noNotice}>${notice && linked(notice)}</p>
      ${isWaiting && [hidden('soon'), hidden('slow')]}${hidden('away')}
    </div>
    ${first}${ask}${folded}
    ${
      isWaiting &&
      html`<noscript
          ><p><a class="button other" href="${pollAddress}">${mark(wallet.reload)}</a></p></noscript
        >
        ${more}${texts.asked && sectionOf(texts.asked, mark)}${lead}
        <p class="soft" id="until" data-time="${time}">${mark(wallet.until)}</p>
        <p class="soft" id="waiting" hidden>${mark(wallet.waiting)}</p>`
    }
    ${
      isWaiting
        ? html`<form method="post" action="${form.action}">
            <button class="button other" type="submit">${mark(texts.action)}</button>
          </form>`
        : links.action &&
          html`<p>
            <a class="${page.status === 200 ? 'button other' : 'button'}" href="${links.action}"
              >${mark(texts.action)}</a
            >
          </p>`
    }
    <p class="away"><a href="${links.home}">${mark(texts.home)}</a></p>
    ${links.otherWay && html`<p class="away"><a href="${links.otherWay}">${mark(texts.otherWay)}</a></p>`}
    ${inlineScript}`;
}
