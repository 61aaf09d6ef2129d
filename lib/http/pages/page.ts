import type { IdentityPage } from '../../options/pages/page-options.js';
import { type Content, html, type Markup, raw } from '../../internal/html.js';
import { perLanguage } from '../../internal/per-language.js';
import { type Logo, type PageContext, developerMark } from './page-model.js';
import type { Theme } from './theme.js';

const shapes = {
  shield:
    '<path d="M12 3l7 2.6v5.2c0 4.6-2.9 8.2-7 10.2-4.1-2-7-5.6-7-10.2V5.6z"/><path d="M8.8 12l2.3 2.3 4.3-4.6"/>',
  warning: '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.3v.2"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5.2l3.3 2"/>',
} as const;

const marks: Readonly<Record<IdentityPage['name'], keyof typeof shapes>> = {
  start: 'shield',
  wallet: 'shield',
  error: 'warning',
  start_again: 'warning',
  try_again: 'clock',
  redirect: 'clock',
};

export interface LanguageLink {
  readonly lang: string;
  readonly label: string;
  readonly url: string;
}

/** The page as HTML, as the theme's policy allows it. A page of another shape makes what stands below its heading itself. */
export function renderPage(
  page: IdentityPage,
  { style }: Theme,
  site: PageContext,
  others: readonly LanguageLink[],
  contentOf?: (mark: Mark) => Markup,
): string {
  const { name, lang, texts, links } = page;
  const { logo } = site;
  /** What is in English on a page of another language says so (WCAG 2.2, 3.1.2), and runs from left to right. */
  const mark: Mark = (text) =>
    text !== undefined && site.inEnglish.has(text) ? html`<bdi lang="en" dir="ltr">${text}</bdi>` : text;
  const isStart = name === 'start';
  // Somebody may have been sent here: what warns them stands below the heading, and no button pushes on.
  const isWarning = texts.elsewhere !== undefined;
  const look = isWarning ? 'button other' : 'button';
  // On the start page, the button stands below what is asked: a phone shows it without scrolling. The rest follows.
  const [needs, ...rest] = texts.more.map(
    (text) => html`<p ${isStart && html`class="soft"`}>${mark(text)}</p>`,
  );
  const notes = texts.notes.map((text) => noteOf(text, mark));
  const home = html`<p class="away"><a href="${links.home}">${mark(texts.home)}</a></p>`;
  const otherButton = html`<a class="button other" href="${links.otherWay}">${mark(texts.otherWay)}</a>`;
  const other =
    links.otherWay &&
    (name === 'error'
      ? html`<p>${otherButton}</p>`
      : html`<p class="away"><a href="${links.otherWay}">${mark(texts.otherWay)}</a></p>`);
  const anotherId =
    links.anotherId && html`<p class="away"><a href="${links.anotherId}">${mark(texts.anotherId)}</a></p>`;
  const stored = [texts.kept, texts.notKept].map((section) => section && sectionOf(section, mark));
  const brand = logo === undefined ? texts.site : pictureOf(logo, texts.site);
  const inOthers = others.map(
    ({ lang, label, url }) =>
      html` <a class="lang" href="${url}" lang="${lang}" hreflang="${lang}">${label}</a>`,
  );
  const switches = others.length > 0 && html`<nav class="langs">${inOthers}</nav>`;
  const privacy = links.privacy && html`<a href="${links.privacy}">${mark(texts.privacy)}</a>`;
  const lead = html`<p class="lead">${mark(texts.lead)}</p>`;
  const elsewhere =
    texts.elsewhere &&
    html`<details>
      <summary class="button other">${mark(texts.elsewhere.title)}</summary>
      <p>${mark(texts.elsewhere.text)}</p>
    </details>`;
  const content =
    contentOf?.(mark) ??
    html`${isStart && notes} ${isWarning ? html`<div class="note warn">${lead}</div>` : lead}
    ${texts.asked && sectionOf(texts.asked, mark)}${!isStart && [needs, rest]}${elsewhere}
    ${actionOf(page, look, mark)} ${isStart && [html`<div class="pair">${stored}</div>`, rest, needs]}
    ${
      texts.action === undefined && !isWarning
        ? html`<p>
              <a class="button" href="${links.home}">${mark(texts.home)}</a>
            </p>
            ${[other, anotherId]}`
        : name === 'error'
          ? [other, anotherId, home]
          : [home, other]
    }
    ${supportLine(page, site)}${!isStart && notes} `;
  const markup = html`<!doctype html>
    <html ${raw(`lang="${lang}"${isRightToLeft(lang) ? ' dir="rtl"' : ''}`)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${name === 'redirect' && html`<meta http-equiv="refresh" content="0;url=${links.action}" />`}
        <title>${texts.title} – ${texts.site}</title>
        ${style}
      </head>
      <body>
        <main>
          <div class="site" translate="no"><a href="${links.home}">${brand}</a>${switches}</div>
          <div class="head">
            ${markOf(marks[name])}
            <h1>${mark(texts.title)}</h1>
          </div>
          ${content} ${privacy && html`<p class="soft foot">${privacy}</p>`}
        </main>
      </body>
    </html>`;
  return markup.markup;
}

