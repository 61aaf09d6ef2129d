import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { decodeForm } from '../../lib/internal/decode-form.js';

const decode = (text: string): Record<string, string> => ({ ...decodeForm(Buffer.from(text)) });

/** A generator whose numbers are the same at every run. */
function numbers(seed: number): (below: number) => number {
  let now = seed;
  return (below) => {
    now = (now * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((now / 2 ** 31) * below);
  };
}

describe('decodeForm', () => {
  test.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['a=1=2', { a: '1=2' }],
    ['a+b=c+d', { 'a b': 'c d' }],
    ['a=%2B%26%3D%25', { a: '+&=%' }],
    ['%61=%C3%A4%e2%82%ac', { a: 'ä€' }],
    ['a=ä€😀', { a: 'ä€😀' }],
    ['a=%EF%BB%BFb', { a: '\ufeffb' }],
    ['toString=1&constructor=2', { toString: '1', constructor: '2' }],
  ])('%s', (text, form) => {
    expect(decode(text)).toEqual(form);
  });

  test('__proto__ is a name like any other, and sets no prototype', () => {
    const form = decodeForm(Buffer.from('__proto__=1&state=2'));
    expect(Object.getPrototypeOf(form)).toBeNull();
    expect(Object.keys(form)).toEqual(['__proto__', 'state']);
  });

  test.each([
    ['a repeated name', 'a=1&a=2'],
    ['a name repeated in another spelling', 'a=1&%61=2'],
    ['a repeated name without values', 'a&a'],
    ['two empty parameters', 'a=1&&&b=2'],
    ['a broken escape', 'a=%4'],
    ['a broken escape in a name', '%g=1'],
    ['a lone continuation byte', 'a=%80'],
    ['an overlong slash', 'a=%c0%af'],
    ['a surrogate', 'a=%ed%a0%80'],
    ['a cut sequence', 'a=%e2%82'],
    ['a code point past the last', 'a=%f4%90%80%80'],
    ['seventeen parameters', Array.from({ length: 17 }, (_, index) => `a${index}`).join('&')],
  ])('%s is malformed', (_name, text) => {
    expect(() => decode(text)).toThrow(expect.objectContaining({ code: 'callback_malformed', status: 400 }));
  });

  test('bytes that are not UTF-8 are malformed', () => {
    const bytes = Buffer.from([0x61, 0x3d, 0xc3, 0x28]);
    expect(() => decodeForm(bytes)).toThrow(expect.objectContaining({ code: 'callback_malformed' }));
  });

  test('reads whatever an encoder writes', () => {
    const next = numbers(7);
    const alphabet = Array.from('ab +&=%;?/#[]\\"\'<>\u0000\n~*é€😀\ufeff');
    for (let run = 0; run < 500; run += 1) {
      const texts = Array.from({ length: 16 }, () =>
        Array.from({ length: next(9) }, () => alphabet[next(alphabet.length)]).join(''),
      );
      const form = Object.fromEntries(texts.map((text, index) => [`${index}${text}`, text.repeat(2)]));
      expect(decode(new URLSearchParams(form).toString())).toEqual(form);
    }
  });
});

describe('F54 the worst body', () => {
  const length = 256 * 1024;
  const filled = (unit: string): string => `a=${unit.repeat((length - 2) / unit.length)}`;
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    ['escapes', filled('%41')],
    ['long escapes', filled('%F0%9F%99%82')],
    ['escapes that are not UTF-8', filled('%ff')],
    ['an escape that breaks off in the end', `${filled('%41').slice(0, -2)}%4`],
    ['pluses', filled('+')],
    ['pluses and escapes', filled('+%41')],
    ['percent signs', filled('%')],
    ['ampersands', '&'.repeat(length)],
    ['equals signs', '='.repeat(length)],
    ['sixteen parameters', Array.from({ length: 16 }, (_, at) => `${at}=${'%41'.repeat(5_000)}`).join('&')],
  ])('F54 of %s costs no call an escape: two for each parameter at most', (_name, text) => {
    const bytes = Buffer.from(text);
    const calls = [
      jest.spyOn(globalThis, 'decodeURIComponent'),
      jest.spyOn(Number, 'parseInt'),
      jest.spyOn(String, 'fromCharCode'),
      jest.spyOn(Buffer, 'from'),
    ];
    try {
      decodeForm(bytes);
    } catch {
      // a body that is refused must not cost more either
    }
    const count = calls.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    expect(count).toBeLessThanOrEqual(32);
  });
});
