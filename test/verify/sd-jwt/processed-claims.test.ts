import { describe, expect, test } from '@jest/globals';
import {
  bind,
  digestOf,
  disclose,
  encode,
  erika,
  iss,
  mint,
  nowSeconds,
  vct,
  walletKeys,
} from '../../support/verify/issuer.js';
import { checkOf, verify } from '../../support/verify/verdicts.js';

describe('S18 Disclosures inside Disclosures', () => {
  test('S18 members in a disclosed object, elements in a disclosed array, arrays in arrays', async () => {
    const street = disclose('street_address', 'Heidestraße 17');
    const country = disclose('country', 'DE');
    const german = disclose('DE');
    const cell = disclose('c');
    const row = disclose(['b', { '...': digestOf(cell) }]);
    const token = mint({
      sd: {
        address: { locality: 'Köln', _sd: [digestOf(street), digestOf(country)] },
        nationalities: [{ '...': digestOf(german) }],
        rows: [['a'], { '...': digestOf(row) }],
      },
      more: [street, country, german, cell, row],
    });
    expect((await verify(token)).claims).toMatchObject({
      address: { locality: 'Köln', street_address: 'Heidestraße 17', country: 'DE' },
      nationalities: ['DE'],
      rows: [['a'], ['b', 'c']],
    });
  });
});

test('S19 a digest without a Disclosure is passed over in objects and its element removed from arrays', async () => {
  const kept = disclose('b');
  const list = [{ '...': digestOf('x') }, 'a', { '...': digestOf(kept) }, { '...': digestOf('y') }];
  const token = mint({ payload: { list, other: { _sd: [digestOf('z')] } }, more: [kept] });
  expect((await verify(token)).claims).toMatchObject({ list: ['a', 'b'], other: {} });
});

test('S19 a key binding can be made for fewer Disclosures than were issued', async () => {
  const [issuer, , second] = mint({ binding: 'absent' }).split('~');
  const presented = `${issuer}~${second}~`;
  const { claims } = await verify(presented + bind(presented));
  expect(claims['given_name']).toBe('Erika');
  expect(claims).not.toHaveProperty('family_name');
});

describe('S20 nothing of the machinery is left', () => {
  test('S20 the whole of what comes out', async () => {
    const token = mint({
      payload: { _sd_alg: 'sha-256', emptied: { _sd: [] }, list: [{ '...': digestOf('x') }] },
    });
    const { claims } = await verify(token);
    expect({ ...claims }).toEqual({
      iss,
      vct,
      iat: nowSeconds - 60,
      exp: nowSeconds + 3600,
      cnf: { jwk: walletKeys.jwk },
      emptied: {},
      list: [],
      ...erika,
    });
    expect(JSON.stringify(claims)).not.toMatch(/_sd|\.\.\./);
  });
});

describe('S22 names that mean something in JavaScript', () => {
  test('S22 they become own data of objects without a prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const texts = names.map((name) => disclose(name, { polluted: name }));
    const _sd = texts.map((text) => digestOf(text));
    const { claims } = await verify(mint({ sd: {}, payload: { _sd, child: { _sd: [] } }, more: texts }));
    for (const name of names) {
      expect(Object.getOwnPropertyDescriptor(claims, name)?.value).toEqual({ polluted: name });
    }
    expect(Object.getPrototypeOf(claims)).toBeNull();
    expect(Object.getPrototypeOf(claims['child'])).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('S22 in the payload too, and a Disclosure of that name meets them', async () => {
    const plain = (good: unknown) => `${JSON.stringify(good).slice(0, -1)},"__proto__":{"admin":true}}`;
    const { claims } = await verify(mint({ payload: plain }));
    expect(Object.keys(claims)).toContain('__proto__');
    expect(claims['admin']).toBeUndefined();
    const text = encode('["salt","__proto__",1]');
    const token = mint({
      sd: {},
      payload: (good) => plain({ ...good, _sd: [digestOf(text)] }),
      more: [text],
    });
    expect(await checkOf(token)).toBe('S09');
  });
});

describe('S24 values survive', () => {
  test('S24 null, false, 0, empty texts, arrays and objects', async () => {
    const values = { nothing: null, no: false, zero: 0, text: '', list: [], object: {} };
    expect((await verify(mint({ sd: values }))).claims).toMatchObject(values);
    expect((await verify(mint({ payload: values }))).claims).toMatchObject(values);
  });

  test.each(['9007199254740993', '-9007199254740993', '1e999', '-1e999', '1e300'])(
    'S24 the number %s is refused, not rounded',
    async (number) => {
      const member = (good: unknown) => `${JSON.stringify(good).slice(0, -1)},"a":[${number}]}`;
      expect(await checkOf(mint({ payload: member }))).toBe('S24');
      const text = encode(`["salt","a",{"b":${number}}]`);
      expect(await checkOf(mint({ sd: {}, payload: { _sd: [digestOf(text)] }, more: [text] }))).toBe('S24');
    },
  );

  test('S24 the largest exact integer passes', async () => {
    const token = mint({ sd: { large: Number.MAX_SAFE_INTEGER, small: Number.MIN_SAFE_INTEGER, part: 0.5 } });
    expect(await checkOf(token)).toBe('accepted');
  });
});
