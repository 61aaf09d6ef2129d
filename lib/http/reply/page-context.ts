import type { Language } from '../../options/pages/options.js';
import type { AppRequest } from '../../options/options.js';
import { ignoreRejection } from '../../internal/ignore-rejection.js';
import type { PageContext } from '../pages/page-model.js';
import { baseOf, publicPath, type RouteContext } from '../context.js';

/** Whose page it is, as this request sees it. */
export function siteOf(web: RouteContext, req: AppRequest): PageContext {
  const { name, logo, homeUrl, privacyUrl } = web.config.pages;
  const seen = (address: string): string =>
    address.startsWith('/') ? publicPath(web, req, address) : address;
  return {
    name: name ?? new URL(baseOf(web, req)).host,
    ...languageOf(web, req),
    logo: logo && seen(logo),
    home: seen(homeUrl),
    privacy: privacyUrl && seen(privacyUrl),
  };
}

/** The language that the app's own function names, where the kit has it; else what the browser asks for; else English. */
function languageOf({ config }: RouteContext, req: AppRequest): Language {
  const { languages, locale } = config.pages;
  const named = namedBy(locale, req);
  const tags = languages.map(({ lang }) => lang);
  const tag =
    tags.find((it) => it.toLowerCase() === named) ??
    tags.find((it) => it === named?.split('-', 1)[0]) ??
    req.acceptsLanguages(tags);
  return languages.find(({ lang }) => lang === tag) ?? languages[0];
}

/** A page is shown whatever the function does. */
function namedBy(locale: ((req: AppRequest) => unknown) | undefined, req: AppRequest): string | undefined {
  try {
    const named = locale?.(req);
    ignoreRejection(named);
    return typeof named === 'string' ? named.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}
