import type { Response } from 'express';
import { configInvalid } from '../../errors.js';
import * as v from '../../internal/validate.js';
import { address, isAddress, isAppPath, otherWay } from '../ask.js';
import type { AppRequest, OtherWay } from '../result-types.js';
import { en, type TextKey, type Texts } from './en.js';
import { builtIn } from './languages.js';

/** What is written for each question: why, what is stored of it (one entry a line), and what is not. */
type QuestionText = 'purpose' | 'keptAs' | 'notKept';

/**
 * A text of the kit's pages, or of a question: `purpose` for the default one, `purpose.age` for `age`; a reason,
 * `reasons.door` or `reasons.age.door`; or a page for a refusal.
 */
export type PageTextKey =
  | TextKey
  | QuestionText
  | `${QuestionText | 'reasons'}.${string}`
  | `refused.${string}.${'title' | 'text' | 'link'}`;

/** Texts of one language. */
export type PageTexts = Readonly<Partial<Record<PageTextKey, string>>>;

/** Something for each colour scheme. */
type Schemes = { readonly light: string; readonly dark: string };

/** The option `pages`: how the pages look and what they say. */
export interface PagesOptions {
  /** The name of the site. Default: its host. */
  readonly name?: string | undefined;
  /** A path of the app, or a `data:` URL of a PNG, JPEG or WebP picture: one for each colour scheme, or one for both. */
  readonly logo?: string | Schemes | undefined;
  /**
   * The colours of buttons (`accent`), of the page (`background`) and of the card on it (`surface`), as `#rrggbb`: one for
   * each colour scheme, or one for both.
   */
  readonly colors?:
    Readonly<Partial<Record<'accent' | 'background' | 'surface', string | Schemes | undefined>>> | undefined;
  /** Font families as CSS lists them, such as `Georgia, "Times New Roman", serif`; no file is loaded. */
  readonly font?: string | undefined;
  /** The privacy notice: an https address or a path of the app. Without it there is no link. */
  readonly privacyUrl?: string | undefined;
  /** Where the way back and the Cancel of a start lead: an https address or a path of the app. Default `/`. */
  readonly homeUrl?: string | undefined;
  /** Another way for people who have no wallet, or cannot use it. A question may have its own. */
  readonly otherWay?: OtherWay | undefined;
  /**
   * Returns the language of the pages, such as `de`. Default: what the browser asks for, of the languages that you have: where
   * a question says something in code, English and those of `texts`. A person's choice on a page wins.
   */
  readonly locale?: ((req: AppRequest) => string) | undefined;
  /** Your texts by language, and then by key. A text that neither you nor the kit has in a language is shown in English. */
  readonly texts?: Readonly<Record<string, PageTexts>> | undefined;
  /** Returns the HTML of a page, instead of the kit's own. The pages `redirect` and `try_again` stay the kit's. */
  readonly render?:
    | ((
        page: IdentityPage,
        exchange: { readonly req: AppRequest; readonly res: Response },
      ) => string | Promise<string>)
    | undefined;
}

/**
 * What a page says, as unescaped data: `render` must escape every value. Addresses may contain a `returnTo` that anyone
 * could have sent: a path of the app, with its quotation marks percent-encoded.
 */
