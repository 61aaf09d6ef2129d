import { describe, expect, test } from '@jest/globals';
import { codeOf, systemCodeOf } from '../../lib/internal/system-code.js';

const coded = (code: unknown, more: object = {}): Error =>
  Object.assign(new Error('SECRET'), { code, ...more });
const hostile = {
  get code(): string {
    throw new Error('SECRET');
  },
};

describe('the code of what was thrown', () => {
  test.each([
    [coded('ECONNREFUSED'), 'ECONNREFUSED'],
    [coded('42P01'), '42P01'],
    [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'ENOTFOUND'],
    [
      new TypeError('fetch failed', { cause: coded(undefined, { errors: [coded('ECONNRESET')] }) }),
      'ECONNRESET',
    ],
    [coded('Erika Mustermann'), undefined],
    [coded(20), undefined],
    ['ECONNREFUSED', undefined],
    [undefined, undefined],
    [null, undefined],
    [hostile, undefined],
  ])('%#', (thrown, code) => {
    expect(codeOf(thrown)).toBe(code);
  });

  test('of an app it is a code of the system, or none', () => {
    expect(systemCodeOf(coded('ERIKA', { cause: coded('EPIPE') }))).toBe('EPIPE');
    expect(systemCodeOf(coded('ERIKA'))).toBeUndefined();
  });
});
