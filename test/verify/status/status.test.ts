import { describe, expect, test } from '@jest/globals';
import { type Mint, mint, newKeyPair, nowSeconds, nonceOf } from '../../support/verify/issuer.js';
import { issuerServer, packed, servingList, statusVerifier } from '../../support/verify/servers.js';
import { inFull, judgeEach, judgeValues, state, verify } from '../../support/verify/verdicts.js';

const published = issuerServer();
const mode = (of: string) => ({ status: { mode: of } });
const ignore = mode('dangerouslyIgnore');
const requests = () => published.requests.length;

/** The verdict on a credential, and how often the list was asked for. */
const checkAsking = async (trust: object, ...input: Parameters<ReturnType<typeof statusVerifier>['judge']>) =>
  `${await statusVerifier(published, trust).judge(...input)}, ${requests()} requests`;

describe('T01 nothing is fetched for a credential that fails another check', () => {
  const none = (check: string) => `${check}, 0 requests`;
  const forged = { wallet: newKeyPair(), payload: { nonce: nonceOf(state) } };
  judgeEach((token: Mint, flow?: object) => checkAsking({}, undefined, token, flow), {
    'T01 it is fetched for one that passes them all': ['valid, 1 requests', {}],
    'T01 K02': [none('K02'), { issuer: newKeyPair() }],
    'T01 B06': [none('B06'), { binding: forged }],
    'T01 B07': [none('B07'), { binding: {} }],
    'T01 B02': [none('B02'), { binding: 'absent' }],
    'T01 C04': [none('C04'), { payload: { exp: nowSeconds - 60 } }],
    'T01 C01': [none('C01'), { payload: { vct: undefined } }],
    'T01 C02': [none('C02'), { payload: { vct: 'urn:other' } }],
    'T01 C09': [none('C09'), { payload: { iss: 'https://other.example' } }],
    'T01 C13 missing': [none('attributes_missing C13'), { sd: { given_name: 'Erika' } }],
    'T01 C13': [none('attribute_invalid C13'), { sd: { given_name: 7, birthdate: '1964-08-12' } }],
    'T01 C15': [none('attributes_missing C15'), {}, { derived: { nationality: 'DE' } }],
    'T01 S17': [none('S17'), { more: ['WyJhIiwiYiIsImMiXQ'] }],
  });
});

describe('T02 T03 T15 a credential without a status, with one that is in no list, and with a revoked one', () => {
  const without = (trust: object) => checkAsking(trust, null, { payload: { status: undefined } });
  judgeValues('T02 %j needs none', [{}, mode('ifPresent'), ignore], 'valid, 0 requests', without);
  judgeEach(checkAsking, {
    'T02 require wants one': ['T02, 0 requests', mode('require'), null, { payload: { status: undefined } }],
    'T02 require accepts one with a status': ['valid, 1 requests', mode('require')],
  });

  test.each([
    ['valid'],
    [null],
    [7],
    [[]],
    [{}],
    [{ status_list: 'a' }],
    [{ status_list: [] }],
    [{ other: {} }],
  ])('T03 %j', async (status) => {
    expect(await checkAsking({}, status)).toBe('T03, 0 requests');
    expect(await checkAsking(mode('require'), status)).toBe('T03, 0 requests');
    expect(await checkAsking(ignore, status)).toBe('valid, 0 requests');
  });

  test('T03 another mechanism beside the list does not matter', async () => {
    const status = { status_list: { idx: 0, uri: published.uri }, identifier_list: {} };
    expect(await checkAsking({}, status)).toBe('valid, 1 requests');
  });

  test('T03 verifySdJwt judges the token alone and hands out its status', async () => {
    for (const status of [{ status_list: { idx: 1, uri: published.uri } }, 'valid']) {
      expect((await verify(mint({ payload: { status } }))).claims['status']).toEqual(status);
    }
    expect(requests()).toBe(0);
  });

  const revoked = (trust: object) => {
    published.answer = servingList({ list: { lst: packed(1) } });
    return checkAsking(trust);
  };
  judgeValues('T15 %j refuses a revoked one', [{}, mode('require')], 'T15, 1 requests', revoked);
  judgeValues('T15 %j accepts one, and asks nobody', [ignore], 'valid, 0 requests', revoked);
});

describe('T04 the place of a status', () => {
  const uris = [undefined, null, 7, '', '/statuslists/1', 'issuer.example', 'data:,a', 'ftp://a.example'];
  judgeValues('T04 the idx %j', [-1, 0.5, '0', null, undefined, [0], true], 'T04', (idx) =>
    statusVerifier(published).at(idx),
  );
  judgeValues('T04 the uri %j', uris, 'T04', (uri) => statusVerifier(published).from(uri));

  test('T04 http, but on this machine, and user information', async () => {
    const { from } = statusVerifier(published, { status: { origins: ['https://lists.example'] } });
    expect(await from('http://lists.example/1')).toBe('T04');
    expect(await from('https://a:b@lists.example/1')).toBe('T04');
    expect(requests()).toBe(0);
  });
});

describe('T15 what the list says', () => {
  const byte = async (status: number) => {
    published.answer = servingList({ list: { bits: 8, lst: packed(status) } });
    return inFull(await statusVerifier(published).verdict());
  };
  judgeEach(byte, {
    'T15 VALID': ['valid', 0],
    'T15 the status 1': ['T15 The credential was revoked: its status is INVALID.', 1],
    'T15 the status 2': ['T15 The credential is suspended: its status is SUSPENDED.', 2],
    'T15 the status 3': ['T15 The credential has a status other than VALID.', 3],
    'T15 the status 255': ['T15 The credential has a status other than VALID.', 255],
  });
});

test('T13 the least significant bit comes first', async () => {
  published.answer = servingList({ list: { bits: 1, lst: packed(0b1011_1001, 0b1010_0011) } });
  const { at } = statusVerifier(published);
  const read: number[] = [];
  for (let idx = 0; idx < 16; idx += 1) read.push((await at(idx)) === 'valid' ? 0 : 1);
  expect(read).toEqual([1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]);
});

describe('T14 a place beyond the end of the list', () => {
  test.each([
    [1, 15],
    [2, 7],
    [4, 3],
    [8, 1],
  ])('T14 of %d bits', async (bits, last) => {
    published.answer = servingList({ list: { bits } });
    const { at } = statusVerifier(published);
    expect(await at(last)).toBe('valid');
    expect(await at(last + 1)).toBe('T14');
    expect(await at(Number.MAX_SAFE_INTEGER)).toBe('T14');
  });
});

test('T19 the result says nothing of the status', async () => {
  expect(await statusVerifier(published).verdict()).toEqual({
    valid: true,
    attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
    derived: {},
  });
});