export interface IdentityPage {
  readonly name: 'start' | 'wallet' | 'error' | 'start_again' | 'try_again' | 'redirect';
  readonly status: number;
  readonly code?: string;
  readonly lang: string;
  readonly texts: {
    /** The name of the site. */
    readonly site: string;
    readonly title: string;
    readonly lead: string;
    /** Further paragraphs. */
    readonly more: readonly string[];
    /** What will be requested, on the start page. */
    readonly asked?: {
      readonly title: string;
      readonly items: readonly { readonly label: string; readonly hint?: string }[];
    };
    /** What is stored, on the start page: a list where the app says what, else a sentence. */
    readonly kept?: { readonly title: string; readonly text?: string; readonly items?: readonly string[] };
    /** What is not stored, where the app says so. */
    readonly notKept?: { readonly title: string; readonly items: readonly string[] };
    /** What somebody reads who began in another browser: the words of that choice, and what to do then. */
    readonly elsewhere?: { readonly title: string; readonly text: string };
    /** Marks a test, or tells the developer something. */
    readonly notes: readonly string[];
    /** The label of the form's button, or of `links.action`. */
    readonly action?: string;
    /** The label of `links.home`: Cancel, or back to the site. */
    readonly home: string;
    /** The label of `links.otherWay`. */
    readonly otherWay?: string;
    /** The label of `links.anotherId`. */
    readonly anotherId?: string;
    /** The label of `links.privacy`. */
    readonly privacy?: string;
    /** The words of the page that waits for a wallet: each where what it belongs to is there. */
    readonly wallet?: WalletTexts;
    /** What to tell support: the flow's support code, where there is a flow, and the error's code. */
    readonly support?: string;
  };
  /** On the page that waits for a wallet: the link that opens one on this device. */
  readonly link?: string;
  /** On the same page: the code that another device reads, as an SVG. */
  readonly qrCode?: string;
  /**
   * On the same page, if the browser may ask a wallet: the signed request for `navigator.credentials.get`, with the protocol
   * `openid4vp-v1-signed`, and the address of the form that posts what came of it.
   */
  readonly browser?: { readonly request: string; readonly action: string };
  /**
   * On the same page: the address to ask every two seconds, with `Accept: application/json`. It answers `{ status, notice? }`.
   * Load the page again when the status changes, or is `over`: then it shows what is so, or leads on.
   */
  readonly pollAddress?: string;
  /** On the same page: when the request ends, as an ISO date. */
  readonly until?: string;
  /** On the same page: what came of the last answer, if that did not end the request. */
  readonly notice?: string;
  /** An action that is not a link. An empty address is the page's own. */
  readonly form?: {
    readonly method: 'post';
    readonly action: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly links: {
    readonly action?: string;
    readonly home: string;
    readonly otherWay?: string;
    /** A new start, where this ID is not enough, and another one may be. Show it as a link, and not as the main button. */
    readonly anotherId?: string;
    readonly privacy?: string;
  };
}

/** What a page says that waits for a wallet. */
export interface WalletTexts {
  /** The label of `link`. */
  readonly open: string;
  /** What to do with `qrCode`, and whom it can harm. */
  readonly scan: string;
  readonly warning: string;
  /** Of two ways, the words that lead to the other one. */
  readonly otherDevice: string;
  readonly thisDevice: string;
  /** Until when the request is open, what the page does meanwhile, and without scripts the button that loads it again. */
  readonly until: string;
  readonly waiting: string;
  readonly reload: string;
  /** Two minutes before the end, after a minute without an answer, and while the app itself does not answer. */
  readonly soon: string;
  readonly slow: string;
  readonly away: string;
  /** The label of the button that asks the browser, and what is said when that brought nothing or cannot be done. */
  readonly browser?: { readonly ask: string; readonly failed: string; readonly unable: string };
}

/** A language that the pages have. */
export interface Language {
  /** A language tag, for `lang` and Intl. */
  readonly lang: string;
  /** The app's own texts, by their names in `pages.texts`. */
  readonly own: ReadonlyMap<string, string>;
  /** The texts that neither the app nor the kit has in this language: English stands in for them. */
  readonly missing: readonly TextKey[];
  readonly load: () => Promise<LoadedLanguage>;
}

export interface LoadedLanguage extends Pick<Language, 'lang' | 'own' | 'missing'> {
  readonly texts: Texts;
}

const keys = Object.keys(en) as TextKey[];

/** The logo is embedded in every page; this is large for a logo. */
const maxLogoBytes = 100_000;

const colour = schemes(isColour, 'must be a colour such as #0b5a8a');

const members = {
  name: v.optional(v.nonEmptyString),
  logo: schemes(isLogo, 'must be a path of the app, or a data: URL of a PNG, JPEG or WebP of at most 100 kB'),
  colors: v.optional(v.object({ accent: colour, background: colour, surface: colour })),
  font: v.optional(
    v.satisfying<string>(isFont, 'must be font families such as Georgia, "Times New Roman", serif (no file)'),
  ),
  privacyUrl: v.optional(address),
  homeUrl: v.withDefault(address, '/'),
  otherWay,
  locale: v.optional(v.aFunction<(req: AppRequest) => unknown>()),
  texts: v.anything,
  render: v.optional(v.aFunction<NonNullable<PagesOptions['render']>>()),
} satisfies v.ChecksOf<PagesOptions>;

/** Parses the option `pages`. `questions` are those that texts may be written for. */
export function resolvePages(option: unknown = {}, questions: readonly QuestionTexts[]) {
  v.knownOptions(option, Object.keys(members), 'pages');
  const { texts = {}, ...pages } = v.object(members)(option, 'Option pages');
  const [english, ...others] = resolveLanguages(texts, questions);
  const isOwn = ({ own }: Language): boolean => own.size > 0;
  const hasWords =
    pages.otherWay?.text !== undefined ||
    questions.some(
      ({ purpose, keptAs, reasons, otherWay: way }) => purpose ?? keptAs ?? reasons ?? way?.text,
    );
  if (hasWords && pages.locale === undefined) {
    // These words are in one language. A page in another one would ask for consent in two (WCAG 3.1.2).
    const languages = [english, ...others.filter(isOwn)] as const;
    return Object.freeze({ ...pages, languages, offered: languages });
  }
  const languages = [english, ...others] as const;
  const written = languages.filter(isOwn);
  const offered = written.length > 0 || pages.locale !== undefined ? written : languages;
  return Object.freeze({ ...pages, languages, offered });
}

export type PagesConfiguration = ReturnType<typeof resolvePages>;

/** Checks a text that may be one for both colour schemes. */
function schemes(test: (value: unknown) => boolean, why: string): v.Check<Schemes | undefined> {
  const one = v.satisfying<string>(test, why);
  const each = v.object({ light: one, dark: one });
  return v.optional((value, place) =>
    v.isPlainObject(value) ? each(value, place) : { light: one(value, place), dark: one(value, place) },
  );
}

function isColour(colour: unknown): boolean {
  return typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour);
}

