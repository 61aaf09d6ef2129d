import { describe, expect, test } from '@jest/globals';
import { digestOf, disclose, encode, erika, iss, mint, nowSeconds } from '../../support/verify/issuer.js';
import { vct, walletKeys } from '../../support/verify/issuer.js';
import { type Members, checkOfMint, judgeEach, judgeValues, verify } from '../../support/verify/verdicts.js';

// One token for each way to fail these checks is in support/verify/mutants.ts; here are the others.

/** What refers to these Disclosures at its top level, and sends them. */
const referring = (...texts: readonly string[]) => ({
  sd: {},
  more: texts,
  payload: { _sd: texts.map((text) => digestOf(text)) },
});
/** What refers to a Disclosure inside a list. */
const listing = (text: string) => ({ payload: { list: [{ '...': digestOf(text) }] }, more: [text] });
/** What refers to a Disclosure in the member of this name. */
const inside = (name: string, text: string, more: Members = {}) => ({
  payload: { [name]: { ...more, _sd: [digestOf(text)] } },
  more: [text],
});
const decoy = digestOf('decoy');
const claimsOf = async (...input: Parameters<typeof mint>) => (await verify(mint(...input))).claims;

describe('S01 to S04 the digest algorithm', () => {
  const alg = (_sd_alg: unknown, hash = 'sha256') => checkOfMint({ hash, payload: { _sd_alg } });
  judgeEach(alg, {
    'S01 without _sd_alg it is sha-256': ['valid', undefined],
    'S01 sha-256 by its name': ['valid', 'sha-256'],
    'S01 without _sd_alg it is not sha-512': ['S11', undefined, 'sha512'],
    'S01 without _sd_alg it is not sha3-256': ['S17', undefined, 'sha3-256'],
    'S03 sha-384 is one of the three': ['valid', 'sha-384', 'sha384'],
    'S03 sha-384 over digests of sha-256': ['S11', 'sha-384'],
    'S03 sha-512 is one of the three': ['valid', 'sha-512', 'sha512'],
    'S03 sha-512 over digests of sha-256': ['S11', 'sha-512'],
  });
  judgeValues('S02 %p is no name', [null, 256, ['sha-256'], {}, true], 'S02', (name) => alg(name));
  const names = ['sha3-256', 'SHA-256', 'sha-256-128', 'sha256', 'md5', '', 'sha-1', '__proto__'];
  judgeValues('S03 %s is refused', names, 'S03', (name) => alg(name));
  judgeEach(checkOfMint, {
    'S04 _sd_alg below the top level, in a list': ['S04', { payload: { list: [{ _sd_alg: 'sha-256' }] } }],
  });
});

describe('S05 to S08 what a Disclosure is', () => {
  const malformed: [check: string, what: string, text: string][] = [
    ['S05', 'a string', encode('"salt"')],
    ['S05', 'null', encode('null')],
    ['S05', 'an empty array', encode([])],
    ['S06', 'a salt that is null, for an array element', encode([null, 'value'])],
    ['S07', 'a name that is a list', encode(['salt', ['a'], 'value'])],
  ];
  test.each(malformed)('%s %s', async (check, _, text) => {
    expect(await checkOfMint(referring(text))).toBe(check);
    expect(await checkOfMint({ more: [text] })).toBe(check);
  });
});

describe('S09 to S14 names, digests and placeholders', () => {
  const inAll = (
    title: string,
    check: string,
    values: readonly unknown[],
    ...places: ((value: unknown) => object)[]
  ) => {
    test.each(values.map((value) => [value]))(`${title}`, async (value) => {
      for (const place of places) expect(await checkOfMint(place(value))).toBe(check);
    });
  };
  inAll(
    'S10 _sd is %j',
    'S10',
    ['text', null, 7, {}, [7], [null], [['a']]],
    (_sd) => ({ sd: {}, payload: { _sd } }),
    (_sd) => ({ payload: { address: { _sd } } }),
    (_sd) => ({ sd: { address: { _sd } } }),
  );
  inAll(
    'S11 the digest %p',
    'S11',
    ['A'.repeat(42), 'A'.repeat(44), ''],
    (digest) => ({ sd: {}, payload: { _sd: [digest] } }),
    (digest) => ({ payload: { list: [{ '...': digest }] } }),
  );
  inAll(
    'S12 a placeholder is %j',
    'S12',
    [{ '...': decoy, more: 1 }, { '...': 7 }, { '...': null }, { '...': [decoy] }],
    (placeholder) => ({ payload: { list: ['a', placeholder] } }),
    (placeholder) => ({ sd: { list: [[placeholder]] } }),
  );

  const member = { '...': decoy };
  judgeEach(checkOfMint, {
    'S09 the name of a plain claim below': ['S09', inside('a', disclose('street', 'b'), { street: 'a' })],
    'S13 the reserved name at the top level': ['S13', { payload: member }],
    'S13 the reserved name in the Disclosure of an element': ['S13', listing(disclose(member))],
  });

  test('S09 the same name at another level is another claim', async () => {
    const claims = await claimsOf(inside('child', disclose('given_name', 'inner')));
    expect(claims).toMatchObject({ given_name: 'Erika', child: { given_name: 'inner' } });
  });
});

