import { describe, expect, test } from '@jest/globals';
import type { Jwk } from '../../../lib/index.js';
import { issuerKeys, mint, newKeyPair } from '../../support/verify/issuer.js';
import { issuerServer, keysVerifier, servingJson } from '../../support/verify/servers.js';
import { checkOfSdJwt, judge, present, thrown, trustIn } from '../../support/verify/verdicts.js';

/**
 * Every encoding of every point whose order divides eight, computed from the equation of the curve (RFC 8032, section
 * 5.1) and not copied from the list that refuses them: five y, modulo p or not, with either sign.
 */
const encodings = [
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA',
  'JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU',
  'JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_IU',
  'xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o',
  'xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA_o',
  '7P_______________________________________38',
  '7P________________________________________8',
  '7f_______________________________________38',
  '7f________________________________________8',
  '7v_______________________________________38',
  '7v________________________________________8',
];
const algorithms = ['ES256', 'EdDSA'];
const published = issuerServer();
const jwkOf = (x: string): Jwk => ({ kty: 'OKP', crv: 'Ed25519', x });

/** A presentation with a key binding that nobody signed: R is the neutral element, S is zero. */
function unsigned(x: string): string {
  const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url');
  const bound = mint({ payload: { cnf: { jwk: jwkOf(x) } }, binding: { wallet: newKeyPair('EdDSA') } });
  return `${bound.slice(0, bound.lastIndexOf('.'))}.${neutral}`;
}

describe('F77 a point of Ed25519 that makes one signature fit everything is no key', () => {
  test.each(encodings)('F77 %s', async (x) => {
    expect(await checkOfSdJwt(unsigned(x), { algorithms })).toBe('K17');
    const keys = { jwks: { keys: [jwkOf(x)] } };
    expect(await thrown(async () => await judge(present(), trustIn({ keys, algorithms })))).toMatchObject({
      code: 'config_invalid',
      message: "trust['de-ausweis'].keys.jwks.keys[0] is a point of small order.",
    });
    published.answer = servingJson({ keys: [{ ...jwkOf(x), kid: 'one' }] });
    expect(await keysVerifier(published.jwksUri).judge('one', issuerKeys)).toBe('key_not_found K15');
  });

  test('F77 any other key of the curve is one', async () => {
    const wallet = newKeyPair('EdDSA');
    const token = mint({ payload: { cnf: { jwk: wallet.jwk } }, binding: { wallet } });
    expect(await checkOfSdJwt(token, { algorithms })).toBe('valid');
  });
});
