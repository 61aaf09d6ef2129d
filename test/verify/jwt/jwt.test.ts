import { inspect } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import type { Expected } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import {
  audience,
  encode,
  iss,
  issuerKeys,
  mint,
  misspell,
  newKeyPair,
  nowSeconds,
  walletKeys,
} from '../../support/verify/issuer.js';
import { claiming, jwtEntry, jwtTrust, result, signResult } from '../../support/verify/jwt-tokens.js';
import { judge, present, state } from '../trust/trusting.js';

const refused = (check: string) => `presentation_invalid ${check}`;
const other = newKeyPair();

test('J08 a good token gives what was asked for, under the ids of the interface, hidden from logs', async () => {
  const verdict = await judge(signResult(), jwtTrust(), { derived: { nationality: 'DE' } });
  expect(verdict).toEqual({
    valid: true,
    attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
    derived: { nationality: true },
  });
  expect(inspect(verdict)).not.toContain('Erika');
});

test('T03 J01 a status that nothing could look up', async () => {
  expect(await result(signResult({ status: { status_list: { idx: 0, uri: `${iss}/list` } } }))).toBe(
    refused('T03'),
  );
});

describe('J01 the envelope, the header and the key as of any token', () => {
  test.each([
    ['P01', 'no text', () => undefined],
    ['P01', 'an empty text', () => ''],
    ['P01', 'a text over the limit', () => 'a'.repeat(256 * 1024 + 1)],
    ['P06', 'two segments', () => 'a.b'],
    ['P06', 'five, as a JWE has', () => 'a.b.c.d.e'],
    ['P06', 'an empty signature', () => 'a.b.'],
    ['P06', 'an SD-JWT', () => mint({ sd: {}, binding: 'absent' })],
    ['P06', 'an SD-JWT with key binding', () => present()],
    ['P07', 'the JSON serialization', () => JSON.stringify({ payload: 'a', signature: 'b' })],
    ['P12', 'a whole vp_token', () => JSON.stringify({ result: [signResult()] })],
    ['P02', 'a padded signature', () => `${signResult()}==`],
    ['P02', 'a padded header', () => signResult({}, (good) => misspell(good).padded)],
    ['P02', 'a payload in another spelling', () => signResult((good) => misspell(good).nonCanonical)],
    ['P09', 'a header that is no object', () => signResult({}, () => '["ES256"]')],
    ['P09', 'a payload that is not UTF-8', () => signResult(() => new Uint8Array([0x22, 0xff, 0x22]))],
    [
      'P08',
      'a payload that is too deep',
      () => signResult({ deep: JSON.parse('['.repeat(32) + ']'.repeat(32)) }),
    ],
    ['P10', 'a member twice', () => signResult((good) => `{"iss":"a",${JSON.stringify(good).slice(1)}`)],
    [
      'S24',
      'a number that would be rounded',
      () => signResult((good) => `{"n":1e999,${JSON.stringify(good).slice(1)}`),
    ],
  ])('%s J01 %s', async (check, _, token) => {
    expect(await result(token())).toBe(refused(check));
  });

  test.each(['none', 'HS256', 'ES384', undefined])('J01 H01 alg %p', async (alg) => {
    expect(await result(signResult({}, { alg }))).toBe(refused('H01'));
  });

  test('J01 H01 and H02 another algorithm, where it is allowed and its key is the one', async () => {
    const keys = newKeyPair('PS256');
    const token = signResult({}, {}, keys);
    expect(await result(token, { algorithms: ['PS256'], keys: { jwks: { keys: [keys.jwk] } } })).toBe(
      'valid',
    );
    expect(await result(token, { algorithms: ['ES256', 'PS256'] })).toBe(refused('H02'));
  });

  test.each([[{ crit: ['exp'], exp: 1 }], [{ b64: false, crit: ['b64'] }]])('J01 H04 %j', async (header) => {
    expect(await result(signResult({}, header))).toBe(refused('H04'));
  });

  test.each([
    ['jwk', { jwk: other.jwk }],
    ['jku', { jku: 'https://attacker.example/jwks.json' }],
    ['x5u', { x5u: 'https://attacker.example/chain.pem' }],
  ])('J01 H05 a key by %s is neither used nor fetched', async (_, header) => {
    const fetch = jest.spyOn(globalThis, 'fetch');
    expect(await result(signResult({}, header, other))).toBe(refused('K02'));
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });

  test('J01 K02 the signature of another key, or over other claims', async () => {
    expect(await result(signResult({}, {}, other))).toBe(refused('K02'));
    const [header, , signature] = signResult().split('.');
    const [, payload] = signResult({ person: { given_name: 'Mallory' } }).split('.');
    expect(await result([header, payload, signature].join('.'))).toBe(refused('K02'));
  });

  test('J01 K12 the kid selects among the keys of the entry', async () => {
    const keys = {
      jwks: {
        keys: [
          { ...issuerKeys.jwk, kid: 'a' },
          { ...walletKeys.jwk, kid: 'b' },
        ],
      },
    };
    expect(await result(signResult({}, { kid: 'a' }), { keys })).toBe('valid');
    expect(await result(signResult({}, { kid: 'b' }), { keys })).toBe(refused('K02'));
    expect(await result(signResult(), { keys })).toBe('key_not_found K12');
  });
});