describe('S15 to S23 each once', () => {
  const child = disclose('street', 'Heidestraße 17');
  const parent = disclose('address', { _sd: [digestOf(child)] });
  const payload = { _sd: [digestOf(parent)] };

  judgeEach(checkOfMint, {
    'S15 a decoy twice in one _sd': ['S15', { sd: {}, payload: { _sd: [decoy, decoy] } }],
    'S15 a decoy in both kinds': ['S15', { sd: {}, payload: { _sd: [decoy], list: [{ '...': decoy }] } }],
    'S17 a child with its parent': ['valid', { sd: {}, payload, more: [parent, child] }],
    'S17 a child without its parent': ['S17', { sd: {}, payload, more: [child] }],
  });

  test('S21 the digest is over the text that was sent, however its JSON is spelled', async () => {
    const spellings = [
      '["salt", "name", "M\\u00f6bius"]',
      '["salt","name","Möbius"]',
      '["salt",\n"name" , "M\\u00F6bius" ]',
    ].map(encode);
    for (const text of spellings) expect((await claimsOf(referring(text)))['name']).toBe('Möbius');
    const [one = '', other = ''] = spellings;
    expect(await checkOfMint({ ...referring(one), more: [other] })).toBe('S17');
  });

  test('S23 the order of the Disclosures does not matter', async () => {
    expect(await claimsOf({ send: (sent) => sent.toReversed() })).toMatchObject(erika);
  });
});

describe('S18 to S20 what comes out', () => {
  test('S18 members in a disclosed object, elements in a disclosed array, arrays in arrays', async () => {
    const street = disclose('street_address', 'Heidestraße 17');
    const country = disclose('country', 'DE');
    const german = disclose('DE');
    const cell = disclose('c');
    const row = disclose(['b', { '...': digestOf(cell) }]);
    const sd = {
      address: { locality: 'Köln', _sd: [digestOf(street), digestOf(country)] },
      nationalities: [{ '...': digestOf(german) }],
      rows: [['a'], { '...': digestOf(row) }],
    };
    expect(await claimsOf({ sd, more: [street, country, german, cell, row] })).toMatchObject({
      address: { locality: 'Köln', street_address: 'Heidestraße 17', country: 'DE' },
      nationalities: ['DE'],
      rows: [['a'], ['b', 'c']],
    });
  });

  test('S19 a digest without a Disclosure is passed over in objects and its element removed from arrays', async () => {
    const kept = disclose('b');
    const list = [{ '...': digestOf('x') }, 'a', { '...': digestOf(kept) }, { '...': digestOf('y') }];
    const claims = await claimsOf({ payload: { list, other: { _sd: [digestOf('z')] } }, more: [kept] });
    expect(claims).toMatchObject({ list: ['a', 'b'], other: {} });
  });

  test('S20 nothing of the machinery is left', async () => {
    const claims = await claimsOf({
      payload: { _sd_alg: 'sha-256', emptied: { _sd: [] }, list: [{ '...': decoy }] },
    });
    const signed = { iss, vct, iat: nowSeconds - 60, exp: nowSeconds + 3600, cnf: { jwk: walletKeys.jwk } };
    expect({ ...claims }).toEqual({ ...signed, emptied: {}, list: [], ...erika });
    expect(JSON.stringify(claims)).not.toMatch(/_sd|\.\.\./);
  });
});

