import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createOpenBodies } from '../../lib/internal/open-bodies.js';
import { readForm } from '../../lib/http/body.js';
import { deep } from '../support/deep.js';

/** The form of a request whose bytes a parser has left. */
async function decode(body: Buffer | string): Promise<object> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return (await readForm({ headers, readableDidRead: true, body: bytes } as never, {} as never, {
    bytes: Infinity,
    open: createOpenBodies(),
  })) as object;
}

/** A generator whose numbers are the same at every run. */
function numbers(seed: number): (below: number) => number {
  let now = seed;
  return (below) => {
    now = (now * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((now / 2 ** 31) * below);
  };
}

describe('a form', () => {
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
  ])('%s', async (text, form) => {
    expect({ ...(await decode(text)) }).toEqual(form);
  });

  test('__proto__ is a name like any other, and sets no prototype', async () => {
    const form = await decode('__proto__=1&state=2');
    expect(Object.getPrototypeOf(form)).toBeNull();
    expect(Object.keys(form)).toEqual(['__proto__', 'state']);
  });

  test.each([
    ['a name repeated in another spelling', 'a=1&%61=2'],
    ['a repeated name without values', 'a&a'],
    ['two empty parameters', 'a=1&&&b=2'],
    ['a lone continuation byte', 'a=%80'],
    ['a cut sequence', 'a=%e2%82'],
    ['a code point past the last', 'a=%f4%90%80%80'],
  ])('%s is malformed', async (_name, text) => {
    await expect(decode(text)).rejects.toMatchObject({ code: 'callback_malformed', status: 400 });
  });

  deep.test('reads whatever an encoder writes', async () => {
    const next = numbers(7);
    const alphabet = Array.from('ab +&=%;?/#[]\\"\'<>\u0000\n~*é€😀\ufeff');
    for (let run = 0; run < 500; run += 1) {
      const texts = Array.from({ length: 16 }, () =>
        Array.from({ length: next(9) }, () => alphabet[next(alphabet.length)]).join(''),
      );
      const form = Object.fromEntries(texts.map((text, index) => [`${index}${text}`, text.repeat(2)]));
      expect({ ...(await decode(new URLSearchParams(form).toString())) }).toEqual(form);
    }
  });
});

describe('F54 the worst body', () => {
  const length = 256 * 1024;
  const filled = (unit: string): string => `a=${unit.repeat((length - 2) / unit.length)}`;
  afterEach(() => void jest.restoreAllMocks());

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
  ])('F54 of %s costs no call an escape: two for each parameter at most', async (_name, text) => {
    const bytes = Buffer.from(text);
    const calls = [
      jest.spyOn(globalThis, 'decodeURIComponent'),
      jest.spyOn(Number, 'parseInt'),
      jest.spyOn(String, 'fromCharCode'),
      jest.spyOn(Buffer, 'from'),
    ];
    await decode(bytes).catch(() => undefined); // a body that is refused must not cost more either
    const count = calls.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    expect(count).toBeLessThanOrEqual(32);
  });
});
