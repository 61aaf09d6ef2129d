import { describe, expect, test } from '@jest/globals';
import { mint, nowSeconds } from '../../support/verify/issuer.js';
import { checkOf } from '../../support/verify/verdicts.js';

const at = async (payload: Record<string, unknown>, clockTolerance?: number) =>
  await checkOf(mint({ payload }), clockTolerance === undefined ? {} : { clockTolerance });

test('C04 an expired credential: at the very second, less the tolerance', async () => {
  expect(await at({ exp: nowSeconds }, 0)).toBe('C04');
  expect(await at({ exp: nowSeconds + 1 }, 0)).toBe('accepted');
  expect(await at({ exp: nowSeconds - 5 })).toBe('C04');
  expect(await at({ exp: nowSeconds - 4 })).toBe('accepted');
});

describe('C05 times are finite numbers', () => {
  for (const name of ['exp', 'nbf', 'iat']) {
    test.each(['"2000000000"', 'null', 'true', '[1]', '{}', '1e999', '-1e999'])(
      `C05 ${name} is %s`,
      async (json) => {
        const payload = (good: Readonly<Record<string, unknown>>) =>
          `${JSON.stringify({ ...good, [name]: undefined }).slice(0, -1)},"${name}":${json}}`;
        expect(await checkOf(mint({ payload }))).toBe('C05');
      },
    );
  }

  test('C05 without any time and with parts of seconds', async () => {
    expect(await at({ exp: undefined, iat: undefined })).toBe('accepted');
    expect(await at({ exp: nowSeconds + 0.5, iat: nowSeconds - 0.5 }, 0)).toBe('accepted');
  });
});

test('C06 a credential that is not valid yet', async () => {
  expect(await at({ nbf: nowSeconds + 6 })).toBe('C06');
  expect(await at({ nbf: nowSeconds + 5 })).toBe('accepted');
  expect(await at({ nbf: nowSeconds }, 0)).toBe('accepted');
  expect(await at({ nbf: nowSeconds + 1 }, 0)).toBe('C06');
});

test('C07 a credential from the future', async () => {
  expect(await at({ iat: nowSeconds + 6 })).toBe('C07');
  expect(await at({ iat: nowSeconds + 5 })).toBe('accepted');
});

test.each([
  ['days, as a real issuer sent them', { iat: 20_047, exp: 20_137 }],
  ['milliseconds', { exp: (nowSeconds + 3600) * 1000 }],
  ['milliseconds', { iat: nowSeconds * 1000 }],
  ['days', { nbf: 20_047 }],
  ['an unsafe number', { exp: 1e300 }],
  ['the year 10000', { exp: 253_402_300_800 }],
  ['what could be days until 2243', { iat: 99_999 }],
])('C12 times in %s: %j', async (_, payload) => {
  expect(await at(payload)).toBe('C12');
});

test('C12 the year 9999 and 1970 are times', async () => {
  expect(await at({ exp: 253_402_300_799, iat: 0, nbf: 0 })).toBe('accepted');
  expect(await at({ iat: 100_000 })).toBe('accepted');
});

test('C10 an audience of the credential must be ours', async () => {
  expect(await at({ aud: 'x509_san_dns:app.example' })).toBe('accepted');
  expect(await at({ aud: ['other', 'x509_san_dns:app.example'] })).toBe('accepted');
  for (const aud of ['other', [], ['other'], null, 7]) expect(await at({ aud })).toBe('C10');
  const unbound = mint({ binding: 'absent', payload: { aud: 'x509_san_dns:app.example' } });
  expect(await checkOf(unbound, { keyBinding: 'absent' })).toBe('C10');
});
