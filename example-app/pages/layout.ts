import type { Request, Response } from 'express';
import { inLanguage, languageOf, textsOf } from '../language.js';
import { writeName } from '../members.js';
import { languages } from '../texts/index.js';
import { type Html, html } from './html.js';

export interface Page {
  readonly title: string;
  readonly lead: string;
  readonly body: Html;
  /** The receipt of the verification that opened the page, or the flow of one that failed. */
  readonly receipt?: string | undefined;
}

/** Sends a page in its frame. Pages show personal data, so no cache keeps them. */
export function show(req: Request, res: Response, { title, lead, body, receipt }: Page): void {
  const { frame: t, links } = textsOf(req);
  const current = languageOf(req);
  // If the session store is down, no one is logged in.
  const name = (req.session as typeof req.session | undefined)?.member?.name;
  const link = (path: string, text: string): Html =>
    html`<a href="${path}" ${req.path === path ? 'aria-current=page' : undefined}>${text}</a>`;
  const inOthers = Object.entries(languages)
    .filter(([tag]) => tag !== current)
    .map(
      ([tag, { language }]) =>
        html`<a href="${inLanguage(req, tag)}" lang="${tag}" hreflang="${tag}">${language}</a> `,
    );
  const page = html`<!doctype html>
    <html lang="${current}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Drehmoment</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <header>
          <a class="skip" href="#main">${t.skip}</a>
          <a class="brand" href="/" translate="no"
            ><img src="/icon.svg" alt="" width="28" height="28" />Drehmoment</a
          >
          <nav aria-label="${t.menu}">
            ${link('/machines', t.machines)} ${link('/voting-card', t.election)} ${link('/door', t.workshop)}
            ${link('/membership', t.membership)}
          </nav>
          <nav class="languages" aria-label="${t.languages}">${inOthers}</nav>
          ${
            name === undefined
              ? undefined
              : html`<form class="who" method="post" action="/log-out">
                  <span title="${writeName(name)}">${writeName(name)}</span>
                  <button class="quiet">${t.logOut}</button>
                </form>`
          }
        </header>
        <main id="main" tabindex="-1">
          <h1>${title}</h1>
          <p class="lead">${lead}</p>
          ${body} ${timelineOf(req, receipt)}
        </main>
        <footer>
          <p>${t.madeUp}</p>
          <p><a href="/kept">${links.kept}</a></p>
        </footer>
      </body>
    </html>`;
  res.set('Cache-Control', 'no-store').send(page.markup);
}

/** Under `pidgate dev`: what happened in the verification. */
function timelineOf(req: Request, receipt: string | undefined): Html | undefined {
  const { sandboxUrl } = req.app.locals as { sandboxUrl?: string };
  if (sandboxUrl === undefined || receipt === undefined) return undefined;
  return html`<p class="note">
    <a href="${sandboxUrl}/timeline/${receipt}">${textsOf(req).frame.timeline}</a>
  </p>`;
}
