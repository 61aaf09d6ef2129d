import type { IdentityPage } from '../../options/pages/page-options.js';
import { html, type Markup, raw } from '../../internal/html.js';
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

/** The page as HTML, as the theme's policy allows it. */
export function renderPage(
  page: IdentityPage,
  { style }: Theme,
  site: PageContext,
  others: readonly LanguageLink[],
): string {
  const { name, lang, texts, links } = page;
  const { logo } = site;
  // On the start page, what one needs stands above the form, and what it does below; elsewhere all stands above.
  const [needs, ...rest] = texts.more.map(
    (text) => html`<p ${name === 'start' && html`class="soft"`}>${text}</p>`,
  );
  const isStart = name === 'start';
  const notes = texts.notes.map(noteOf);
  const home = html`<p class="away"><a href="${links.home}">${texts.home}</a></p>`;
  const other =
    links.otherWay &&
    (name === 'error'
      ? html`<p><a class="button other" href="${links.otherWay}">${texts.otherWay}</a></p>`
      : html`<p class="away"><a href="${links.otherWay}">${texts.otherWay}</a></p>`);
  const stored = [texts.kept, texts.notKept].map((section) => section && sectionOf(section));
  const brand = logo === undefined ? texts.site : pictureOf(logo, texts.site);
  const inOthers = others.map(
    ({ lang, label, url }) =>
      html` <a class="lang" href="${url}" lang="${lang}" hreflang="${lang}">${label}</a>`,
  );
  const switches = others.length > 0 && html`<span class="langs">${inOthers}</span>`;
  const privacy = links.privacy && html`<a href="${links.privacy}">${texts.privacy}</a>`;
  const markup = html`<!doctype html>
    <html lang="${lang}">
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
          <p class="site" translate="no"><a href="${links.home}">${brand}</a>${switches}</p>
          <div class="head">
            ${markOf(marks[name])}
            <h1>${texts.title}</h1>
          </div>
          ${isStart && notes}
          <p class="lead">${texts.lead}</p>
          ${texts.asked && sectionOf(texts.asked)}${isStart && html`<div class="pair">${stored}</div>`}
          ${needs}${!isStart && rest}${actionOf(page)}
          ${
            texts.action === undefined
              ? html`<p><a class="button" href="${links.home}">${texts.home}</a></p>
                  ${other}`
              : name === 'error'
                ? [other, home]
                : [home, other]
          }
          ${isStart && rest}${supportLine(page)}${!isStart && notes}
          ${privacy && html`<p class="soft foot">${privacy}</p>`}
        </main>
      </body>
    </html>`;
  return markup.markup;
}

/** What is said to the developer is marked as English, for those who listen to the page. */
const noteOf = (text: string): Markup =>
  html`<div class="note" ${text.startsWith(developerMark) && html`lang="en"`}>
    <p>${withLinks(text)}</p>
  </div>`;

/** In development, the sandbox's addresses in a hint are links. */
function withLinks(text: string): (string | Markup)[] {
  return text.split(/(http:\/\/127\.0\.0\.1:\d+\/[a-z]+\/[\w-]+)/).map((part, at) => {
    if (at % 2 === 0) return part;
    const name = part.includes('/timeline/') ? 'the timeline of this verification' : part.replace(/.*\//, '');
    return html`<a href="${part}">${name}</a>`;
  });
}

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

function sectionOf({ title, text, items }: Section): Markup {
  const list = items?.map((item) => {
    const { label, hint }: Exclude<Item, string> = typeof item === 'string' ? { label: item } : item;
    return html`<li>${label}${hint !== undefined && html` <span>${hint}</span>`}</li>`;
  });
  return html`<section>
    <h2>${title}</h2>
    ${text && html`<p>${text}</p>`}${
      list &&
      html`<ul>
        ${list}
      </ul>`
    }
  </section>`;
}

function actionOf({ texts, form, links }: IdentityPage): Markup | undefined {
  if (form !== undefined) {
    return html`<form method="post" ${form.action !== '' && html`action="${form.action}"`}>
      ${Object.entries(form.fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="button" type="submit">${texts.action}</button>
    </form>`;
  }
  return links.action === undefined
    ? undefined
    : html`<p><a class="button" href="${links.action}">${texts.action}</a></p>`;
}

/** Marks up what is read out, wherever the language places it. */
function supportLine({ code, texts }: IdentityPage): Markup | undefined {
  if (code === undefined || texts.support === undefined) return undefined;
  const [before = '', ...after] = texts.support.split(code);
  const [, words = before, said] = /^(.*?)([0-9A-Z]{4}-[0-9A-Z]{4}) \($/.exec(before) ?? [];
  return html`<p class="soft">
    ${words}<span translate="no"
      >${said && html`<strong>${said}</strong> (`}<code>${code}</code>${said && ')'}</span
    >${after.join(code).replace(/^\)/, said === undefined ? ')' : '')}
  </p>`;
}
