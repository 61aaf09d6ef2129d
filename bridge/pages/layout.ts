import type { Response } from 'express';
import { type Html, html } from './html.js';
import { policy, script, style } from './style.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Seconds after which the page asks again by itself. */
  readonly reload?: number;
}

const [styleElement, scriptElement] = [`<style>${style}</style>`, `<script>${script}</script>`].map(
  (markup) => ({ markup }),
);

export function sendPage(res: Response, status: number, { title, body, reload }: Page): void {
  const refresh = html`<noscript><meta http-equiv="refresh" content="${reload}" /></noscript>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${reload === undefined ? undefined : refresh} ${styleElement}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${reload === undefined ? undefined : scriptElement}
      </body>
    </html> `;
  res.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  res.status(status).type('html').send(page.markup);
}
