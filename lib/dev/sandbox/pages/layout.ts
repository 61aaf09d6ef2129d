import type { Response } from 'express';
import { type Html, html } from './html.js';
import { style } from './style.js';

interface Page {
  readonly title: string;
  readonly body: Html;
  /** After the body, at the full width of the card. */
  readonly after?: Html;
  readonly wide?: boolean;
}

const styleElement: Html = { markup: `<style>${style}</style>` };

/** The frame of every page of the sandbox. */
export function layout({ title, body, after, wide = false }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · pidgate sandbox</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${styleElement}
      </head>
      <body>
        <main class="${wide ? 'wide' : 'narrow'}">
          <p class="mark"><strong>Sandbox</strong> No real identity</p>
          <div class="content">${body}</div>
          ${after}
        </main>
        <footer>pidgate sandbox, on this machine only</footer>
      </body>
    </html> `;
}

export function sendPage(res: Response, status: number, page: Html): void {
  res.status(status).type('html').send(page.markup);
}