/** Puts a member into JSON that stringify would not write. */
const adding = (member: string) => (good: unknown) => `${JSON.stringify(good).slice(0, -1)},${member}}`;

describe('S22 names that mean something in JavaScript', () => {
  test('S22 they become own data of objects without a prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const { payload, ...rest } = referring(...names.map((name) => disclose(name, { polluted: name })));
    const claims = await claimsOf({ ...rest, payload: { ...payload, child: { _sd: [] } } });
    for (const name of names) {
      expect(Object.getOwnPropertyDescriptor(claims, name)?.value).toEqual({ polluted: name });
    }
    expect(Object.getPrototypeOf(claims)).toBeNull();
    expect(Object.getPrototypeOf(claims['child'])).toBeNull();
    expect(({} as Members)['polluted']).toBeUndefined();
  });

  test('S22 in the payload too, and a Disclosure of that name meets them', async () => {
    const plain = adding('"__proto__":{"admin":true}');
    const claims = await claimsOf({ payload: plain });
    expect(Object.keys(claims)).toContain('__proto__');
    expect(claims['admin']).toBeUndefined();
    const { payload, ...rest } = referring(encode('["salt","__proto__",1]'));
    expect(await checkOfMint({ ...rest, payload: (good) => plain({ ...good, ...payload }) })).toBe('S09');
  });
});

describe('S24 values survive', () => {
  const numbers = ['9007199254740993', '-9007199254740993', '1e999', '-1e999', '1e300'];
  judgeValues('S24 the number %s is refused, not rounded', numbers, 'S24', (number) =>
    checkOfMint({ payload: adding(`"a":[${number}]`) }),
  );
  judgeValues('S24 the number %s in a Disclosure is refused, not rounded', numbers, 'S24', (number) =>
    checkOfMint(referring(encode(`["salt","a",{"b":${number}}]`))),
  );
  judgeEach(checkOfMint, {
    'S24 exact ones': ['valid', { sd: { a: Number.MAX_SAFE_INTEGER, b: Number.MIN_SAFE_INTEGER, c: 0.5 } }],
  });

  test('S24 null, false, 0, empty texts, arrays and objects', async () => {
    const values = { nothing: null, no: false, zero: 0, text: '', list: [], object: {} };
    expect(await claimsOf({ sd: values })).toMatchObject(values);
    expect(await claimsOf({ payload: values })).toMatchObject(values);
  });
});

describe('S25 what must stand in the open', () => {
  const claims = {
    iss,
    nbf: 1,
    exp: 4_000_000_000,
    cnf: {},
    vct: 'urn:a',
    'vct#integrity': 'sha256-a',
    aka_vcts: [],
    status: {},
  };
  test.each(Object.entries(claims))('S25 %s in a Disclosure', async (name, value) => {
    expect(await checkOfMint({ payload: { [name]: undefined }, sd: { [name]: value } })).toBe('S25');
  });

  const type = disclose('urn:b');
  const idx = disclose('idx', 1);
  const status = { status_list: { _sd: [digestOf(idx)] } };
  judgeEach(checkOfMint, {
    'S25 part of cnf in a Disclosure': ['S25', { sd: {}, ...inside('cnf', disclose('jwk', {})) }],
    'S25 in aka_vcts': ['S25', { payload: { aka_vcts: ['a', { '...': digestOf(type) }] }, more: [type] }],
    'S25 part of status in a Disclosure': ['S25', { payload: { status }, more: [idx] }],
    'S26 a time, by a Disclosure': ['C07', { payload: { iat: undefined }, sd: { iat: 4_000_000_000 } }],
    'S26 a time that is none, by a Disclosure': ['C05', { payload: { iat: undefined }, sd: { iat: 'soon' } }],
    'S26 an audience that comes by a Disclosure': ['C10', { sd: { aud: 'someone else' } }],
  });

  test('S25 a digest of nothing that is sent does no harm there', async () => {
    const payload = { aka_vcts: ['urn:a', { '...': decoy }], status: { _sd: [digestOf('another')] } };
    expect(await claimsOf({ payload })).toMatchObject({ aka_vcts: ['urn:a'], status: {} });
  });

  test('S25 is about the top level: a claim of the same name further down may be disclosed', async () => {
    expect((await claimsOf(inside('child', disclose('iss', 'a'))))['child']).toEqual({ iss: 'a' });
  });
});
