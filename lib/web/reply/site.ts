import type { Language } from '../../options/pages/options.js';
import type { AppRequest } from '../../options/options.js';
import { originOf } from '../origin.js';
import type { Site } from '../pages/site.js';
import type { Web } from '../web.js';

/** Whose page it is, as this request sees it. */
export function siteOf(web: Web, req: AppRequest): Site {
  const { origins, pages } = web.config;
  const { logo, homeUrl, privacyUrl } = pages;
  const origin = originOf(req, origins) ?? origins[0];
  return {
    name: pages.name ?? new URL(origin).host,
    ...languageOf(web, req),
    logo,
    home: homeUrl,
    privacy: privacyUrl,
  };
}

/** The language that the app's own function names, where the kit has it; else what the browser asks for; else English. */
function languageOf({ config }: Web, req: AppRequest): Language {
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
    return typeof named === 'string' ? named.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}
