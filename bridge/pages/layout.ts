import type { Response } from 'express';
import { type Html, html } from './html.js';
import { policy, script, style } from './style.js';

export interface Page {
  /** What a page's script compares. A page without a name is a fault that passes: it ends nothing. */
  readonly name?: string;
  readonly lang: string;
  readonly title: string;
  /** Made only where it is shown: a QR code takes longer than all the rest. */
  readonly body: () => Html;
  /** Seconds after which the page asks again by itself. */
  readonly reload?: number;
}

const [styleElement, scriptElement] = [`<style>${style}</style>`, `<script>${script}</script>`].map(
  (markup) => ({ markup }),
);

/** Answers with a page; the script of an open page learns only which one it would be. */
export function sendPage(res: Response, status: number, { name, lang, title, body, reload }: Page): void {
  res.set('Cache-Control', 'no-store');
  if (isPoll(res)) {
    answerPoll(res, status, name);
    return;
  }
  const refresh = html`<noscript><meta http-equiv="refresh" content="${reload}" /></noscript>`;
  const page = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${reload === undefined ? undefined : refresh} ${styleElement}
      </head>
      <body data-page="${name}">
        <main>
          <h1>${title}</h1>
          ${body()}
        </main>
        ${reload === undefined ? undefined : scriptElement}
      </body>
    </html> `;
  res.set({
    'Content-Language': lang,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  res.status(status).type('html').send(page.markup);
}

/** Leads a browser on; the script of an open page is told to load it again, and so comes here. */
export function sendOn(res: Response, address: string): void {
  if (isPoll(res)) answerPoll(res, 303, 'on');
  else res.redirect(303, address);
}

const isPoll = (res: Response): boolean => res.req.get('bridge-poll') !== undefined;

/** What a proxy in between answers has no such header, whatever its status is. So it ends no open page. */
function answerPoll(res: Response, status: number, name: string | undefined): void {
  if (name === undefined) res.status(status).end();
  else res.set('Bridge-Page', name).status(204).end();
}
