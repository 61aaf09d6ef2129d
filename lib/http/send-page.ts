import type { Response } from 'express';
import { IdentityError, kitError } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import { type End, appErrorAddress } from '../flow/flow.js';
import type { IdentityPage, Language, LoadedLanguage } from '../options/pages/page-options.js';
import { safePath } from '../internal/urls.js';
import { ignoreRejection } from '../internal/ignore-rejection.js';
import { languageName } from '../internal/display-names.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { errorPage } from './pages/error-page.js';
import { type LanguageLink, renderPage } from './pages/page.js';
import type { PageContext } from './pages/page-model.js';
import { appPagesPolicy } from './pages/theme.js';
import {
  baseOf,
  chosenLanguage,
  isPrefetch,
  ownAddress,
  publicPath,
  queryOf,
  startPath,
  type Exchange,
  type Kit,
  retryableOf,
} from './context.js';
import {
  type Sender,
  send,
  sendJsonError,
  setSecurityHeaders,
  statusOf,
  wantsJson,
  retryAfter,
} from './respond.js';
import { hasResponded } from './session/session.js';

/**
 * Sends a page: as the app's own function renders it, where there is one and the address contains no code. `address` is
 * the page's own, without a stranger's text, where it can be shown in another language.
 */
export async function sendPage(
  { kit, req, res }: Exchange,
  make: (site: PageContext) => IdentityPage,
  sender: Sender = send,
  address?: string,
  look: Look = usualLook(kit),
): Promise<void> {
  const site = await pageContextOf(kit, req);
  const page = make(site);
  const { render } = kit.config.pages;
  if (render !== undefined && !isAlwaysOurs(req, page)) {
    if (hasCode(kit, req)) {
      // Scripts and images of the app's page would see the code. A limiter's page has it in `address` too.
      const named = publicPath(
        kit,
        req,
        `${kit.flow.returnPath}?error=${page.code ?? 'return_code_invalid'}`,
      );
      sender.redirect(res, page.code === undefined ? (address ?? named) : named);
      return;
    }
    setPageHeaders(res, page, appPagesPolicy); // render may change them
    const html = await renderByApp(kit, () => render(page, { req, res }));
    if (hasResponded(res)) return;
    if (html !== undefined) {
      sender.html(res.status(page.status), html);
      return;
    }
  }
  setPageHeaders(res, page, look.policy);
  const languages = address === undefined ? [] : otherLanguages(kit, address, page.lang);
  sender.html(res, look.render(page, site, languages));
}

/** How the kit shows a page, and the policy that allows exactly that. */
interface Look {
  readonly policy: string;
  readonly render: (page: IdentityPage, site: PageContext, languages: readonly LanguageLink[]) => string;
}

const usualLook = ({ theme }: Kit): Look => ({
  policy: theme.policy,
  render: (page, site, languages) => renderPage(page, theme, site, languages),
});

/** Two pages have a code in their address; no one sees the page of a HEAD request or a prefetch. */
const isAlwaysOurs = (req: AppRequest, { name }: IdentityPage): boolean =>
  name === 'redirect' || name === 'try_again' || req.method === 'HEAD' || isPrefetch(req);

const hasCode = ({ flow }: Kit, req: AppRequest): boolean =>
  `${req.baseUrl}${req.path}` === flow.returnPath && queryOf(req, 'code') !== undefined;

/** Replaces a policy that the app has set before. */
function setPageHeaders(res: Response, { status }: IdentityPage, policy: string): void {
  res.status(status).type('html');
  res.set('Content-Security-Policy', policy);
  res.removeHeader('Content-Security-Policy-Report-Only');
}

async function renderByApp(
  { config, log }: Kit,
  render: () => string | Promise<string>,
): Promise<string | undefined> {
  try {
    const html: unknown = await withTimeout(config.limits.hookTimeout, render);
    if (typeof html === 'string' && html !== '') return html;
    throw kitError('hook_failed', { message: 'Option pages.render: the function must return a string.' });
  } catch (cause) {
    log.fault(renderErrorOf(cause));
    return undefined;
  }
}

function renderErrorOf(cause: unknown): IdentityError {
  if (cause instanceof IdentityError) return cause;
  return cause instanceof TimeoutError
    ? kitError('hook_timeout', { message: 'Option pages.render: the function took too long.' })
    : kitError('hook_failed', { message: 'Option pages.render: the function failed.', cause });
}

export async function pageContextOf(kit: Kit, req: AppRequest): Promise<PageContext> {
  const { name, logo, homeUrl, privacyUrl, otherWay } = kit.config.pages;
  const publicAddress = (address: string): string =>
    address.startsWith('/') ? publicPath(kit, req, address) : address;
  return {
    name: name ?? new URL(baseOf(kit, req)).host,
    ...(await loaded(kit, languageOf(kit, req))),
    inEnglish: new Set(),
    logo: logo && { light: publicAddress(logo.light), dark: publicAddress(logo.dark) },
    home: publicAddress(homeUrl),
    privacy: privacyUrl && publicAddress(privacyUrl),
    addressOf: publicAddress,
    otherWayOf(question = 'default') {
      const way = kit.config.questions.get(question)?.otherWay ?? otherWay;
      return way && { ...way, url: publicAddress(way.url) };
    },
  };
}