/** Families whose words begin with a letter, or that are quoted: nothing that could end a declaration. */
function isFont(font: unknown): boolean {
  const word = '-?[A-Za-z][A-Za-z0-9-]*';
  const family = `(?:"[A-Za-z0-9 -]+"|'[A-Za-z0-9 -]+'|${word}(?: +${word})*)`;
  const isStack = typeof font === 'string' && font.length <= 200;
  return isStack && new RegExp(`^${family}(?:, *${family})*$`).test(font);
}

function isLogo(logo: unknown): boolean {
  if (typeof logo !== 'string' || logo.length > maxLogoBytes) return false;
  return /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(logo) || isAppPath(logo);
}

/** What of a question may have texts of its own. */
interface QuestionTexts {
  readonly name: string;
  readonly purpose?: string | undefined;
  readonly keptAs?: readonly string[] | undefined;
  readonly reasons?: Readonly<Record<string, string>> | undefined;
  readonly otherWay?: OtherWay | undefined;
}

/** The name of a question's text in `pages.texts`. */
export function ownTextKey(what: QuestionText | 'reasons', question: string): string {
  return question === 'default' ? what : `${what}.${question}`;
}

/** The link of a refusal's page: `[its words](its address)`. */
export function readLink(text: string | undefined): { label: string; url: string } | undefined {
  const [, label, url] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(text ?? '') ?? [];
  return label !== undefined && isAddress(url) ? { label, url: String(url) } : undefined;
}

const refusalKey = /^refused\.[a-z][a-z0-9_]{0,63}\.(?:title|text|link)$/;

/** English comes first. */
function resolveLanguages(
  option: unknown,
  questions: readonly QuestionTexts[],
): readonly [Language, ...Language[]] {
  const tags = Object.keys(Object(option) as object);
  if (!tags.every(isLanguage)) {
    throw configInvalid('Option pages.texts: each name must be a language such as en, de or pt-BR.');
  }
  const own = v.knownOptions(option, tags, 'pages.texts');
  const [, ...others] = Object.keys({ ...builtIn, ...own });
  const languageOf = (lang: string) => resolveLanguage(lang, own[lang], questions);
  return [languageOf('en'), ...others.map(languageOf)];
}

/** Only what Intl accepts, because it formats durations and countries. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

function resolveLanguage(lang: string, option: unknown = {}, questions: readonly QuestionTexts[]): Language {
  const path = `pages.texts.${lang}`;
  const ofQuestions = questions.flatMap(({ name, reasons = {} }) => [
    ...(['purpose', 'keptAs', 'notKept'] as const).map((what) => ownTextKey(what, name)),
    ...Object.keys(reasons).map((reason) => `${ownTextKey('reasons', name)}.${reason}`),
  ]);
  const refusals = Object.keys(Object(option) as object).filter((key) => refusalKey.test(key));
  const overrides = Object.entries(v.knownOptions(option, [...keys, ...ofQuestions, ...refusals], path))
    .filter(([, text]) => text !== undefined)
    .map(([key, text]) => [key, v.nonEmptyString(text, `Option ${path}.${key}`)] as const);
  for (const [key, text] of overrides) {
    if (refusalKey.test(key) && key.endsWith('.link') && readLink(text) === undefined) {
      throw configInvalid(`Option ${path}.${key}: must be a link such as [Other tools](/tools).`);
    }
  }
  const own = new Map<string, string>(overrides);
  const [language = ''] = lang.split('-', 1);
  const base = builtIn[lang] ?? builtIn[language]; // fr-CA has the texts of fr
  const missing = base === undefined ? keys.filter((key) => !own.has(key)) : [];
  return {
    lang,
    own,
    missing,
    async load() {
      const texts = await (base ?? builtIn.en)();
      return { lang, own, missing, texts: { ...texts, ...Object.fromEntries(own) } };
    },
  };
}