describe('J02 it must expire', () => {
  test.each([[undefined], [null], ['soon'], [[nowSeconds + 60]]])('J02 exp is %j', async (exp) => {
    expect(await claiming({ exp })).toBe(refused(exp === undefined ? 'J02' : 'C05'));
  });

  test('J02 C04 it has expired, by more than the tolerance', async () => {
    expect(await claiming({ exp: nowSeconds - 5 })).toBe(refused('C04'));
    expect(await claiming({ exp: nowSeconds - 4 })).toBe('valid');
    expect(await claiming({ exp: nowSeconds }, { tolerance: 0 })).toBe(refused('C04'));
    expect(await claiming({ exp: nowSeconds - 59 }, { tolerance: 60 })).toBe('valid');
  });

  test('J02 C06 it is not valid yet', async () => {
    expect(await claiming({ nbf: nowSeconds + 6 })).toBe(refused('C06'));
    expect(await claiming({ nbf: nowSeconds + 5 })).toBe('valid');
  });
});

test.each([
  [undefined],
  [null],
  [''],
  ['app.example'],
  [`${audience} `],
  [[audience]],
  [[audience, 'other']],
  [7],
])('J03 the audience %j is refused', async (aud) => {
  expect(await claiming({ aud })).toBe(refused('J03'));
});

describe('J04 the issuer is on the list', () => {
  test.each([[undefined], [null], [''], [`${iss}/`], [[iss]], ['https://attacker.example']])(
    'J04 iss %j',
    async (name) => {
      expect(await claiming({ iss: name })).toBe(refused('J04'));
    },
  );

  test('J04 any of several', async () => {
    expect(await claiming({}, { iss: ['https://other.example', iss] })).toBe('valid');
    expect(await claiming({}, { iss: ['https://other.example'] })).toBe(refused('J04'));
  });
});

test.each([
  'JWT',
  'RESULT+JWT',
  'application/result+jwt',
  'dc+sd-jwt',
  'kb+jwt',
  undefined,
  7,
  ['result+jwt'],
])('J05 typ %j', async (typ) => {
  expect(await result(signResult({}, { typ }))).toBe(refused('J05'));
});

describe('J06 it was made for this flow', () => {
  test.each([[undefined], [null], [''], [state], [nonceOf('another flow')], [[nonceOf(state)]], [7]])(
    'J06 the nonce %j is refused',
    async (nonce) => {
      expect(await claiming({ nonce })).toBe(refused('J06'));
    },
  );

  test('J06 the state itself, where the service sends it', async () => {
    const binding = { claim: 'state', value: 'state' } as const;
    expect(await claiming({ state }, { binding })).toBe('valid');
    expect(await claiming({ state: `${state} ` }, { binding })).toBe(refused('J06'));
    expect(await claiming({}, { binding })).toBe(refused('J06'));
  });

  test('J06 what a function of the expectation answers', async () => {
    const value = ({ issuer, state: seen }: Expected) => `${issuer}/${nonceOf(seen)}`;
    const binding = { claim: 'transaction', value };
    expect(await claiming({ transaction: `de-ausweis/${nonceOf(state)}` }, { binding })).toBe('valid');
    expect(await claiming({ transaction: state }, { binding })).toBe(refused('J06'));
  });

  test('J06 a claim that only the prototype has is none', async () => {
    const value = ({ state: seen }: Expected) =>
      seen === state ? String(Reflect.get({}, 'toString')) : nonceOf(seen);
    expect(await claiming({}, { binding: { claim: 'toString', value } })).toBe(refused('J06'));
  });

  test('J06 a function that returns no string is a wrong configuration', async () => {
    const binding = { claim: 'nonce', value: () => undefined as unknown as string };
    await expect(claiming({ nonce: undefined }, { binding })).rejects.toMatchObject({
      code: 'config_invalid',
    });
  });
});

