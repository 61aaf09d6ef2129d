import { describe, expect, it } from '@jest/globals';
import { fromIsoDate, toIsoDate, variants } from '../../../lib/service/prove/dates.js';

describe('toIsoDate', () => {
  it('reads each variant in its own form', () => {
    expect(toIsoDate('12-08-1964', 'base')).toBe('1964-08-12');
    expect(toIsoDate('1964-08-12', 'derived')).toBe('1964-08-12');
  });

  it('refuses the form of the other variant, never guesses', () => {
    expect(toIsoDate('1964-08-12', 'base')).toBeUndefined();
    expect(toIsoDate('12-08-1964', 'derived')).toBeUndefined();
  });

  it.each([
    ['1904-02-29', true],
    ['2000-02-29', true],
    ['2024-02-29', true],
    ['1900-02-29', false],
    ['2100-02-29', false],
    ['2023-02-29', false],
    ['2024-02-30', false],
    ['2024-01-31', true],
    ['2024-01-32', false],
    ['2024-04-30', true],
    ['2024-04-31', false],
    ['2024-06-31', false],
    ['2024-09-31', false],
    ['2024-11-31', false],
    ['2024-12-31', true],
    ['2024-00-10', false],
    ['2024-13-10', false],
    ['2024-10-00', false],
    ['1964-00-00', false],
  ])('%s is a day of the calendar: %p, in both forms', (date, isDay) => {
    expect(toIsoDate(date, 'derived')).toBe(isDay ? date : undefined);
    expect(toIsoDate(fromIsoDate(date, 'base'), 'base')).toBe(isDay ? date : undefined);
  });

  it.each([
    '',
    '1964',
    '1964-08',
    '1964-8-12',
    '64-08-12',
    '01964-08-12',
    '1964/08/12',
    '12.08.1964',
    '1964-08-12T00:00:00Z',
    ' 1964-08-12',
    '1964-08-12\n',
    '١٩٦٤-٠٨-١٢',
    '-964-08-12',
  ])('refuses %j', (value) => {
    expect(variants.map((variant) => toIsoDate(value, variant))).toEqual([undefined, undefined]);
  });
});

describe('fromIsoDate', () => {
  it('writes the form of the variant', () => {
    expect(fromIsoDate('1964-08-12', 'base')).toBe('12-08-1964');
    expect(fromIsoDate('1964-08-12', 'derived')).toBe('1964-08-12');
  });
});
