import { html, type Markup } from './escape.js';
import { type Mark, markOf } from './icons.js';
import { styleElement } from './style.js';

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly mark: Mark;
  readonly body: Markup;
  /** An address to go on to at once. */
  readonly goTo?: string;
}

/** The page as HTML; `contentSecurityPolicy` belongs to it. */
export function renderPage({ title, mark, body, goTo }: Page): string {
  const refresh =
    goTo === undefined ? undefined : html`<meta http-equiv="refresh" content="0;url=${goTo}" />`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${refresh}
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          ${markOf(mark)}
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
  return page.markup;
}
