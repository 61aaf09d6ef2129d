import { html, type Markup } from './escape.js';
import type { Page } from './page.js';
import { textFor } from './texts.js';

export interface ErrorPage {
  readonly status: number;
  readonly code: string;
  /** Where a new start begins; absent where there is none. */
  readonly start: string | undefined;
  /** What the developer should know. */
  readonly hint?: string | undefined;
}

/** Names the error to a person, and the way on. */
export function errorPage({ status, code, start, hint }: ErrorPage): Page {
  const { title, text } = textFor(code);
  return {
    status,
    title,
    mark: 'warning',
    body: html`
      <p class="lead">${text}</p>
      ${code === 'refused' ? undefined : startLink(start, 'Start again')}
      <p class="soft">For support: <code>${code}</code></p>
      ${forDeveloper(hint)}
    `,
  };
}

/** The one page for every return that may not be released: it does not tell which rule it broke. */
export function startAgainPage(start: string | undefined, hint?: string): Page {
  return {
    status: 403,
    title: 'Please start again in the browser where you began',
    mark: 'warning',
    body: html`
      <p class="lead">
        A verification can only be finished in the browser that started it, once, and within a few minutes.
      </p>
      <p>
        Nothing was handed to this browser. If you began here, start again; otherwise go back to where you
        began.
      </p>
      ${startLink(start, 'Start again here')}
      <p class="soft">Did someone send you this link? Then close this page: nobody needs you to open it.</p>
      ${forDeveloper(hint)}
    `,
  };
}

/** The verification itself stands; what the app does with it failed for now. The same address works again. */
export function tryAgainPage(status: number, code: string): Page {
  return {
    status,
    title: 'Almost done',
    mark: 'clock',
    body: html`
      <p class="lead">Your wallet has answered, but this site could not finish just now. Nothing is lost.</p>
      <p><a class="button" href="">Try again</a></p>
      <p class="soft">For support: <code>${code}</code></p>
    `,
  };
}

/** Goes on at once from this site, so that a SameSite=Strict session cookie comes along. */
export function hopPage(goTo: string): Page {
  return {
    status: 200,
    title: 'One moment',
    mark: 'clock',
    goTo,
    body: html`<p class="lead">You are being taken back.</p>
      <p><a class="button" href="${goTo}">Continue</a></p>`,
  };
}

function startLink(start: string | undefined, label: string): Markup | undefined {
  return start === undefined ? undefined : html`<p><a class="button" href="${start}">${label}</a></p>`;
}

function forDeveloper(hint: string | undefined): Markup | undefined {
  return hint === undefined ? undefined : html`<div class="note"><p>For the developer: ${hint}</p></div>`;
}
