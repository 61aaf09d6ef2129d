import { expect, test } from '@jest/globals';
import { sdJwtVc, signedJwt } from '../../lib/index.js';
import { configured } from './settings.js';

const keys = { jwksUri: 'https://issuer.example/jwks.json' };

test('a builder makes the same entry as its format in a plain object', () => {
  const credential = {
    keys,
    vct: ['urn:eudi:pid:1'],
    keyBinding: { nonce: 'state-sha256', audience: 'shop' },
  } as const;
  const token = {
    keys,
    iss: 'https://issuer.example',
    audience: 'shop',
    typ: 'result+jwt',
    binding: { claim: 'nonce', value: 'state-sha256' },
    claims: { given_name: ['given_name'] },
  } as const;
  const entries = { 'de-ausweis': sdJwtVc(credential), 'xx-service': signedJwt(token) };
  expect(entries).toEqual({
    'de-ausweis': { format: 'sd-jwt-vc', ...credential },
    'xx-service': { format: 'jwt', ...token },
  });
  expect(Object.values(entries).every((entry) => Object.isFrozen(entry))).toBe(true);
  expect(configured({ trust: entries }).trust).toEqual(entries);
});
