import type { Response } from 'express';
import { type Html, sandboxHtml } from './html.js';
import { script } from './script.js';
import { style } from './style.js';

interface Page {
  readonly title: string;
  readonly body: Html;
  /** After the body, at the full width of the card. */
  readonly after?: Html | undefined;
  readonly wide?: boolean;
  /** Whose page this is, so that nobody takes the wallet for the service. */
  readonly role?: 'service' | 'wallet' | 'desk';
  /** A stream that tells when the page has changed; for a browser without scripts the page loads itself again. */
  readonly follow?: string | undefined;
}

const styleElement: Html = { markup: `<style>${style}</style>` };
const scriptElement: Html = { markup: `<script>${script}</script>` };

const roles = {
  service: 'Identity service',
  wallet: 'Wallet',
  desk: 'Developer’s desk',
} as const;

/** The frame of every page of the sandbox. */
export function layout({ title, body, after, wide = false, role = 'desk', follow }: Page): Html {
  return sandboxHtml`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · pidgate sandbox</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${follow === undefined ? undefined : sandboxHtml`<noscript><meta http-equiv="refresh" content="2" /></noscript>`}
        ${styleElement}
      </head>
      <body data-follow="${follow ?? ''}">
        <main class="${wide ? 'wide' : 'narrow'}">
          <p class="mark"><strong>Sandbox</strong> ${roles[role]}, no real identity</p>
          <div class="content">${body}</div>
          ${after}
        </main>
        <footer>pidgate sandbox${role === 'desk' ? sandboxHtml` · <a href="/">Overview</a>` : undefined}</footer>
        ${follow === undefined ? undefined : scriptElement}
      </body>
    </html> `;
}

export function sendSandboxPage(res: Response, status: number, page: Html): void {
  res.status(status).type('html').send(page.markup);
}
