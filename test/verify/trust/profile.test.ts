import { expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import { inShort, judge, present, trustIn } from './trusting.js';

const at = async (payload: Record<string, unknown>, profile?: SdJwtVcTrust['profile']) =>
  inShort(
    await judge(
      present({ payload }),
      trustIn({ status: { mode: 'dangerouslyIgnore' }, ...(profile && { profile }) }),
    ),
  );
const status = { status_list: { idx: 1, uri: 'https://issuer.example/status' } };

test('C08 haip-1.0 wants an expiry or a status', async () => {
  expect(await at({ exp: undefined }, 'haip-1.0')).toBe('presentation_invalid C08');
  expect(await at({}, 'haip-1.0')).toBe('valid');
  expect(await at({ exp: undefined, status }, 'haip-1.0')).toBe('valid');
});

test('C08 the plain profile, which is the default, wants neither', async () => {
  expect(await at({ exp: undefined }, 'sd-jwt-vc')).toBe('valid');
  expect(await at({ exp: undefined })).toBe('valid');
});
