import { expect, test } from '@jest/globals';
import type { Expected } from '../../lib/types/verifier.js';
import { type Mint, nowSeconds } from '../support/verify/issuer.js';
import { nonceOf } from '../../lib/service/nonce.js';
import { judge, present, state, trustIn } from './trust/trusting.js';

const reasonFor = async (change: Mint, flow: Partial<Expected> = {}) => {
  const verdict = await judge(present(change), trustIn({ iss: 'https://issuer.example' }), flow);
  return verdict.valid ? 'valid' : verdict.reason;
};
const bound = (payload: object): Mint => ({ binding: { payload: { nonce: nonceOf(state), ...payload } } });

test.each([
  ['C04', { exp: nowSeconds - 86_400 }, 'The credential expired 86400 seconds ago (tolerance: 5 seconds).'],
  ['C04', { exp: nowSeconds - 5.2 }, 'The credential expired 6 seconds ago (tolerance: 5 seconds).'],
  ['C06', { nbf: nowSeconds + 60 }, 'The credential is valid only in 60 seconds (tolerance: 5 seconds).'],
  [
    'C07',
    { iat: nowSeconds + 60 },
    'The credential was issued 60 seconds in the future (tolerance: 5 seconds).',
  ],
])('%s says by how many seconds: %j', async (_, payload, reason) => {
  expect(await reasonFor({ payload })).toBe(reason);
});

test.each([
  [
    'B10',
    { iat: nowSeconds + 301 },
    'The key binding JWT was made 301 seconds in the future (tolerance: 300 seconds).',
  ],
  ['B11', { iat: nowSeconds - 601 }, 'The key binding JWT is 601 seconds old (maxAge: 600 seconds).'],
  ['B13', { exp: nowSeconds - 301 }, 'The key binding JWT expired 301 seconds ago (tolerance: 300 seconds).'],
  [
    'B13',
    { nbf: nowSeconds + 301 },
    'The key binding JWT is valid only in 301 seconds (tolerance: 300 seconds).',
  ],
  ['B08', { aud: 'other' }, 'The key binding JWT has another audience than x509_san_dns:app.example.'],
])('%s says by how much, or what is configured: %j', async (_, payload, reason) => {
  expect(await reasonFor(bound(payload))).toBe(reason);
});

test('B12 says by how many seconds', async () => {
  const startedAt = new Date((nowSeconds + 300) * 1000);
  expect(await reasonFor({}, { startedAt })).toBe(
    'The key binding JWT was made 305 seconds before the flow that asked for it began (tolerance: 300 seconds).',
  );
});

test.each([
  ['H01', { header: { alg: 'ES384' } }, 'The issuer-signed JWT has an alg that is not ES256.'],
  ['C02', { payload: { vct: 'other' } }, 'The credential is of another type (vct) than urn:eudi:pid:de:1.'],
  [
    'C09',
    { payload: { iss: 'other' } },
    'The credential names another issuer (iss) than https://issuer.example.',
  ],
])('%s says what is configured', async (_, change, reason) => {
  expect(await reasonFor(change)).toBe(reason);
});
