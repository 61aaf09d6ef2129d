import { describe, expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { iss, mint, nowSeconds } from '../../support/verify/issuer.js';
import { entry, inShort, judge, present, state, trustIn } from '../trust/trusting.js';

describe('the type of credential and its issuer', () => {
  const claims = async (payload: Record<string, unknown>, trust: Partial<SdJwtVcTrust> = {}) =>
    inShort(await judge(present({ payload }), trustIn(trust)));

  test.each([[undefined], [null], [7], [['urn:eudi:pid:de:1']], [{}]])('C01 vct is %j', async (vct) => {
    expect(await claims({ vct })).toBe('presentation_invalid C01');
  });

  test.each(['urn:eudi:pid:de:2', 'urn:eudi:pid:de:1 ', 'URN:EUDI:PID:DE:1', 'urn:eudi:pid:de', ''])(
    'C02 vct is %p',
    async (vct) => {
      expect(await claims({ vct })).toBe('presentation_invalid C02');
    },
  );

  test('C03 aka_vcts never counts', async () => {
    expect(await claims({ vct: 'urn:other', aka_vcts: entry.vct })).toBe('presentation_invalid C02');
  });

  test('C09 iss is compared where the trust entry names it', async () => {
    expect(await claims({ iss: undefined })).toBe('valid');
    expect(await claims({}, { iss })).toBe('valid');
    expect(await claims({}, { iss: ['https://other.example', iss] })).toBe('valid');
    for (const other of [undefined, null, `${iss}/`, [iss]]) {
      expect(await claims({ iss: other }, { iss })).toBe('presentation_invalid C09');
    }
  });
});

describe('the binding to a flow', () => {
  test('B07 the nonce is the hash of the state, never the state itself', async () => {
    expect(inShort(await judge(present({}, 'state of another flow')))).toBe('presentation_invalid B07');
    expect(inShort(await judge(mint({ binding: { payload: { nonce: state } } })))).toBe(
      'presentation_invalid B07',
    );
  });

  test('B07 or what a function of the expectation answers', async () => {
    const nonce = ({ state: seen, issuer }: Expected) => `${issuer}/${nonceOf(seen)}`;
    const trust = trustIn({ keyBinding: { ...entry.keyBinding, nonce } });
    const token = mint({ binding: { payload: { nonce: `de-ausweis/${nonceOf(state)}` } } });
    expect(inShort(await judge(token, trust))).toBe('valid');
    expect(inShort(await judge(present(), trust))).toBe('presentation_invalid B07');
  });

  test('B11 maxAge is ten minutes, the setting of the kit, or that of the entry', async () => {
    const payload = { iat: nowSeconds - 601, nonce: nonceOf(state) };
    const token = mint({ binding: { payload } });
    const own = trustIn({ keyBinding: { ...entry.keyBinding, maxAge: 601 } });
    expect(inShort(await judge(token))).toBe('presentation_invalid B11');
    expect(inShort(await judge(token, trustIn(), {}, { maxAge: 601 }))).toBe('valid');
    expect(inShort(await judge(token, own, {}, { maxAge: 1 }))).toBe('valid');
  });

  test('B12 the flow began later', async () => {
    const startedAt = new Date((nowSeconds + 296) * 1000);
    expect(inShort(await judge(present(), trustIn(), { startedAt }))).toBe('presentation_invalid B12');
    expect(inShort(await judge(present(), trustIn(), { startedAt: new Date(nowSeconds * 1000) }))).toBe(
      'valid',
    );
  });
});
