import { configInvalid } from '../errors.js';
import { toIsoDate } from '../internal/dates.js';

/** A date further back means "unknown" (0001-01-01, 1800-01-01). */
const maxLifeYears = 130;

/**
 * Returns true if someone born on that day (`YYYY-MM-DD`) has certainly reached the age. Returns false for everything
 * that is not certain: a partly unknown date (`1964-00-00`), or a date more than 130 years back. Throws where a false
 * would make everybody a minor: for `undefined`, because then the question did not ask for `birth_date`, and for years
 * that are not a whole number from 1 to 150, such as a text from the environment.
 *
 * A birthday counts once it has come in every time zone of the earth (UTC-12 is the last), so true is never early. For
 * the calendar of one place, give `on` as noon UTC of the day there. Someone born on 29 February reaches an age on
 * 1 March in a year without that day.
 *
 * @example
 * ```ts
 * import { isAtLeast } from 'pidgate'
 *
 * console.log(isAtLeast('1964-08-12', 18)) // true
 * console.log(isAtLeast('2008-05-01', 18, new Date('2026-05-01T12:00:00Z'))) // true: the day, wherever it is
 * console.log(isAtLeast('2008-05-01', 18, new Date('2026-05-01T11:59:59Z'))) // false: still 30 April somewhere
 * console.log(isAtLeast('1964-00-00', 18)) // false: the day is not known
 * ```
 *
 * To learn an age and nothing else, ask for it: `reveal: ['age_over_18']`.
 */
export function isAtLeast(birthDate: string | null | undefined, years: number, on = new Date()): boolean {
  if (birthDate === undefined) {
    throw configInvalid(
      'isAtLeast: the birth date is undefined. Put birth_date into the reveal of this question, and read attributes.birth_date.',
    );
  }
  if (typeof birthDate === 'boolean') {
    throw configInvalid(
      'isAtLeast: true or false is no birth date. An attribute such as age_over_18 is the answer itself.',
    );
  }
  if (/^\d{4}-/.test(`${years}`)) {
    throw configInvalid('isAtLeast: the birth date comes first: isAtLeast(attributes.birth_date, 18).');
  }
  if (!(Number.isInteger(years) && years >= 1 && years <= 150)) {
    throw configInvalid(
      `isAtLeast: the age must be a whole number of years, such as 18; it was ${wordsFor(years)}.`,
    );
  }
  const age = typeof birthDate === 'string' ? ageIn(birthDate, on, lastZone) : undefined;
  return age !== undefined && age >= years;
}

/** Returns true if someone born on that day has certainly not reached the age, in any time zone of the earth. */
export function isCertainlyYounger(birthDate: string, years: number, on: Date): boolean {
  const age = ageIn(birthDate, on, firstZone);
  return age !== undefined && age < years;
}

/** Hours from UTC: in the first zone a day begins first, and in the last zone it begins last. */
const firstZone = 14;
const lastZone = -12;

/** The age on the day that it is in a time zone; undefined if the date does not say it. */
function ageIn(birthDate: string, on: Date, zone: number): number | undefined {
  const born = toIsoDate(birthDate, 'derived');
  if (born === undefined) return undefined;
  const today = new Date(on.getTime() + zone * 60 * 60 * 1000);
  const monthAndDay = (today.getUTCMonth() + 1) * 100 + today.getUTCDate();
  const isBeforeBirthday = monthAndDay < Number(born.slice(5).replace('-', ''));
  const age = today.getUTCFullYear() - Number(born.slice(0, 4)) - (isBeforeBirthday ? 1 : 0);
  return age <= maxLifeYears ? age : undefined;
}

/** A longer text may be anybody's. */
function wordsFor(years: unknown): string {
  if (typeof years === 'string') return years.length <= 3 ? `the string '${years}'` : 'a string';
  return typeof years === 'number' || years === undefined || years === null ? `${years}` : typeof years;
}
