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

/** Returns true for a day of the calendar. Of a day that its month does not have, `Date` makes one of the next month. */
export function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
