import type { PidAttributes } from '../../../types/attributes.js';

/** One of the made-up people, with the reason to try an app with them. */
export interface Character {
  readonly reason: string;
  readonly person: Readonly<PidAttributes>;
}

/** Who may be at the wallet: docs/sandbox.md has the list. */
export type PersonName = keyof ReturnType<typeof peopleOn>;

/** The people as they are on a day: one of them comes of age on the next. */
export function peopleOn(today: Date) {
  return {
    erika: {
      reason: 'The person on every German specimen card',
      person: person('Erika', 'Mustermann', '1964-08-12', ['DE']),
    },
    minor: {
      reason: '17, turns 18 tomorrow',
      person: person('Leon', 'Mustermann', comesOfAgeAfter(today), ['DE']),
    },
    french: {
      reason: 'Is only French',
      person: person('Jean', 'Dupont', '1980-05-23', ['FR']),
    },
    dual: {
      reason: 'Has two nationalities',
      person: person('Lena', 'Mustermann', '1992-11-03', ['DE', 'FR']),
    },
    stateless: {
      reason: 'Has no nationality, which has the code QS',
      person: person('Samira', 'Mustermann', '1988-01-30', ['QS']),
    },
    one_name: {
      reason: 'Has only one name; the other is a dash',
      person: person('-', 'Mustermann', '1975-07-19', ['ID']),
    },
    umlauts: {
      reason: 'Has ß and umlauts, which become ẞ, Ä, Ö and Ü in capitals',
      person: person('Änne Jörg', 'Größmann-Übelacker', '1969-03-27', ['DE']),
    },
    greek: {
      reason: 'Writes the name in a different script',
      person: person('Ελένη', 'Παπαδοπούλου', '1995-12-06', ['GR']),
    },
    leap_day: {
      reason: 'Was born on 29 February',
      person: person('Max', 'Mustermann', '2008-02-29', ['DE']),
    },
    long_names: {
      reason: 'Has names of 150 characters, the maximum',
      person: person(longName('Maximiliane'), longName('Mustermann'), '1958-10-01', ['DE']),
    },
    unknown_day: {
      reason: 'Knows only the year of birth',
      person: person('Karl', 'Mustermann', '1951-00-00', ['DE']),
    },
  } as const satisfies Readonly<Record<string, Character>>;
}

/** The name of a person of the list; empty for one from code. */
export function nameOfPerson(whose: Readonly<PidAttributes>, today: Date): PersonName | '' {
  const people = peopleOn(today);
  const names = Object.keys(people) as PersonName[];
  return names.find((name) => JSON.stringify(people[name].person) === JSON.stringify(whose)) ?? '';
}

function person(
  given_name: string,
  family_name: string,
  birth_date: string,
  nationality: string[],
): Readonly<PidAttributes> {
  return { given_name, family_name, birth_date, nationality };
}

/** The birthday of somebody who is 18 tomorrow; where that year has no 29 February, 1 March. */
function comesOfAgeAfter(today: Date): string {
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const tomorrow = new Date(Date.UTC(year, month, day + 1));
  const born = Date.UTC(tomorrow.getUTCFullYear() - 18, tomorrow.getUTCMonth(), tomorrow.getUTCDate());
  return new Date(born).toISOString().slice(0, 10);
}

function longName(name: string): string {
  return `${name} `.repeat(20).slice(0, 149).trimEnd().padEnd(150, 'n');
}
