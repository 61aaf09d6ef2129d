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

/** A form of its own: each button shows the page again with that person's data, and only that page can share them. */
export function personChoice({ people, chosen, person }: Cards, say: SandboxTexts): Html {
  const names = Object.keys(people) as PersonName[];
  const others = names.filter((name) => !(name in say.mainPeople));
  const isOther = chosen !== '' && others.includes(chosen);
  const button = (name: PersonName, label: string): Html =>
    sandboxHtml`<button name="person" value="${name}" ${name === chosen && sandboxHtml`aria-current="true"`}>${label}</button>`;
  return sandboxHtml`<form method="post" class="person">
    <input type="hidden" name="decision" value="person" />
    <p>${say.whoseCard} <strong>${nameOn(person)}</strong>${chosen === '' && `, ${say.fromCode}`}</p>
    ${chosen !== '' && sandboxHtml`<p class="hint">${say.reasons[chosen]}</p>`}
    <p class="people">${Object.entries(say.mainPeople).map(([name, label]) => button(name as PersonName, label))}</p>
    <details class="inline" ${isOther && sandboxHtml`open`}>
      <summary>${say.morePeople}</summary>
      <ul class="plain scenarios">
        ${others.map((name) => sandboxHtml`<li><span>${say.reasons[name]}</span> ${button(name, nameOn(people[name].person))}</li>`)}
      </ul>
    </details>
  </form>`;
}

/** In a form that shares: what it shows is what is shared, whatever was chosen elsewhere since. */
export function shownPerson({ chosen }: Pick<Cards, 'chosen'>): Html {
  return sandboxHtml`<input type="hidden" name="person" value="${chosen}" />`;
}

const nameOn = ({ given_name, family_name }: Readonly<PidAttributes>): string =>
  `${given_name} ${family_name}`.slice(0, 40).trimEnd();
