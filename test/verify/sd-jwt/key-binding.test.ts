import { describe, expect, test } from '@jest/globals';
import {
  type Binding,
  bind,
  disclose,
  issuerKeys,
  mint,
  newKeyPair,
  nonce,
  nowSeconds,
} from '../../support/verify/issuer.js';
import { binding as expected, checkOf, verify } from '../../support/verify/verdicts.js';

const bound = async (binding: Binding, change: Parameters<typeof checkOf>[1] = {}) =>
  await checkOf(mint({ binding }), change);
const says = async (payload: Record<string, unknown>, change: Parameters<typeof checkOf>[1] = {}) =>
  await bound({ payload }, change);

test('B01 whether there is a key binding is expected, never inferred', async () => {
  expect(await checkOf(mint(), { keyBinding: 'absent' })).toBe('B01');
  const { keyBinding } = await verify(mint({ binding: 'absent', payload: { cnf: undefined } }), {
    keyBinding: 'absent',
  });
  expect(keyBinding).toBeUndefined();
});

test('B02 a key binding is expected and there is none', async () => {
  expect(await checkOf(mint({ binding: 'absent' }))).toBe('B02');
});

test.each(['KB+JWT', 'application/kb+jwt', 'dc+sd-jwt', 'JWT', undefined, 7])('B03 typ %p', async (typ) => {
  expect(await bound({ header: { typ } })).toBe('B03');
});

test.each(['none', 'HS256', 'ES384', undefined])('B04 alg %p', async (alg) => {
  expect(await bound({ header: { alg } })).toBe('B04');
});

test('B04 an allowed alg that does not fit the confirmed key', async () => {
  expect(await bound({ wallet: newKeyPair('ES384') }, { algorithms: ['ES256', 'ES384'] })).toBe('B04');
});

test('B05 a key in the header is not used, and does no harm', async () => {
  const other = newKeyPair();
  expect(await bound({ wallet: other, header: { jwk: other.jwk, kid: 'one' } })).toBe('B06');
  expect(await bound({ header: { jwk: other.jwk, jku: 'https://a.example', x5c: [7] } })).toBe('accepted');
});

test('B06 the signature of another key, or over something else', async () => {
  expect(await bound({ wallet: newKeyPair() })).toBe('B06');
  expect(await bound({ wallet: issuerKeys })).toBe('B06');
  const [good, other] = [mint(), mint()];
  expect(await checkOf(good.slice(0, good.lastIndexOf('.')) + other.slice(other.lastIndexOf('.')))).toBe(
    'B06',
  );
});

test.each([
  ['another flow'],
  [''],
  [[nonce]],
  [7],
  [null],
  [undefined],
  [{}],
  [`${nonce} `],
  [nonce.toLowerCase()],
])('B07 the nonce %j is refused', async (other) => {
  expect(await says({ nonce: other })).toBe('B07');
});

test.each([
  ['app.example'],
  [[expected.audience]],
  [[expected.audience, 'other']],
  [''],
  [undefined],
  [null],
  [`${expected.audience}/`],
])('B08 the audience %j is refused', async (aud) => {
  expect(await says({ aud })).toBe('B08');
});

test.each([[undefined], [null], [String(nowSeconds)], [[nowSeconds]]])('B09 iat is %j', async (iat) => {
  expect(await says({ iat })).toBe('B09');
});

test('B10 from the future, by more than the tolerance', async () => {
  expect(await says({ iat: nowSeconds + 301 })).toBe('B10');
  expect(await says({ iat: nowSeconds + 300 })).toBe('accepted');
  expect(await says({ iat: nowSeconds + 1 }, { keyBinding: { ...expected, tolerance: 0 } })).toBe('B10');
});

test('B11 older than maxAge', async () => {
  expect(await says({ iat: nowSeconds - 301 })).toBe('B11');
  expect(await says({ iat: nowSeconds - 300 })).toBe('accepted');
  expect(await says({ iat: nowSeconds - 300 }, { keyBinding: { ...expected, maxAge: 299 } })).toBe('B11');
});

test('B12 older than the flow, less the tolerance', async () => {
  const startedAt = new Date((nowSeconds - 10) * 1000);
  const keyBinding = { ...expected, startedAt, tolerance: 20 };
  expect(await says({ iat: nowSeconds - 31 }, { keyBinding })).toBe('B12');
  expect(await says({ iat: nowSeconds - 30 }, { keyBinding })).toBe('accepted');
});

describe('B13 exp and nbf are honoured', () => {
  test('B13 with the tolerance for a phone', async () => {
    expect(await says({ exp: nowSeconds - 300 })).toBe('B13');
    expect(await says({ exp: nowSeconds - 299 })).toBe('accepted');
    expect(await says({ nbf: nowSeconds + 301 })).toBe('B13');
    expect(await says({ nbf: nowSeconds + 300 })).toBe('accepted');
  });

  test.each([['soon'], [null]])('B13 they are %j', async (time) => {
    expect(await says({ exp: time })).toBe('B13');
    expect(await says({ nbf: time })).toBe('B13');
  });
});

describe('B14 to B16 sd_hash', () => {
  test.each([[undefined], [null], [7], [''], ['A'.repeat(43)]])('B14 sd_hash is %j', async (hash) => {
    expect(await says({ sd_hash: hash })).toBe('B14');
  });

  test('B14 with the hash that _sd_alg names', async () => {
    const token = mint({ binding: 'absent', hash: 'sha512', payload: { _sd_alg: 'sha-512' } });
    expect(await checkOf(token + bind(token, {}, 'sha512'))).toBe('accepted');
    expect(await checkOf(token + bind(token, {}, 'sha256'))).toBe('B14');
  });

  const recombine = (change: (disclosures: readonly string[]) => readonly string[]) => {
    const [issuer = '', ...rest] = mint().split('~');
    return [issuer, ...change(rest.slice(0, -1)), ...rest.slice(-1)].join('~');
  };

  test('B15 removing or reordering Disclosures breaks it', async () => {
    expect(await checkOf(recombine((disclosures) => disclosures))).toBe('accepted');
    expect(await checkOf(recombine((disclosures) => disclosures.slice(1)))).toBe('B14');
    expect(await checkOf(recombine((disclosures) => disclosures.toReversed()))).toBe('B14');
  });

  test('B15 adding a Disclosure that the holder kept back breaks it', async () => {
    const [issuer, first, ...rest] = mint({ binding: 'absent' }).split('~');
    const presented = [issuer, ...rest].join('~');
    const keyBinding = bind(presented);
    expect(await checkOf(presented + keyBinding)).toBe('accepted');
    expect(await checkOf([issuer, first, ...rest].join('~') + keyBinding)).toBe('B14');
  });

  test('B16 the key binding of another credential of the same wallet', async () => {
    const [one, other] = [mint(), mint({ sd: { given_name: 'Max' } })];
    expect(
      await checkOf(one.slice(0, one.lastIndexOf('~') + 1) + other.slice(other.lastIndexOf('~') + 1)),
    ).toBe('B14');
  });
});

test('B17 transaction data that nobody asked for', async () => {
  expect(await says({ transaction_data_hashes: [disclose('a')] })).toBe('B17');
  expect(await says({ transaction_data_hashes: null })).toBe('B17');
});
