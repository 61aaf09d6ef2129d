import type { RequestConfiguration } from '../../options/named-requests.js';
import type { IdentityPage } from '../../options/pages/options.js';
import type { DerivedId } from '../../types/attributes.js';
import { inWholeUnits } from '../../internal/timeouts.js';
import { forDeveloper } from './error-page.js';
import { type PageContext, fill, pageOf, say } from './page-model.js';

export interface StartPage {
  readonly request: RequestConfiguration;
  /** Where the form is sent; where it is empty, to the page's own address. */
  readonly action: string;
  /** How long something stays in the session; absent where nothing does. */
  readonly keepFor: number | undefined;
  readonly sandbox: boolean;
  /** Set where a start was refused because it did not come from a page of this app. */
  readonly refused?: boolean;
  readonly hints?: readonly string[];
}

/** Tells what is asked, why, and what is kept, before anything happens. Opening it has no effect. */
export function startPage(
  site: PageContext,
  { request, keepFor, refused = false, ...page }: StartPage,
): IdentityPage {
  const { name, reveal, derived, purpose, keep } = request;
  const asked = Object.entries(derived) as [DerivedId, string][];
  const lead = site.purposes.get(name) ?? purpose;
  return pageOf(site, {
    name: 'start',
    status: refused ? 403 : 200,
    title: 'start_title',
    lead: lead === undefined ? say(site, 'start_purpose') : fill(site, lead),
    asked: {
      title: say(site, 'start_asked'),
      items: [
        ...reveal.map((id) => ({ label: say(site, id) })),
        ...asked.map(([id, value]) => ({
          label: say(site, `derived_${id}`, { country: countryIn(site.lang, value) }),
          hint: say(site, 'derived_answer'),
        })),
      ],
    },
    ...(keepFor !== undefined && {
      kept: {
        title: say(site, 'kept_title'),
        text: say(site, keep === undefined ? 'kept_nothing' : 'kept', {
          duration: durationIn(site.lang, keepFor),
        }),
      },
    }),
    form: { method: 'post', action: page.action, fields: {} },
    action: 'start_button',
    more: [say(site, 'start_note')],
    home: 'cancel',
    notes: [
      ...(refused ? [say(site, 'start_foreign')] : []),
      ...(page.sandbox ? [say(site, 'sandbox')] : []),
      ...forDeveloper(page.hints),
    ],
  });
}

function countryIn(lang: string, code: string): string {
  return new Intl.DisplayNames(lang, { type: 'region' }).of(code) ?? code;
}

function durationIn(lang: string, ms: number): string {
  const { amount, unit } = inWholeUnits(ms);
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}
