import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isAtLeast } from '../../lib/index.js';
import { nonceOf, receiptFor } from '../../lib/service/receipt.js';

describe('receipt', () => {
  const state = 'q0Vd3v7nF0gTnM8xJY1W2u5c6b7a8Z9y0X1w2V3u4T5';

  describe('receiptFor', () => {
    it('derives its id by HMAC-SHA-256 of the whole state under a label of its own', () => {
      const digest = createHmac('sha256', 'pidgate/2 receipt').update(state).digest();
      expect(receiptFor(state, 'p').id).toBe(digest.subarray(0, 16).toString('base64url'));
    });

    it('has one id for a flow, whatever the presentation, and another for each flow', () => {
      expect(receiptFor(state, 'p').id).toBe(receiptFor(state, 'q').id);
      expect(receiptFor(`${state.slice(0, -1)}4`, 'p').id).not.toBe(receiptFor(state, 'p').id);
    });

    it('names the presentation by its hash', () => {
      expect(receiptFor(state, 'abc').presentationSha256).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
    });
  });

  describe('nonceOf', () => {
    it('is SHA-256 in base64url', () => {
      expect(nonceOf('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
    });
  });
});

describe('is at least', () => {
  const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);

  describe('isAtLeast', () => {
    it.each([
      ['1964-08-12', 18, '2026-05-01', true],
      ['2008-05-01', 18, '2026-04-30', false],
      ['2008-05-01', 18, '2026-05-01', true],
      ['2008-05-01', 18, '2026-05-02', true],
      ['2008-05-01', 18, '2026-06-01', true],
      ['2008-05-01', 18, '2025-12-31', false],
      ['2008-05-01', 18, '2027-01-01', true],
      ['2008-12-31', 18, '2027-01-01', true],
      ['2008-12-31', 18, '2026-12-30', false],
      ['2008-05-01', 17, '2026-04-30', true],
      ['2008-05-01', 19, '2026-05-01', false],
      ['2025-05-01', 1, '2026-05-01', true],
      ['2025-05-02', 1, '2026-05-01', false],
      ['1930-01-01', 150, '2026-05-01', false],
      ['1930-01-01', 90, '2026-05-01', true],
    ])('born %s, %d on %s: %p', (born, years, day, expected) => {
      expect(isAtLeast(born, years, noon(day))).toBe(expected);
    });

    it.each([
      ['2025-02-28', false],
      ['2025-03-01', true],
      ['2024-02-28', false],
      ['2024-02-29', true],
    ])('born on 29 February, whole years on %s: %p', (day, expected) => {
      expect(isAtLeast('2004-02-29', Number(day.slice(0, 4)) - 2004, noon(day))).toBe(expected);
    });

    it('waits until the day has come everywhere on earth', () => {
      expect(isAtLeast('2008-05-01', 18, new Date('2026-04-30T10:00:00Z'))).toBe(false); // the day begins in UTC+14
      expect(isAtLeast('2008-05-01', 18, new Date('2026-05-01T00:00:00Z'))).toBe(false);
      expect(isAtLeast('2008-05-01', 18, new Date('2026-05-01T11:59:59.999Z'))).toBe(false);
      expect(isAtLeast('2008-05-01', 18, new Date('2026-05-01T12:00:00Z'))).toBe(true);
      expect(isAtLeast('2008-01-01', 18, new Date('2026-01-01T11:59:59.999Z'))).toBe(false);
    });

    it('does not depend on the time zone of the machine', () => {
      const before = process.env['TZ'];
      try {
        for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue', 'Europe/Berlin']) {
          process.env['TZ'] = zone;
          expect(isAtLeast('2008-05-01', 18, new Date('2026-05-01T11:59:59Z'))).toBe(false);
          expect(isAtLeast('2008-05-01', 18, new Date('2026-05-01T12:00:00Z'))).toBe(true);
        }
      } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      }
    });

    it('asks today’s date where none is given', () => {
      const year = new Date().getUTCFullYear();
      expect(isAtLeast(`${year - 20}-01-01`, 18)).toBe(true);
      expect(isAtLeast(`${year - 16}-01-01`, 18)).toBe(false);
    });

    const unsure = ['1964-00-00', '1964-08-00', '1964-00-12', '1964', '1964-08', '', 'unknown'];
    const noDays = ['1963-02-29', '1964-13-01', '12-08-1964', '1964-08-12T00:00:00Z'];
    const longAgo = ['0000-01-01', '0001-01-01', '1800-01-01', '1895-05-01'];
    const noText = [null, 19_640_812, ['1964-08-12'], new Date('1964-08-12')];
    const odd = { toString: () => '1964-08-12' };
    it.each([...unsure, ...noDays, ...longAgo, ...noText, odd])('is not certain of %p', (born) => {
      expect(isAtLeast(born as string, 18, noon('2026-05-01'))).toBe(false);
    });

    it('says that a birth date was not asked for, and takes nobody for a minor', () => {
      expect(() => isAtLeast(undefined, 18)).toThrow(
        expect.objectContaining({
          code: 'config_invalid',
          message:
            'isAtLeast: the birth date is undefined. Put birth_date into the reveal of this question, and read attributes.birth_date.',
        }),
      );
    });

    it.each([true, false])('says that an age is the answer already: %j', (answer) => {
      expect(() => isAtLeast(answer as never, 18)).toThrow(
        expect.objectContaining({
          code: 'config_invalid',
          message:
            'isAtLeast: true or false is no birth date. An attribute such as age_over_18 is the answer itself.',
        }),
      );
    });

    it.each<[unknown, string]>([
      [-1, '-1'],
      [0, '0'],
      [17.5, '17.5'],
      [151, '151'],
      [2008, '2008'],
      [Number.NaN, 'NaN'],
      [Infinity, 'Infinity'],
      ['18', "the string '18'"],
      ['', "the string ''"],
      ['Mustermann', 'a string'],
      [undefined, 'undefined'],
      [null, 'null'],
      [18n, 'bigint'],
      [[18], 'object'],
    ])('F126 refuses %p as an age, and takes nobody for a minor', (years, words) => {
      expect(() => isAtLeast('1964-08-12', years as number, noon('2026-05-01'))).toThrow(
        expect.objectContaining({
          code: 'config_invalid',
          message: `isAtLeast: the age must be a whole number of years, such as 18; it was ${words}.`,
        }),
      );
    });

    it('is not certain on a day that is no day', () => {
      expect(isAtLeast('1964-08-12', 18, new Date(Number.NaN))).toBe(false);
      expect(isAtLeast('1964-08-12', 18, new Date(-8.64e15))).toBe(false);
    });
  });
});
