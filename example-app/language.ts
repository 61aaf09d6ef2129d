import type { Request, RequestHandler } from 'express';
import { type Language, type Texts, languages } from './texts/index.js';

const cookie = 'drehmoment-language';

function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value);
}

/** The language chosen on a page, or else the one that the browser requests. */
export function languageOf(req: Request): Language {
  const [, chosen] = new RegExp(`(?:^|; )${cookie}=(\\w+)(?:;|$)`).exec(req.headers.cookie ?? '') ?? [];
  if (isLanguage(chosen)) return chosen;
  const requested = req.acceptsLanguages(...Object.keys(languages));
  return isLanguage(requested) ? requested : 'en';
}

/** The texts of the app in the language of a request. */
export function textsOf(req: Request): Texts {
  return languages[languageOf(req)];
}

/** `?lang=de` on any page remembers the choice and shows the same page again. */
export const chooseLanguage: RequestHandler = (req, res, next) => {
  const { lang, ...others } = req.query;
  if (req.method !== 'GET' || !isLanguage(lang)) {
    next();
    return;
  }
  res.cookie(cookie, lang, { sameSite: 'lax', httpOnly: true, maxAge: 365 * 24 * 60 * 60_000 });
  res.redirect(303, addressWith(req, others));
};

/** The address of the same page in a language. */
export function inLanguage(req: Request, lang: string): string {
  return addressWith(req, { ...req.query, lang });
}

/** Only a path of this app, whatever the address began with. */
function addressWith(req: Request, query: object): string {
  const texts = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const search = new URLSearchParams(texts).toString();
  return req.path.replace(/^[/\\]+/, '/') + (search && `?${search}`);
}

/** A moment, as people write it: in the time of this machine, as on pidgate's pages. */
export function writeTime({ locale }: Texts, moment: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(moment);
}

/** The same where there is little room, as in a table. */
export function writeShortTime({ locale }: Texts, moment: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(moment);
}

export function writeClock({ locale }: Texts, moment: Date): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
}

/** A day such as 1964-08-12; one that is not complete stays as it is on the ID. */
export function writeDay({ locale }: Texts, day: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

export function writeSeconds({ locale }: Texts, ms: number): string {
  const style = { style: 'unit', unit: 'second', unitDisplay: 'long', maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(locale, style).format(ms / 1000);
}

export function writeEuros({ locale }: Texts, amount: number): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(amount);
}
