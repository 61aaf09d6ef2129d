import type { IdentityPage, Language } from '../../options/pages/options.js';
import type { TextKey } from '../../options/pages/en.js';

/** Whose page it is, and in which language: what every page of one request shares. */
export interface PageContext extends Language {
  readonly name: string;
  readonly lang: string;
  readonly logo: string | undefined;
  readonly home: string;
  readonly privacy: string | undefined;
}

/** A text with its placeholders filled; nothing is escaped yet. */
export function say(site: PageContext, key: TextKey, values: Readonly<Record<string, string>> = {}): string {
  return fill(site, site.texts[key], values);
}

export function fill(site: PageContext, text: string, values: Readonly<Record<string, string>> = {}): string {
  const all: Readonly<Record<string, string>> = { ...values, name: site.name };
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(all, name) ? (all[name] ?? whole) : whole,
  );
}

/** What a page is made of beside what is the same on all of them. */
interface PageParts extends Pick<IdentityPage, 'name' | 'status' | 'code' | 'form'> {
  readonly title: TextKey;
  readonly lead: string;
  readonly more?: readonly string[];
  readonly asked?: IdentityPage['texts']['asked'];
  readonly kept?: IdentityPage['texts']['kept'];
  readonly notes?: readonly string[];
  /** The label of the form's button or of the link. */
  readonly action?: TextKey;
  readonly link?: string | undefined;
  readonly home: 'cancel' | 'home';
}

export function pageOf(site: PageContext, parts: PageParts): IdentityPage {
  const {
    name,
    status,
    code,
    form,
    title,
    lead,
    asked,
    kept,
    more = [],
    notes = [],
    action,
    link,
    home,
  } = parts;
  const acts = action !== undefined && (form !== undefined || link !== undefined);
  return {
    name,
    status,
    ...(code !== undefined && { code }),
    lang: site.lang,
    texts: {
      site: site.name,
      title: say(site, title),
      lead,
      more,
      ...(asked !== undefined && { asked }),
      ...(kept !== undefined && { kept }),
      notes,
      ...(acts && { action: say(site, action) }),
      home: say(site, home),
      ...(site.privacy !== undefined && { privacy: say(site, 'privacy') }),
      ...(code !== undefined && { support: say(site, 'support', { code }) }),
    },
    ...(form !== undefined && { form: { ...form, action: quotable(form.action) } }),
    links: {
      ...(acts && link !== undefined && { action: quotable(link) }),
      home: quotable(site.home),
      ...(site.privacy !== undefined && { privacy: quotable(site.privacy) }),
    },
  };
}

/** URLs may hold an apostrophe, which ends an attribute of a template that escapes only double quotes. */
function quotable(address: string): string {
  return address.replaceAll("'", '%27');
}
