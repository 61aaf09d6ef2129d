import { supportCodeOf } from '../../internal/support-code.js';
import { inWholeUnits } from '../../internal/timeouts.js';
import type { IdentityPage, LoadedLanguage, PagesConfiguration } from '../../options/pages/page-options.js';
import type { TextKey } from '../../options/pages/en.js';
import type { OtherWay } from '../../options/result-types.js';

/** The address of the logo in each colour scheme. */
export type Logo = NonNullable<PagesConfiguration['logo']>;

/** Whose page it is, and in which language: what every page of one request shares. */
export interface PageContext extends LoadedLanguage {
  readonly name: string;
  readonly logo: Logo | undefined;
  readonly home: string;
  readonly privacy: string | undefined;
  /** What was said in English because the page's own language has no text for it. */
  readonly inEnglish: Set<string>;
  /** An address of the app as the browser must ask for it. */
  readonly addressOf: (address: string) => string;
  /** Where people go who cannot use a wallet, by the name of the question. */
  readonly otherWayOf: (question: string | undefined) => OtherWay | undefined;
}

/** A text of the app's own; undefined where it has none in this language. */
export function sayOwn(site: PageContext, key: string): string | undefined {
  const text = site.own.get(key);
  return text === undefined ? undefined : fill(site, text);
}

type Values = Readonly<Record<string, string>>;

/** A text with its placeholders filled; nothing is escaped yet. */
export function say(site: PageContext, key: TextKey, values?: Values): string {
  const said = fill(site, site.texts[key], values);
  if (site.missing.includes(key)) site.inEnglish.add(said);
  return said;
}

/** The language of a text: English stands in where the page's own has none, and then for what is written into it too. */
export const languageOfText = ({ missing, lang }: PageContext, key: TextKey): string =>
  missing.includes(key) ? 'en' : lang;

export function fill(site: PageContext, text: string, values?: Values): string {
  const all = new Map(Object.entries({ ...values, name: site.name }));
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => all.get(name) ?? whole);
}

/** What is said to the developer is in English on every page. */
export const developerMark = 'For the developer: ';

export interface PageParts extends Pick<IdentityPage, 'name' | 'status' | 'code' | 'form'> {
  readonly title: string;
  readonly lead: string;
  /** The flow's public id, of which the support code is made. */
  readonly flow?: string | undefined;
  /** The page says all that there is to say, so there is nothing to ask support. */
  readonly isExplained?: boolean;
  readonly more?: readonly string[];
  readonly elsewhere?: IdentityPage['texts']['elsewhere'] | undefined;
  readonly asked?: IdentityPage['texts']['asked'];
  readonly kept?: IdentityPage['texts']['kept'] | undefined;
  readonly notKept?: IdentityPage['texts']['notKept'] | undefined;
  readonly hints?: readonly string[] | undefined;
  readonly notes?: readonly string[];
  /** The label of the form's button or of the link. */
  readonly action?: string | undefined;
  readonly link?: string | undefined;
  readonly home: 'cancel' | 'home';
  readonly otherWay?: OtherWay | undefined;
  /** Where a person begins who has another ID. */
  readonly anotherId?: string | undefined;
  readonly wallet?: IdentityPage['texts']['wallet'];
}

export function pageOf(site: PageContext, parts: PageParts): IdentityPage {
  const { name, status, code, form, asked, kept, notKept, elsewhere, action, link, wallet } = parts;
  const { otherWay, anotherId } = parts;
  const hasAction = action !== undefined && (form !== undefined || link !== undefined);
  const hints = (parts.hints ?? []).map((hint) => `${developerMark}${hint}`);
  return {
    name,
    status,
    ...(code !== undefined && { code }),
    lang: site.lang,
    texts: {
      site: site.name,
      title: parts.title,
      lead: parts.lead,
      more: parts.more ?? [],
      ...(elsewhere !== undefined && { elsewhere }),
      ...(asked !== undefined && { asked }),
      ...(kept !== undefined && { kept }),
      ...(notKept !== undefined && { notKept }),
      ...(wallet !== undefined && { wallet }),
      notes: [...(parts.notes ?? []), ...hints],
      ...(hasAction && { action }),
      home: say(site, parts.home),
      ...(otherWay !== undefined && {
        otherWay: otherWay.text ?? say(site, name === 'error' ? 'other_way_button' : 'other_way'),
      }),
      ...(anotherId !== undefined && { anotherId: say(site, 'another_id') }),
      ...(site.privacy !== undefined && { privacy: say(site, 'privacy') }),
      ...(code !== undefined &&
        parts.isExplained !== true && { support: supportLine(site, code, parts.flow) }),
    },
    ...(form !== undefined && { form: { ...form, action: encodeApostrophes(form.action) } }),
    links: {
      ...(hasAction && link !== undefined && { action: encodeApostrophes(link) }),
      home: encodeApostrophes(site.home),
      ...(otherWay !== undefined && { otherWay: encodeApostrophes(otherWay.url) }),
      ...(anotherId !== undefined && { anotherId: encodeApostrophes(anotherId) }),
      ...(site.privacy !== undefined && { privacy: encodeApostrophes(site.privacy) }),
    },
  };
}

/** What somebody who calls reads out: the flow's support code, by which the log is searched, and the error's code. */
const supportLine = (site: PageContext, code: string, flow: string | undefined): string =>
  say(site, 'support', { code: flow === undefined ? code : `${supportCodeOf(flow)} (${code})` });

/** A time as it is told: in the largest unit that it fills, rounded up. */
export function durationIn(lang: string, ms: number): string {
  const { amount, unit } = inWholeUnits(ms);
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

/** An apostrophe ends an attribute of a template that escapes only double quotes. */
const encodeApostrophes = (address: string): string => address.replaceAll("'", '%27');
