import { type Html, html } from './html.js';
import { nameOf } from './people.js';
import { processNumber } from './process-number.js';

/** The frame of every page. */
export function layout(title: string, person: string | undefined, body: Html): string {
  const name = nameOf(person);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Drehmoment</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <header>
          <a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28" />Drehmoment</a>
          ${
            name === undefined
              ? undefined
              : html`<form class="who" method="post" action="/log-out">
                  <span>${name}</span>
                  <button class="quiet">Log out</button>
                </form>`
          }
        </header>
        <main>${body}</main>
        <footer>
          Drehmoment is a made-up tool library: the example app of pidgate.
          ${processNumber === undefined ? undefined : `This page came from process ${processNumber}.`}
        </footer>
      </body>
    </html>`.markup;
}
