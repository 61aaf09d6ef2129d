import { describe, expect, it } from '@jest/globals';
import { fromIsoDate } from '../../lib/dev/sandbox/people/claims.js';
import { toIsoDate } from '../../lib/internal/dates.js';
import { variants } from '../../lib/types/attributes.js';

describe('toIsoDate', () => {
  it('reads each variant in its own form', () => {
    expect(toIsoDate('12-08-1964', 'base')).toBe('1964-08-12');
    expect(toIsoDate('1964-08-12', 'derived')).toBe('1964-08-12');
  });

  it('refuses the form of the other variant, never guesses', () => {
    expect(toIsoDate('1964-08-12', 'base')).toBeUndefined();
    expect(toIsoDate('12-08-1964', 'derived')).toBeUndefined();
  });

  const days = '1904-02-29 2000-02-29 2024-02-29 2024-01-31 2024-04-30 2024-12-31'.split(' ');
  const noDays = [
    ...'1900-02-29 2100-02-29 2023-02-29 2024-02-30 2024-01-32 2024-04-31 2024-06-31 2024-09-31'.split(' '),
    ...'2024-11-31 2024-00-10 2024-13-10 2024-10-00 1964-00-00'.split(' '),
  ];
  it.each([...days, ...noDays])('%s is a day of the calendar or not, in both forms', (date) => {
    const expected = days.includes(date) ? date : undefined;
    expect(toIsoDate(date, 'derived')).toBe(expected);
    expect(toIsoDate(fromIsoDate(date, 'base'), 'base')).toBe(expected);
  });

  const forms =
    '1964 1964-08 1964-8-12 64-08-12 01964-08-12 1964/08/12 12.08.1964 1964-08-12T00:00:00Z -964-08-12';
  it.each([...forms.split(' '), '', ' 1964-08-12', '1964-08-12\n', '١٩٦٤-٠٨-١٢'])('refuses %j', (value) => {
    expect(variants.map((variant) => toIsoDate(value, variant))).toEqual([undefined, undefined]);
  });
});

describe('fromIsoDate', () => {
  it('writes the form of the variant', () => {
    expect(fromIsoDate('1964-08-12', 'base')).toBe('12-08-1964');
    expect(fromIsoDate('1964-08-12', 'derived')).toBe('1964-08-12');
  });
});
