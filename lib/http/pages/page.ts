import type { IdentityPage } from '../../options/pages/options.js';
import { html, type Markup } from '../../internal/html.js';
import { type Mark, markOf } from './icons.js';
import type { Theme } from './theme.js';

const marks: Readonly<Record<IdentityPage['name'], Mark>> = {
  start: 'shield',
  error: 'warning',
  start_again: 'warning',
  try_again: 'clock',
  hop: 'clock',
};

/** The page as HTML, as the look's policy allows it. */
export function renderPage(page: IdentityPage, { style }: Theme, logo: string | undefined): string {
  const { name, lang, texts, links } = page;
  // Below the form, what it does; on other pages, what to do before the link.
  const more = texts.more.map((text) => html`<p ${name === 'start' && html`class="soft"`}>${text}</p>`);
  const brand = logo === undefined ? texts.site : html`<img src="${logo}" alt="${texts.site}" />`;
  const privacy = links.privacy && html`<a href="${links.privacy}">${texts.privacy}</a>`;
  const markup = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${name === 'hop' && html`<meta http-equiv="refresh" content="0;url=${links.action}" />`}
        <title>${texts.title} – ${texts.site}</title>
        ${style}
      </head>
      <body>
        <main>
          <p class="site"><a href="${links.home}">${brand}</a></p>
          ${markOf(marks[name])}
          <h1>${texts.title}</h1>
          ${texts.notes.map((text) => html`<div class="note"><p>${text}</p></div>`)}
          <p class="lead">${texts.lead}</p>
          ${requestedSection(page)}${keptSection(page)}${name !== 'start' && more}${action(page)}
          ${
            texts.action === undefined
              ? html`<p><a class="button" href="${links.home}">${texts.home}</a></p>`
              : html`<p class="away"><a href="${links.home}">${texts.home}</a></p>`
          }
          ${name === 'start' && more}${support(page)} ${privacy && html`<p class="soft foot">${privacy}</p>`}
        </main>
      </body>
    </html>`;
  return markup.markup;
}

function requestedSection({ texts }: IdentityPage): Markup | undefined {
  return (
    texts.asked &&
    html`<h2>${texts.asked.title}</h2>
      <ul>
        ${texts.asked.items.map(
          ({ label, hint }) => html`<li>${label}${hint !== undefined && html` <span>${hint}</span>`}</li>`,
        )}
      </ul>`
  );
}

function keptSection({ texts }: IdentityPage): Markup | undefined {
  return (
    texts.kept &&
    html`<h2>${texts.kept.title}</h2>
      <p>${texts.kept.text}</p>`
  );
}

function action({ texts, form, links }: IdentityPage): Markup | undefined {
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

/** The code is marked as one, wherever the language puts it. */
function support({ code, texts }: IdentityPage): Markup | undefined {
  if (code === undefined || texts.support === undefined) return undefined;
  const [before = '', ...after] = texts.support.split(code);
  return html`<p class="soft">${before}<code>${code}</code>${after.join(code)}</p>`;
}
