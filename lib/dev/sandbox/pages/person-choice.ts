import type { PidAttributes } from '../../../types/attributes.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import type { Character, PersonName } from '../people/people.js';
import type { SandboxTexts } from './texts/languages.js';

/** Whose card is in the wallet. */
export interface Cards {
  readonly people: Readonly<Record<PersonName, Character>>;
  /** A name from the list; empty for a person from code. */
  readonly chosen: PersonName | '';
  readonly person: Readonly<PidAttributes>;
}

/** Part of the form whose button shares: the card that is chosen when it is pressed is the one that counts. */
export function personChoice({ people, chosen, person }: Cards, say: SandboxTexts): Html {
  const names = Object.keys(people) as PersonName[];
  return sandboxHtml`<div class="person">
    <label for="person">${say.whoseCard}</label>
    <select id="person" name="person" ${chosen !== '' && sandboxHtml`aria-describedby="reason"`}>
      ${chosen === '' ? sandboxHtml`<option value="">${person.given_name} ${person.family_name}, ${say.fromCode}</option>` : undefined}
      ${names.map((name) => option(name, people[name].person, say, name === chosen))}
    </select>
    ${chosen !== '' && sandboxHtml`<p id="reason" class="hint">${say.reasons[chosen]}</p>`}
    <button name="decision" value="person">${say.changeCard}</button>
  </div>`;
}

function option(
  name: PersonName,
  person: Readonly<PidAttributes>,
  say: SandboxTexts,
  selected: boolean,
): Html {
  const who = `${person.given_name} ${person.family_name}`.slice(0, 40);
  return selected // alone, because a closed list cuts what is long
    ? sandboxHtml`<option value="${name}" selected>${who}</option>`
    : sandboxHtml`<option value="${name}">${who}: ${say.reasons[name]}</option>`;
}
