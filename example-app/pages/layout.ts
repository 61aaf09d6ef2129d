import type { Request, Response } from 'express';
import { inLanguage, languageOf, sayTo } from '../language.js';
import { writeName } from '../members.js';
import { type Lines, drawer } from './drawer.js';
import { type Html, html } from './html.js';

export interface Page {
  readonly title: string;
  readonly lead: string;
  readonly body: Html;
  /** What the developers' drawer shows. */
  readonly lines?: Lines;
  /** The receipt of the verification that opened the page. */
  readonly receipt?: string | undefined;
}

/** Sends a page in its frame. Pages show personal data, so no cache keeps them. */
export function show(req: Request, res: Response, { title, lead, body, lines, receipt }: Page): void {
  const say = sayTo(req);
  const language = languageOf(req);
  const other = language === 'de' ? 'en' : 'de';
  // If the session store is down, no one is logged in.
  const name = (req.session as typeof req.session | undefined)?.member?.name;
  const link = (path: string, text: string): Html =>
    html`<a href="${path}" ${req.path === path ? 'aria-current=page' : undefined}>${text}</a>`;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Drehmoment</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <header>
          <a class="skip" href="#main">${say('Skip to the content', 'Zum Inhalt springen')}</a>
          <a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28" />Drehmoment</a>
          <nav aria-label="${say('Main menu', 'Hauptmenü')}">
            ${link('/machines', say('Machines', 'Maschinen'))}
            ${link('/voting-card', say('Election', 'Wahl'))} ${link('/door', say('Workshop', 'Werkstatt'))}
            ${link('/membership', say('Membership', 'Mitgliedschaft'))}
          </nav>
          ${
            name === undefined
              ? undefined
              : html`<form class="who" method="post" action="/log-out">
                  <span title="${writeName(name)}">${writeName(name)}</span>
                  <button class="quiet">${say('Log out', 'Abmelden')}</button>
                </form>`
          }
        </header>
        <main id="main" tabindex="-1">
          <h1>${title}</h1>
          <p class="lead">${lead}</p>
          ${body} ${lines && drawer(req, lines, receipt)}
        </main>
        <footer>
          <p>
            ${say(
              'Drehmoment is a made-up tool library: the example app of pidgate.',
              'Drehmoment ist eine erfundene Werkzeugbibliothek: die Beispiel-App von pidgate.',
            )}
          </p>
          <p>
            <a href="/kept">${say('What we keep about you', 'Was wir über Sie speichern')}</a> ·
            <a href="${inLanguage(req, other)}" lang="${other}" hreflang="${other}"
              >${other === 'de' ? 'Deutsch' : 'English'}</a
            >
          </p>
        </footer>
      </body>
    </html>`;
  res.set('Cache-Control', 'no-store').send(page.markup);
}
