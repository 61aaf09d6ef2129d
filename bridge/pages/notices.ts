import type { Job } from '../jobs.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';
import { fill, type Texts } from './texts.js';

/** A page of a title and paragraphs, with a way back to the app if it has one. */
function notice(
  name: string | undefined,
  { lang, goTo }: Texts,
  [title, ...lines]: readonly [string, ...string[]],
  app?: Job['app'],
): Page {
  const say = (text: string): string => fill(text, { app: app?.name ?? '' });
  const wayBack = app && html`<a class="button" href="${app.url}">${say(goTo)}</a>`;
  const body = (): Html => html`${lines.map((line) => html`<p>${say(line)}</p> `)} ${wayBack}`;
  return { ...(name !== undefined && { name }), lang, title: say(title), body };
}

export const gonePage = (texts: Texts): Page => notice('over', texts, texts.over);

/** Goes on by itself, and has no name: the page that somebody has open waits until this passes. */
export const failedPage = (texts: Texts): Page => ({ ...notice(undefined, texts, texts.failed), reload: 5 });

export const noCookiesPage = (texts: Texts): Page => notice('no-cookies', texts, texts.noCookies);

export const elsewherePage = (texts: Texts, { app }: Job): Page =>
  notice('elsewhere', texts, texts.elsewhere, app);

/** For the browser that a wallet has opened in place of the one in which the person began. */
export const cameBackElsewherePage = (texts: Texts, { app }: Job): Page =>
  notice('elsewhere', texts, texts.cameBackElsewhere, app);

/** The wallet has answered: the code is not shown again. */
export const sendingPage = ({ lang, sending: [title, text] }: Texts, { app }: Job): Page => ({
  name: 'sending',
  lang,
  title: fill(title, { app: app.name }),
  body: () => html`<p role="status">${text}</p>`,
  reload: 3,
});

export const refusedPage = (texts: Texts, { app }: Job): Page => notice('refused', texts, texts.refused, app);
