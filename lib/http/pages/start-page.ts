import { countryName } from '../../internal/display-names.js';
import type { ResolvedQuestion } from '../../options/questions.js';
import { type IdentityPage, ownTextKey } from '../../options/pages/page-options.js';
import { type AttributeId, type DerivedId, isPidAttributeId, yearsOf } from '../../types/attributes.js';
import {
  type PageContext,
  type PageParts,
  durationIn,
  fill,
  languageOfText,
  pageOf,
  say,
  sayOwn,
} from './page-model.js';

export interface StartPage {
  readonly question: ResolvedQuestion;
  /** Where the form is sent; if empty, to the page's own address. */
  readonly action: string;
  /** How long something stays in the session; absent if nothing does. */
  readonly keepFor: number | undefined;
  readonly sandbox: boolean;
  /** The name of one of the question's reasons. */
  readonly reason?: string | undefined;
  /** A guard asks because the result is too old for it. */
  readonly isStale?: boolean;
  /** Set if a start was refused: it came from elsewhere, or what says so was dropped on the way. */
  readonly refused?: 'foreign' | 'dropped' | undefined;
  readonly hints?: readonly string[];
}

/** Says what is requested, why, and what is kept, before anything happens. Opening it has no effect. */
export function startPage(site: PageContext, page: StartPage): IdentityPage {
  const { name, reveal, derived } = page.question;
  const { refused } = page;
  const isOfAge = (id: AttributeId): boolean => id === 'birth_date' || !isPidAttributeId(id);
  const isAge = reveal.every(isOfAge) && Object.keys(derived).length === 0;
  return pageOf(site, {
    name: 'start',
    status: refused === undefined ? 200 : 403,
    title: say(site, isAge ? 'start_title_age' : 'start_title'),
    lead: whyAsked(site, page),
    asked: askedOf(site, page.question),
    ...keptLists(site, page),
    form: { method: 'post', action: page.action, fields: {} },
    action: say(site, 'start_button'),
    more: [say(site, page.sandbox ? 'needs_in_test' : 'needs'), say(site, 'start_note')],
    home: 'cancel',
    otherWay: site.otherWayOf(name),
    notes: [
      ...(refused === undefined ? [] : [say(site, `start_${refused}`)]),
      ...(page.sandbox ? [say(site, 'sandbox')] : []),
    ],
    hints: page.hints,
  });
}

/** What a question asks for, in words. */
export function askedOf(
  site: PageContext,
  { reveal, derived, asksForAges }: Pick<ResolvedQuestion, 'reveal' | 'derived' | 'asksForAges'>,
): NonNullable<PageParts['asked']> {
  const asked = Object.entries(derived) as [DerivedId, string][];
  return {
    title: say(site, 'start_asked'),
    items: [
      ...reveal.flatMap((id) => {
        if (isPidAttributeId(id)) return { label: say(site, id) };
        // Where the date of birth is asked for anyway, it is on the list, and nothing else is shown.
        if (reveal.includes('birth_date')) return [];
        const years = { years: `${yearsOf(id)}` };
        const hint = asksForAges ? 'age_over_or_date' : 'age_over_by_date';
        return { label: say(site, 'age_over', years), hint: say(site, hint, years) };
      }),
      ...asked.map(([id, value]) => ({
        label: say(site, `derived_${id}`, {
          country: countryName(languageOfText(site, `derived_${id}`), value),
        }),
        hint: say(site, 'derived_answer'),
      })),
    ],
  };
}

/** The reason of the page that asks, or what the question is for, and whether the last result is too old. */
export function whyAsked(
  site: PageContext,
  { question, reason, isStale }: Pick<StartPage, 'question' | 'reason' | 'isStale'>,
): string {
  const { name, purpose, reasons } = question;
  if (reason !== undefined) {
    const why = sayOwn(site, `${ownTextKey('reasons', name)}.${reason}`) ?? reasons?.[reason];
    if (why !== undefined) return fill(site, why);
  }
  const own = sayOwn(site, ownTextKey('purpose', name)) ?? purpose;
  const why = own === undefined ? say(site, 'start_purpose') : fill(site, own);
  return isStale ? `${why} ${say(site, 'start_renew')}` : why;
}

/** What the app says that it stores, and does not; without its word, what is true of every app. */
function keptLists(site: PageContext, { question, keepFor }: StartPage): Pick<PageParts, 'kept' | 'notKept'> {
  const linesOf = (key: 'keptAs' | 'notKept'): readonly string[] | undefined =>
    sayOwn(site, ownTextKey(key, question.name))?.split('\n');
  const items = linesOf('keptAs') ?? question.keptAs?.map((text) => fill(site, text));
  const key = items ? 'kept_title_for' : 'kept';
  const duration = keepFor === undefined ? '' : durationIn(languageOfText(site, key), keepFor);
  const notKept = linesOf('notKept');
  return {
    kept:
      keepFor === undefined
        ? items && { title: say(site, 'kept_title'), items }
        : items
          ? { title: say(site, 'kept_title_for', { duration }), items: [...items, say(site, 'kept_receipt')] }
          : { title: say(site, 'kept_title'), text: say(site, 'kept', { duration }) },
    notKept: notKept && { title: say(site, 'not_kept_title'), items: notKept },
  };
}