/**
 * The language that the address names, which a link of the page has set; else the one that the app's own function names,
 * where the kit has it; else what the browser asks for; else English.
 */
function languageOf(kit: Kit, req: AppRequest): Language {
  const { languages, locale } = kit.config.pages;
  const named = chosenLanguage(kit, req) ?? readLocale(() => locale?.(req));
  const wanted = named?.toLowerCase();
  const tags = languages.map(({ lang }) => lang);
  const tag =
    tags.find((known) => known.toLowerCase() === wanted) ??
    tags.find((known) => known === wanted?.split('-', 1)[0]) ??
    req.acceptsLanguages(tags);
  return languages.find(({ lang }) => lang === tag) ?? languages[0];
}

/** A page is shown in English while a file is not there, as where the package is replaced below a running app. */
async function loaded({ config, log }: Kit, { lang, load }: Language): Promise<LoadedLanguage> {
  try {
    return await load();
  } catch {
    log.warn(
      `the texts of the language ${lang} could not be loaded: pages are in English. Start the app again.`,
    );
    return await config.pages.languages[0].load();
  }
}

/** The same page in the other languages that people may choose. */
function otherLanguages({ config }: Kit, address: string, lang: string): LanguageLink[] {
  const others = config.pages.offered.map((language) => language.lang).filter((other) => other !== lang);
  return others.map((other) => {
    const url = new URL(address, 'http://app.invalid');
    url.searchParams.set('lang', other);
    return { lang: other, label: languageName(other), url: `${url.pathname}${url.search}` };
  });
}

/** A page is shown whatever the function does. */
function readLocale(locale: () => unknown): string | undefined {
  try {
    const named = locale();
    ignoreRejection(named);
    return typeof named === 'string' ? named : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Tells a person (or the program that asked) that it did not work, and where to continue: where `onError` wants it, or
 * with the start that failed.
 */
export async function sendError(
  exchange: Exchange,
  error: IdentityError,
  { location, own }: Pick<End, 'location' | 'own'> = {},
  sender: Sender = send,
): Promise<void> {
  const { kit, req, res } = exchange;
  kit.log.fault(error); // of what the flow has told already, nothing is written a second time
  if (wantsJson(req)) {
    sendJsonError(res, error, hintIn(kit, error), sender);
    return;
  }
  const { config, flow } = kit;
  const status = statusOf(error);
  // A wrong address keeps its status, such as 404; the app's page is for verifications that failed.
  const appPage = location ?? (status >= 500 ? appErrorAddress(flow, error, own) : undefined);
  if (appPage !== undefined) {
    sender.redirect(res, publicPath(kit, req, appPage));
    return;
  }
  if (status === 503) res.set('Retry-After', retryAfter);
  const path = startPath(kit, own?.question, own);
  // The address that the person is at does not work for a start, and its home leads here again.
  const start =
    error.code === 'origin_not_allowed'
      ? (path ?? config.pages.homeUrl).replace(/^\//, `${config.origins[0]}/`)
      : path && publicPath(kit, req, path);
  const retryable = retryableOf(kit, error.code);
  const question = own?.question;
  const page = {
    status,
    code: error.code,
    retryable,
    start,
    question,
    flow: own?.id,
    hints: kit.help.hintsFor(error),
  };
  await sendPage(exchange, (site) => errorPage(site, page), sender);
}

/** The same in a JSON reply. */
export function hintIn({ help }: Kit, error: IdentityError): { readonly hint?: string } {
  const [hint] = help.hintsFor(error);
  return hint === undefined ? {} : { hint };
}

/** `identity.busy`: what a limiter in front of the kit answers with. It needs no session. */
export async function sendLimited(exchange: Exchange): Promise<void> {
  const { kit, req, res } = exchange;
  setSecurityHeaders(res);
  if (!res.hasHeader('Retry-After')) res.set('Retry-After', '60');
  const wait = waitOf(String(res.getHeader('Retry-After')), kit.config.clock());
  const { path, routes, questions } = kit.config;
  const [at = ''] = safePath(req.originalUrl, baseOf(kit, req))?.split('?', 1) ?? [];
  const isForPrograms = [routes.callback, routes.status, routes.request].some(
    (route) => at === `${path}${route}`,
  );
  if (wantsJson(req) || isForPrograms) {
    send.json(res, 429, { error: 'busy', error_description: 'Too many requests: try again later.' });
    return;
  }
  const isStart = routes.start !== false && at.startsWith(`${path}${routes.start}`);
  const start = req.method === 'GET' || isStart ? ownAddress(exchange) : undefined;
  const question = [...questions.keys()].find((name) => startPath(kit, name) === at);
  const page = { status: 429, code: 'busy', start, question, wait };
  await sendPage(exchange, (site) => errorPage(site, page), send, start);
}

/** How long a person has to wait: the seconds, or the moment, of a Retry-After; a minute where it is neither. */
function waitOf(retryAfter: string, now: Date): number {
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime();
  const minute = 60_000;
  if (!(ms > 0)) return minute;
  return ms > minute / 2 ? Math.ceil(ms / minute) * minute : ms;
}