/** By the script that the language is written in. */
const isRightToLeft = perLanguage((lang) =>
  ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'].includes(
    new Intl.Locale(lang).maximize().script ?? '',
  ),
);

/** What is said to the developer is marked as English, for those who listen to the page. */
export const noteOf = (text: string, mark: Mark): Markup =>
  html`<div class="note" ${text.startsWith(developerMark) && html`lang="en" dir="ltr"`}>
    <p>${text.startsWith(developerMark) ? linked(text, nameOfLink) : mark(text)}</p>
  </div>`;

/** In development, the sandbox's addresses in a hint are links. */
export const linked = (text: string, nameOf = (address: string) => address): (string | Markup)[] =>
  text
    .split(/(http:\/\/127\.0\.0\.1:\d+\/[a-z]+\/[\w-]+)/)
    .map((part, at) => (at % 2 === 0 ? part : html`<a href="${part}">${nameOf(part)}</a>`));

const nameOfLink = (address: string): string =>
  address.includes('/timeline/') ? 'the timeline of this verification' : address.replace(/.*\//, '');

/** A logo of two pictures shows the one for the colour scheme. */
function pictureOf({ light, dark }: Logo, site: string): Markup {
  const image = html`<img src="${light}" alt="${site}" />`;
  if (light === dark) return image;
  const source = html`<source
    srcset="${dark.replaceAll(' ', '%20')}"
    media="(prefers-color-scheme: dark)"
  />`;
  return html`<picture>${source}${image}</picture>`;
}

const markOf = (shape: keyof typeof shapes): Markup =>
  raw(`<svg class="mark ${shape}" viewBox="0 0 24 24" aria-hidden="true">${shapes[shape]}</svg>`);

type Item = string | { readonly label: string; readonly hint?: string };

interface Section {
  readonly title: string;
  readonly text?: string;
  readonly items?: readonly Item[];
}

export type Mark = (text: string | undefined) => Content;

export function sectionOf({ title, text, items }: Section, mark: Mark): Markup {
  const list = items?.map((item) => {
    const { label, hint }: Exclude<Item, string> = typeof item === 'string' ? { label: item } : item;
    return html`<li>${mark(label)}${hint !== undefined && html` <span>${mark(hint)}</span>`}</li>`;
  });
  return html`<section>
    <h2>${mark(title)}</h2>
    ${text && html`<p>${mark(text)}</p>`}${
      list &&
      html`<ul>
        ${list}
      </ul>`
    }
  </section>`;
}

function actionOf({ texts, form, links }: IdentityPage, look: string, mark: Mark): Markup | undefined {
  if (form !== undefined) {
    return html`<form method="post" ${form.action !== '' && html`action="${form.action}"`}>
      ${Object.entries(form.fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="button" type="submit">${mark(texts.action)}</button>
    </form>`;
  }
  return links.action === undefined
    ? undefined
    : html`<p><a class="${look}" href="${links.action}">${mark(texts.action)}</a></p>`;
}

/** Marks up what is read out, wherever the language places it. */
function supportLine({ code, texts }: IdentityPage, { inEnglish }: PageContext): Markup | undefined {
  if (code === undefined || texts.support === undefined) return undefined;
  const [before = '', ...after] = texts.support.split(code);
  const [, words = before, said] = /^(.*?)([0-9A-Z]{4}-[0-9A-Z]{4}) \($/.exec(before) ?? [];
  return html`<p class="soft" ${inEnglish.has(texts.support) && html`lang="en" dir="ltr"`}>
    ${words}<span translate="no"
      >${said && html`<strong>${said}</strong> (`}<code>${code}</code>${said && ')'}</span
    >${after.join(code).replace(/^\)/, said === undefined ? ')' : '')}
  </p>`;
}
