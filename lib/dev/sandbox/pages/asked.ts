import type { PidAttributeId, PidAttributes } from '../../../types/attributes.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { isAtLeast } from '../../../service/is-at-least.js';
import { attributeIds } from '../../../types/attributes.js';
import { agesAmong, derivedOf } from '../people/claims.js';
import type { JobRequest } from '../service/jobs.js';
import type { SandboxTexts } from './texts/languages.js';
import { countryName } from '../../../internal/display-names.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { perLanguage } from '../../../internal/per-language.js';

/** What is asked for, with what this person would share. */
export function askedList(
  { revealed, derived, wallet }: Pick<JobRequest, 'revealed' | 'derived' | 'wallet'>,
  person: Readonly<PidAttributes>,
  say: SandboxTexts,
): Html {
  const nationality = derived?.nationality;
  const answer = derivedOf(person, derived).nationality === '1' ? say.yes : say.no;
  return sandboxHtml`<dl class="list">
    ${revealed.map((id) => row(say.labels[id], written(id, person, say)))}
    ${agesAmong(wallet?.asked).map((years) =>
      row(say.ageOver(years), isAtLeast(person.birth_date, years) ? say.yes : say.no, say.derivedAnswer),
    )}
    ${
      nationality !== undefined &&
      row(say.derivedNationality(countryName(say.lang, nationality)), answer, say.derivedAnswer)
    }
  </dl>`;
}

/** What is on the card and nobody asks for. */
export function keptBack({ revealed }: Pick<ReceivedProveRequest, 'revealed'>, say: SandboxTexts): string {
  const kept = attributeIds.filter((id) => !revealed.includes(id));
  return inOneLine(
    kept.map((id) => say.labels[id]),
    say,
  );
}

/** Within a line a label begins with a capital where every noun does. */
export function inOneLine(labels: readonly string[], { lang }: Pick<SandboxTexts, 'lang'>): string {
  const small = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);
  return labels.map((label, at) => (at === 0 || lang === 'de' ? label : small(label))).join(', ');
}

export function row(label: string, value: Html | string, hint?: string): Html {
  return sandboxHtml`<div>
    <dt>${label}${hint === undefined ? undefined : sandboxHtml` <span class="hint">${hint}</span>`}</dt>
    <dd>${value}</dd>
  </div>`;
}

function written(id: PidAttributeId, person: Readonly<PidAttributes>, say: SandboxTexts): string {
  const value = id === 'birth_date' ? birthDate(person.birth_date, say) : person[id];
  return typeof value === 'string' ? value : value.join(', ');
}

const datesBy = (parts: Intl.DateTimeFormatOptions) =>
  perLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...parts }));

const year = datesBy({ year: 'numeric' });
const month = datesBy({ year: 'numeric', month: 'long' });
const day = datesBy({ year: 'numeric', month: 'long', day: 'numeric' });

/** As people read it, as far as it is known. */
function birthDate(iso: string, { dates }: SandboxTexts): string {
  const known = iso.replace(/(-00)+$/, '');
  const date = new Date(known);
  if (Number.isNaN(date.getTime())) return iso;
  const form = known.length > 7 ? day : known.length > 4 ? month : year;
  return form(dates).format(date);
}
