import type { Request, RequestHandler } from 'express';

export type Language = 'en' | 'de';

const cookie = 'drehmoment-language';

/** The language chosen at the foot of a page, or else the one that the browser requests. */
export function languageOf(req: Request): Language {
  const [, chosen] = new RegExp(`(?:^|; )${cookie}=(en|de)(?:;|$)`).exec(req.headers.cookie ?? '') ?? [];
  return (chosen ?? req.acceptsLanguages('en', 'de')) === 'de' ? 'de' : 'en';
}

/** `?lang=de` on any page remembers the choice and shows the same page again. */
export const chooseLanguage: RequestHandler = (req, res, next) => {
  const { lang, ...others } = req.query;
  if (req.method !== 'GET' || (lang !== 'en' && lang !== 'de')) {
    next();
    return;
  }
  res.cookie(cookie, lang, { sameSite: 'lax', httpOnly: true, maxAge: 365 * 24 * 60 * 60_000 });
  res.redirect(303, addressWith(req, others));
};

/** The address of the same page in a language. */
export function inLanguage(req: Request, lang: Language): string {
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

export type Say = (en: string, de: string) => string;

/** Picks one of two languages: `say('Welcome', 'Willkommen')`. */
export function sayTo(req: Request): Say {
  const language = languageOf(req);
  return (en, de) => (language === 'de' ? de : en);
}

/** How people here write numbers and dates. */
export function localeOf(req: Request): 'de-DE' | 'en-GB' {
  return languageOf(req) === 'de' ? 'de-DE' : 'en-GB';
}

/** A moment, as people write it: in the time of this machine, as on pidgate's pages. */
export function writeTime(req: Request, moment: Date): string {
  const form = { dateStyle: 'long', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(localeOf(req), form).format(moment);
}

export function writeClock(req: Request, moment: Date): string {
  return new Intl.DateTimeFormat(localeOf(req), { timeStyle: 'short' }).format(moment);
}

/** A day such as 1964-08-12; one that is not complete stays as it is on the ID. */
export function writeDay(req: Request, day: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(localeOf(req), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
