import type { Variant } from '../../types/attributes.js';

export const variants = ['base', 'derived'] as const satisfies readonly Variant[];

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
  const inMonth = daysIn(Number(year), Number(month));
  return Number(day) >= 1 && Number(day) <= inMonth ? `${year}-${month}-${day}` : undefined;
}

/** Returns a date of the kit (`YYYY-MM-DD`) in the form of the variant's presentations. */
export function fromIsoDate(date: string, variant: Variant): string {
  return variant === 'derived' ? date : date.split('-').toReversed().join('-');
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
