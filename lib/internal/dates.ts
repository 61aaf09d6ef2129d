import type { Variant } from '../types/attributes.js';

const forms: Record<Variant, RegExp> = {
  base: /^(?<day>\d{2})-(?<month>\d{2})-(?<year>\d{4})$/,
  derived: /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
};

/**
 * Returns a birth date as `YYYY-MM-DD`, or undefined if it is not a day of the calendar in the variant's own form.
 * The other variant's form is refused, never guessed.
 */
export function toIsoDate(value: string, variant: Variant): string | undefined {
  const { year, month, day } = forms[variant].exec(value)?.groups ?? {};
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  return isDay(date) ? date : undefined;
}

/** Returns true for a date in the variant's own form of which day or month is not known: `1951-00-00`. */
export function isIncompleteDate(value: string, variant: Variant): boolean {
  const { year, month, day } = forms[variant].exec(value)?.groups ?? {};
  if (month !== '00' && day !== '00') return false;
  return isDay([year, month === '00' ? '01' : month, day === '00' ? '01' : day].join('-'));
}

export const isDay = (date: string): boolean => utcSeconds(`${date}T00:00:00`) !== undefined;

/**
 * Returns the seconds since 1970 of a time in UTC such as `2026-08-12T12:00:00`, or undefined if calendar and clock have
 * no such time. Of a day that its month does not have, `Date` makes one of the next month.
 */
export function utcSeconds(text: string): number | undefined {
  const time = new Date(`${text}Z`);
  const isTime = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
  return isTime ? time.getTime() / 1000 : undefined;
}
