import { configInvalid } from '../../errors.js';
import { knownOptions, nonEmptyString, optionalFunction } from '../../internal/former-validate.js';
import { safePath, secureUrl } from '../../internal/urls.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import type { Language, PagesConfiguration, PagesOptions } from './options.js';

const names = ['name', 'logo', 'accent', 'privacyUrl', 'homeUrl', 'locale', 'texts', 'render'] as const;
const builtIn: Readonly<Record<string, Texts>> = { de };
const keys = Object.keys(en) as (keyof Texts)[];

/** A page holds the logo once: a picture of this size is large for one. */
const maxLogoBytes = 100_000;

/** Parses the option `pages`. `requests` are the names that a purpose may be written for. */
export function resolvePages(given: unknown = {}, requests: readonly string[]): PagesConfiguration {
  const pages = knownOptions(given, names, 'pages') as PagesOptions;
  const { name, logo, accent, privacyUrl, homeUrl = '/' } = pages;
  if (name !== undefined) nonEmptyString(name, 'Option pages.name');
  if (logo !== undefined && !isLogo(logo)) {
    throw configInvalid(
      'Option pages.logo: must be a path of the app, or a data: URL of a PNG, JPEG or WebP of at most 100 kB.',
    );
  }
  if (accent !== undefined && !/^#[0-9a-f]{6}$/i.test(String(accent))) {
    throw configInvalid('Option pages.accent: must be a colour such as #0b5a8a.');
  }
  checkAddress('privacyUrl', privacyUrl);
  checkAddress('homeUrl', homeUrl);
  return Object.freeze({
    name,
    logo,
    accent,
    privacyUrl,
    homeUrl,
    locale: optionalFunction(pages.locale, 'Option pages.locale'),
    render: optionalFunction(pages.render, 'Option pages.render'),
    languages: resolveLanguages(pages.texts ?? {}, requests),
  });
}

function isLogo(logo: unknown): boolean {
  if (typeof logo !== 'string' || logo.length > maxLogoBytes) return false;
  return /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(logo) || isPath(logo);
}

function isPath(value: unknown): boolean {
  return safePath(value, 'https://app.invalid/app') !== undefined;
}

function checkAddress(option: string, value: unknown): void {
  if (value === undefined || isPath(value) || secureUrl(value, false) !== undefined) return;
  throw configInvalid(`Option pages.${option}: must be an https address or a path of the app.`);
}

function resolveLanguages(given: unknown, requests: readonly string[]): PagesConfiguration['languages'] {
  const texts = knownOptions(given, languagesIn(given), 'pages.texts');
  const others = new Set([...Object.keys(builtIn), ...Object.keys(texts)]);
  others.delete('en');
  return [
    resolveLanguage('en', en, texts['en'], requests),
    ...[...others].map((lang) => resolveLanguage(lang, builtIn[lang], texts[lang], requests)),
  ];
}

function languagesIn(texts: unknown): string[] {
  const tags = Object.keys((texts ?? {}) as object);
  if (tags.every(isLanguage)) return tags;
  throw configInvalid('Option pages.texts: each name must be a language such as en, de or pt-BR.');
}

/** Only what Intl takes: it writes durations and countries. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

function resolveLanguage(
  lang: string,
  base: Texts | undefined,
  given: unknown = {},
  requests: readonly string[],
): Language {
  const where = `pages.texts.${lang}`;
  const purposeKeys = new Map(
    requests.map((request) => [request === 'default' ? 'purpose' : `purpose.${request}`, request]),
  );
  const own = Object.entries(knownOptions(given, [...keys, ...purposeKeys.keys()], where))
    .filter(([, text]) => text !== undefined)
    .map(([key, text]) => [key, nonEmptyString(text, `Option ${where}.${key}`)] as const);
  const texts: Readonly<Partial<Record<string, string>>> = { ...base, ...Object.fromEntries(own) };
  const missing = keys.find((key) => texts[key] === undefined);
  if (missing !== undefined) {
    throw configInvalid(
      `Option ${where}: the text ${missing} is missing; a further language needs every text.`,
    );
  }
  const purposes = [...purposeKeys].flatMap(([key, request]) => {
    const purpose = texts[key];
    return purpose === undefined ? [] : [[request, purpose] as const];
  });
  return { lang, texts: texts as Texts, purposes: new Map(purposes) };
}
