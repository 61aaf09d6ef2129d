import type { Response } from 'express';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { languageName } from '../../../internal/display-names.js';
import { script } from './script.js';
import { style } from './style.js';
import { englishTexts, languages, type SandboxTexts } from './texts/languages.js';

/** A page in one language; the developer's pages have but one. */
export type Page = Html | ((say: SandboxTexts) => Html);

interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** After the body, at the full width of the card. */
  readonly after?: Html | undefined;
  readonly wide?: boolean;
  /** Default English. */
  readonly say?: SandboxTexts;
  /** Whose page this is: a person's, or the developer's. */
  readonly role?: 'wallet' | 'desk';
  /** A stream that tells when the page has changed; for a browser without scripts the page loads itself again. */
  readonly follow?: string | undefined;
  /** Milliseconds after which a page without scripts loads itself again; one with a form waits until it has expired. */
  readonly reload?: number | undefined;
}

const styleElement: Html = { markup: `<style>${style}</style>` };
const scriptElement: Html = { markup: `<script>${script}</script>` };

/** The frame of every page of the sandbox. */
export function layout({
  title,
  body,
  after,
  wide = false,
  say = englishTexts,
  role = 'desk',
  follow,
  reload = 2000,
}: PageParts): Html {
  return sandboxHtml`<!doctype html>
    <html lang="${say.lang}">
      <head>
        <meta charset="utf-8" />
        <title>${title} · ${say.name}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${follow === undefined ? undefined : sandboxHtml`<noscript><meta http-equiv="refresh" content="${Math.ceil(reload / 1000)}" /></noscript>`}
        ${styleElement}
      </head>
      <body data-follow="${follow ?? ''}">
        <main class="${wide ? 'wide' : 'narrow'}">
          <p class="mark"><strong>${say.sandbox}</strong> ${say.roles[role]}, ${say.unreal}</p>
          <div class="content">${body}</div>
          ${after}
        </main>
        <footer><span translate="no">${say.name}</span>${role === 'desk' ? sandboxHtml` · <a href="/">${say.overview}</a>` : otherLanguages(say)}</footer>
        ${follow === undefined ? undefined : scriptElement}
      </body>
    </html> `;
}

function otherLanguages(say: SandboxTexts): Html[] {
  const others = languages.filter((language) => language !== say);
  return others.map(
    ({ lang }) =>
      sandboxHtml` · <a href="?lang=${lang}" hreflang="${lang}" lang="${lang}">${languageName(lang)}</a>`,
  );
}

const languageCookie = 'pidgate_sandbox_lang';

/** In the language that was chosen here, else the one that the browser asks for, as the app's own pages are. */
export function sendSandboxPage(res: Response, status: number, page: Page): void {
  const { req } = res;
  const named = (tag: unknown) => languages.find(({ lang }) => lang === tag);
  const chosen = named(req.query['lang']);
  if (chosen !== undefined)
    res.append('Set-Cookie', `${languageCookie}=${chosen.lang}; Path=/; HttpOnly; SameSite=Lax`);
  const [, before] = new RegExp(`\\b${languageCookie}=([\\w-]+)`).exec(req.headers.cookie ?? '') ?? [];
  const asked = req.acceptsLanguages(languages.map(({ lang }) => lang));
  const say = chosen ?? named(before) ?? named(asked) ?? englishTexts;
  res
    .status(status)
    .type('html')
    .send((typeof page === 'function' ? page(say) : page).markup);
}

/** In place of the buttons, where no callback could be sent. */
export function redirectUrlMissing(say: SandboxTexts = englishTexts): Html {
  return sandboxHtml`<h2>${say.noRedirectUrl}</h2>
    <p>
      ${say.noRedirectUrlBefore} <code translate="no">http://localhost:3000/identity/callback</code>, ${say.noRedirectUrlAfter}
    </p>
    <pre translate="no">
pidgate dev --callback &lt;url&gt;
createSandbox({ redirectUrl: url })
sandbox.redirectUrl = url</pre>`;
}