describe('J07 it is young', () => {
  test.each([[undefined], [null], ['now'], [[nowSeconds]]])('J07 iat is %j', async (iat) => {
    expect(await claiming({ iat })).toBe(refused(iat === undefined ? 'J07' : 'C05'));
  });

  test('J07 older than maxAge, which is ten minutes or what the entry or the kit says', async () => {
    expect(await claiming({ iat: nowSeconds - 606 })).toBe(refused('J07'));
    expect(await claiming({ iat: nowSeconds - 605 })).toBe('valid');
    expect(await claiming({ iat: nowSeconds - 66 }, { maxAge: 60 })).toBe(refused('J07'));
    expect(await claiming({ iat: nowSeconds - 65 }, { maxAge: 60 })).toBe('valid');
    const verdict = await judge(signResult({ iat: nowSeconds - 66 }), jwtTrust(), {}, { maxAge: 60 });
    expect(verdict).toMatchObject({ check: 'J07' });
  });

  test('J07 older than the flow', async () => {
    const startedAt = new Date(nowSeconds * 1000);
    expect(await result(signResult({ iat: nowSeconds - 6 }), {}, { startedAt })).toBe(refused('J07'));
    expect(await result(signResult({ iat: nowSeconds - 5 }), {}, { startedAt })).toBe('valid');
  });

  test('J07 C07 from the future', async () => {
    expect(await claiming({ iat: nowSeconds + 6 })).toBe(refused('C07'));
    expect(await claiming({ iat: nowSeconds + 5 })).toBe('valid');
  });

  test('J07 C12 in milliseconds', async () => {
    expect(await claiming({ iat: nowSeconds * 1000 })).toBe(refused('C12'));
  });
});

describe('J08 the claims lie where the entry says, and nowhere else', () => {
  test('J08 the names of the rulebook are no default', async () => {
    const person = { birthdate: '1964-08-12', birth_date: '1964-08-12', given_name: 'Erika' };
    expect(await claiming({ person, birthdate: '1964-08-12' })).toBe('attributes_missing C13');
  });

  test('J08 an asked attribute or result that the entry does not place is a wrong configuration', async () => {
    const wrong = async (change: Partial<Expected>, entry = {}) => await result(signResult(), entry, change);
    await expect(wrong({ reveal: ['family_name'] })).rejects.toMatchObject({
      code: 'config_invalid',
      message: "trust['de-ausweis'].claims does not say where family_name is, which is asked for.",
    });
    await expect(wrong({ derived: { nationality: 'DE' } }, { derived: undefined })).rejects.toMatchObject({
      code: 'config_invalid',
    });
  });

  test('J08 C13 a form that is not that of the attribute', async () => {
    expect(await claiming({ person: { given_name: 7, born: '1964-08-12' } })).toBe('attribute_invalid C13');
    const base = signResult({ person: { given_name: 'Erika', born: '12-08-1964' } });
    expect(await result(base)).toBe('attribute_invalid C13');
    expect(await judge(base, jwtTrust(), { variant: 'base' })).toMatchObject({
      attributes: { birth_date: '1964-08-12' },
    });
  });

  test('J08 C14 what was not asked for is dropped', async () => {
    expect(await judge(signResult(), jwtTrust(), { reveal: ['given_name'] })).toEqual({
      valid: true,
      attributes: { given_name: 'Erika' },
      derived: {},
    });
  });

  test.each([[1], [true], ['yes'], [null]])(
    'J08 C15 the derived result %j is no value',
    async (nationality) => {
      const token = signResult({ answers: { nationality } });
      expect(await result(token, {}, { derived: { nationality: 'DE' } })).toBe('attribute_invalid C15');
    },
  );

  test('J08 a path finds own members only', async () => {
    const trust = { claims: { ...jwtEntry.claims, given_name: ['constructor', 'name'] } };
    expect(await claiming({}, trust)).toBe('attributes_missing C13');
    const own = signResult((good) => `{"__proto__":{"name":"Erika"},${JSON.stringify(good).slice(1)}`);
    const named = { claims: { ...jwtEntry.claims, given_name: ['__proto__', 'name'] } };
    expect(await result(own, named)).toBe('valid');
  });
});

test('J01 nothing of a token stands in the reason of its refusal', async () => {
  const secret = 'SECRET-VALUE';
  const tokens = [
    signResult({}, { typ: secret }),
    signResult({}, { alg: secret }),
    signResult({ aud: secret }),
    signResult({ iss: secret }),
    signResult({ nonce: secret }),
    signResult({ iat: secret }),
    signResult({ person: { given_name: [secret] } }),
    `${encode(secret)}.${encode(secret)}.AA`,
  ];
  for (const token of tokens) {
    const verdict = await judge(token, jwtTrust());
    expect(verdict.valid).toBe(false);
    expect(JSON.stringify(verdict)).not.toContain(secret);
  }
});
