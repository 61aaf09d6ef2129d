import { describe, expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { mint, newKeyPair, nowSeconds } from '../../support/verify/issuer.js';
import { type Presented, packed, serving, statusServer, verifierOf } from './status-server.js';
import { state } from '../trust/trusting.js';
import { verify } from '../../support/verify/verdicts.js';

const published = statusServer();
const mode = (of: NonNullable<SdJwtVcTrust['status']>['mode'] & string) => ({ status: { mode: of } });

describe('T01 nothing is fetched for a credential that fails another check', () => {
  const bad: [check: string, token: Presented, asked?: Partial<Expected>][] = [
    ['K02', { issuer: newKeyPair() }],
    ['B06', { binding: { wallet: newKeyPair(), payload: { nonce: nonceOf(state) } } }],
    ['B07', { binding: {} }],
    ['B02', { binding: 'absent' }],
    ['C04', { payload: { exp: nowSeconds - 60 } }],
    ['C01', { payload: { vct: undefined } }],
    ['C02', { payload: { vct: 'urn:other' } }],
    ['C09', { payload: { iss: 'https://other.example' } }],
    ['C13', { sd: { given_name: 'Erika' } }],
    ['C13', { sd: { given_name: 7, birthdate: '1964-08-12' } }],
    ['C15', {}, { derived: { nationality: 'DE' } }],
    ['S17', { more: ['WyJhIiwiYiIsImMiXQ'] }],
  ];

  test.each(bad)('T01 %s %j %j', async (check, token, asked = {}) => {
    expect(await verifierOf(published).judge(undefined, token, asked)).toMatch(new RegExp(` ${check}$`));
    expect(published.requests).toHaveLength(0);
  });

  test('T01 it is fetched for one that passes them all', async () => {
    expect(await verifierOf(published).judge()).toBe('valid');
    expect(published.requests).toHaveLength(1);
  });
});

describe('T02 a credential without a status', () => {
  test.each([{}, mode('ifPresent'), { status: {} }, mode('dangerouslyIgnore')])(
    'T02 %j accepts it',
    async (trust) => {
      expect(await verifierOf(published, trust).judge(null, { payload: { status: undefined } })).toBe(
        'valid',
      );
      expect(published.requests).toHaveLength(0);
    },
  );

  test('T02 require refuses it, and accepts one with a status', async () => {
    const { judge } = verifierOf(published, mode('require'));
    expect(await judge(null, { payload: { status: undefined } })).toBe('presentation_invalid T02');
    expect(await judge()).toBe('valid');
  });
});

describe('T03 a status that is in no status list', () => {
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
    expect(await verifierOf(published).judge(status)).toBe('presentation_invalid T03');
    expect(await verifierOf(published, mode('require')).judge(status)).toBe('presentation_invalid T03');
    expect(await verifierOf(published, mode('dangerouslyIgnore')).judge(status)).toBe('valid');
    expect(published.requests).toHaveLength(0);
  });

  test('T03 another mechanism beside the list does not matter', async () => {
    const status = { status_list: { idx: 0, uri: published.uri }, identifier_list: {} };
    expect(await verifierOf(published).judge(status)).toBe('valid');
  });

  test('T03 verifySdJwt judges the token alone and hands out its status', async () => {
    for (const status of [{ status_list: { idx: 1, uri: published.uri } }, 'valid']) {
      const { claims } = await verify(mint({ payload: { status } }));
      expect(claims['status']).toEqual(status);
    }
    expect(published.requests).toHaveLength(0);
  });
});

describe('T04 the place of a status', () => {
  test.each([[-1], [0.5], ['0'], [null], [undefined], [[0]], [true]])('T04 the idx %j', async (idx) => {
    expect(await verifierOf(published).at(idx)).toBe('presentation_invalid T04');
  });

  test.each([
    [undefined],
    [null],
    [7],
    [''],
    ['/statuslists/1'],
    ['issuer.example'],
    ['data:,a'],
    ['ftp://a.example'],
  ])('T04 the uri %j', async (uri) => {
    expect(await verifierOf(published).from(uri)).toBe('presentation_invalid T04');
  });

  test('T04 http, but on this machine, and user information', async () => {
    const { from } = verifierOf(published, { status: { origins: ['https://lists.example'] } });
    expect(await from('http://lists.example/1')).toBe('presentation_invalid T04');
    expect(await from('https://a:b@lists.example/1')).toBe('presentation_invalid T04');
    expect(published.requests).toHaveLength(0);
  });
});

describe('T15 what the list says', () => {
  const byte = async (status: number) => {
    published.answer = serving({ list: { bits: 8, lst: packed(status) } });
    return await verifierOf(published).verdict();
  };

  test('T15 VALID', async () => {
    expect(await byte(0)).toMatchObject({ valid: true });
  });

  test.each([
    [1, 'The credential was revoked: its status is INVALID.'],
    [2, 'The credential is suspended: its status is SUSPENDED.'],
    [3, 'The credential has a status other than VALID.'],
    [255, 'The credential has a status other than VALID.'],
  ])('T15 the status %d', async (status, reason) => {
    const verdict = await byte(status);
    expect(verdict).toEqual({ valid: false, check: 'T15', code: 'presentation_invalid', reason });
  });

  test.each([{}, mode('ifPresent'), mode('require')])(
    'T15 %j refuses a revoked credential',
    async (trust) => {
      published.answer = serving({ list: { lst: packed(1) } });
      expect(await verifierOf(published, trust).judge()).toBe('presentation_invalid T15');
    },
  );

  test('T15 dangerouslyIgnore accepts one, and asks nobody', async () => {
    published.answer = serving({ list: { lst: packed(1) } });
    expect(await verifierOf(published, mode('dangerouslyIgnore')).judge()).toBe('valid');
    expect(published.requests).toHaveLength(0);
  });
});

test('T13 the least significant bit comes first', async () => {
  published.answer = serving({ list: { bits: 1, lst: packed(0b1011_1001, 0b1010_0011) } });
  const { at } = verifierOf(published);
  const found: number[] = [];
  for (let idx = 0; idx < 16; idx += 1) found.push((await at(idx)) === 'valid' ? 0 : 1);
  expect(found).toEqual([1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]);
});

test('T14 a place beyond the end of the list', async () => {
  for (const [bits, last] of [
    [1, 15],
    [2, 7],
    [4, 3],
    [8, 1],
  ] as const) {
    published.answer = serving({ list: { bits } });
    const { at } = verifierOf(published);
    expect(await at(last)).toBe('valid');
    expect(await at(last + 1)).toBe('presentation_invalid T14');
    expect(await at(Number.MAX_SAFE_INTEGER)).toBe('presentation_invalid T14');
  }
  published.answer = serving({ list: { lst: packed() } });
  expect(await verifierOf(published).at(0)).toBe('presentation_invalid T14');
});

test('T19 the result says nothing of the status', async () => {
  expect(await verifierOf(published).verdict()).toEqual({
    valid: true,
    attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
    derived: {},
  });
});
