import type { Response } from 'express';
import type { AppRequest } from '../any-request.js';
import type { TextKey, Texts } from './en.js';

/** A text of the kit's pages, or what a request is for: `purpose` for the default one, `purpose.age` for `age`. */
export type PageTextKey = TextKey | 'purpose' | `purpose.${string}`;

/** Texts of one language. */
export type PageTexts = Readonly<Partial<Record<PageTextKey, string>>>;

/** The option `pages`: whose pages these are. */
export interface PagesOptions {
  /** The name of the site; default is its host. */
  readonly name?: string | undefined;
  /** A path of the app, or a `data:` URL of a PNG, JPEG or WebP picture. */
  readonly logo?: string | undefined;
  /** The colour of buttons, as `#rrggbb`. */
  readonly accent?: string | undefined;
  /** An https address or a path of the app; without it there is no link. */
  readonly privacyUrl?: string | undefined;
  /** An https address or a path of the app, where Cancel leads; default `/`. */
  readonly homeUrl?: string | undefined;
  /** Returns the language of a request's pages; default is what the browser asks for. */
  readonly locale?: ((req: AppRequest) => string) | undefined;
  /** By language, and then by key. `en` and `de` are built in; another language needs every text of `en`. */
  readonly texts?: Readonly<Record<string, PageTexts>> | undefined;
  /** Returns the HTML of a page, in place of the kit's own. */
  readonly render?:
    | ((
        page: IdentityPage,
        its: { readonly req: AppRequest; readonly res: Response },
      ) => string | Promise<string>)
    | undefined;
}

/**
 * What a page says, as unescaped data: `render` must escape every value. Addresses may contain a `returnTo` that anyone
 * can have sent: a path of the app, with its quotation marks percent-encoded.
 */
export interface IdentityPage {
  readonly name: 'start' | 'error' | 'start_again' | 'try_again' | 'hop';
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
    /** What will be asked for, on the start page. */
    readonly asked?: {
      readonly title: string;
      readonly items: readonly { readonly label: string; readonly hint?: string }[];
    };
    /** What stays in the session, on the start page. */
    readonly kept?: { readonly title: string; readonly text: string };
    /** Marks a test, or tells the developer something. */
    readonly notes: readonly string[];
    /** The label of the form's button, or of `links.action`. */
    readonly action?: string;
    /** The label of `links.home`: Cancel, or back to the site. */
    readonly home: string;
    /** The label of `links.privacy`. */
    readonly privacy?: string;
    /** What to tell a support line. */
    readonly support?: string;
  };
  /** An action that is no link. An empty address is the page's own. */
  readonly form?: {
    readonly method: 'post';
    readonly action: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly links: { readonly action?: string; readonly home: string; readonly privacy?: string };
}

/** The option `pages`, checked. */
export interface PagesConfiguration extends Readonly<
  Pick<PagesOptions, 'name' | 'logo' | 'accent' | 'privacyUrl'>
> {
  readonly homeUrl: string;
  readonly locale: ((req: AppRequest) => unknown) | undefined;
  readonly render: NonNullable<PagesOptions['render']> | undefined;
  /** English first. */
  readonly languages: readonly [Language, ...Language[]];
}

/** All texts of one language. */
export interface Language {
  /** A language tag, for `lang` and Intl. */
  readonly lang: string;
  readonly texts: Texts;
  /** By request. */
  readonly purposes: ReadonlyMap<string, string>;
}
