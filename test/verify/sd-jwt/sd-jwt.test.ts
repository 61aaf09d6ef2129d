import { createPublicKey } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { CompactSign, type CryptoKey, exportJWK, importJWK } from 'jose';
import { verifySdJwt } from '../../../lib/verify/sd-jwt/verify.js';
import { bind, clock, erika, issuerKeys, mint, nonce, now, nowSeconds } from '../../support/verify/issuer.js';
import { walletKeys } from '../../support/verify/issuer.js';
import { binding, checkOfMint, refuseEach, thrown, verify } from '../../support/verify/verdicts.js';

/** Node 20 and 22 make such a key, and abort the process over its JWK. */
function atInfinity() {
  const der = Buffer.from('3019301306072a8648ce3d020106082a8648ce3d03010703020000', 'hex');
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

describe('what comes out', () => {
  test('header, claims and key binding of a good token', async () => {
    const token = mint({ header: { kid: 'one' } });
    const { header, claims, keyBinding } = await verify(token);
    expect(header).toEqual({ alg: 'ES256', typ: 'dc+sd-jwt', kid: 'one' });
    expect(claims).toMatchObject(erika);
    expect(keyBinding).toMatchObject({ nonce, aud: binding.audience, iat: nowSeconds - 5 });
  });

  test('values are hidden from logs and still there', async () => {
    const verified = await verify(mint());
    expect(inspect(verified, { depth: 9 })).not.toMatch(/Erika|1964|n-0S6/);
    expect(inspect(verified.claims)).toContain('given_name: [hidden]');
    expect(inspect(verified.keyBinding)).toContain('nonce: [hidden]');
    expect(verified.claims['given_name']).toBe('Erika');
    expect(JSON.parse(JSON.stringify(verified.claims))).toMatchObject(erika);
  });

  test('a token that jose signed', async () => {
    const sign = async (header: object, payload: object, jwk: object) =>
      await new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'ES256', ...header })
        .sign(await importJWK(jwk, 'ES256'));
    const payload = { given_name: 'Erika', cnf: { jwk: walletKeys.jwk } };
    const presented = `${await sign({ typ: 'dc+sd-jwt' }, payload, issuerKeys.privateJwk)}~`;
    const { claims } = await verify(presented + bind(presented));
    expect(claims['given_name']).toBe('Erika');
  });
});

describe('the key', () => {
  const { publicKey, jwk } = issuerKeys;

  test('a JWK, a KeyObject, a CryptoKey, or a function that finds one', async () => {
    const cryptoKey = await importJWK({ ...jwk }, 'ES256');
    const exported = await exportJWK(publicKey);
    for (const key of [jwk, publicKey, cryptoKey as CryptoKey, exported]) {
      expect(await checkOfMint({}, { key })).toBe('valid');
      expect(await checkOfMint({}, { key: () => key })).toBe('valid');
      expect(await checkOfMint({}, { key: async () => await Promise.resolve(key) })).toBe('valid');
      expect(await checkOfMint({ issuer: walletKeys }, { key })).toBe('K02');
    }
  });

  test('a JWK that was changed in place is another key', async () => {
    const key: Record<string, unknown> & { kty: string } = { ...walletKeys.jwk };
    expect(await checkOfMint({}, { key })).toBe('K02');
    Object.assign(key, jwk);
    expect(await checkOfMint({}, { key })).toBe('valid');
  });

  test('what the function throws comes through', async () => {
    const failure = new Error('the vault is closed');
    const key = () => {
      throw failure;
    };
    expect(await thrown(async () => await verify(mint(), { key }))).toBe(failure);
  });

  const wrong: [what: string, key: unknown, message: string][] = [
    ['null', null, 'key must be a JWK, CryptoKey or KeyObject.'],
    ['F77 the point at infinity', atInfinity(), 'key is a point at infinity, or no key at all.'],
    ['a PEM text', '-----BEGIN PUBLIC KEY-----', 'key must be a JWK, CryptoKey or KeyObject.'],
    ['no JWK', {}, 'key is not a JWK.'],
    ['a private JWK', issuerKeys.privateJwk, 'key is private.'],
    ['a private KeyObject', issuerKeys.privateKey, 'key is private.'],
    ['a secret', { kty: 'oct', k: 'c2VjcmV0' }, 'key is symmetric.'],
    ['an encryption key', { ...jwk, use: 'enc' }, 'key is not a public signature key.'],
  ];
  const missing: typeof wrong = [['missing', undefined, 'key must be a JWK, CryptoKey or KeyObject.']];
  refuseEach('%s is config_invalid', [...missing, ...wrong], (key) =>
    verify(mint(), { key: key as typeof jwk }),
  );
  refuseEach('%s from a function is config_invalid', wrong, (key) =>
    verify(mint(), { key: () => key as typeof jwk }),
  );
});

describe('options that are wrong', () => {
  const { jwk } = issuerKeys;
  const wrong: [what: string, options: unknown, message: RegExp][] = [
    ['none', undefined, /verifySdJwt must be an object/],
    ['no key binding', { keyBinding: undefined }, /keyBinding must be an object/],
    ['another word', { keyBinding: 'skip' }, /keyBinding must be an object/],
    ['a near miss', { keybinding: binding }, /^Unknown option keybinding of /],
    ['no nonce', { keyBinding: { audience: 'a' } }, /keyBinding\.nonce must be a non-empty string/],
    ['an empty nonce', { keyBinding: { ...binding, nonce: '' } }, /keyBinding\.nonce/],
    ['no audience', { keyBinding: { nonce } }, /keyBinding\.audience/],
    ['an unknown name', { keyBinding: { ...binding, aud: 'a' } }, /^Unknown option aud of keyBinding\./],
    ['a negative maxAge', { keyBinding: { ...binding, maxAge: -1 } }, /keyBinding\.maxAge/],
    ['no number', { keyBinding: { ...binding, tolerance: Number.NaN } }, /keyBinding\.tolerance/],
    ['an endless maxAge', { keyBinding: { ...binding, maxAge: Infinity } }, /keyBinding\.maxAge/],
    ['an invalid Date', { keyBinding: { ...binding, startedAt: new Date('soon') } }, /keyBinding\.startedAt/],
    ['a time as a number', { keyBinding: { ...binding, startedAt: nowSeconds } }, /keyBinding\.startedAt/],
    ['no types', { types: [] }, /types must be a list/],
    ['a type alone', { types: 'dc+sd-jwt' }, /types must be a list/],
    ['an empty type', { types: [''] }, /types\[0\] must be a non-empty string/],
    ['no signature at all', { algorithms: ['none'] }, /algorithms has none/],
    ['a MAC', { algorithms: ['ES256', 'HS256'] }, /algorithms has HS256/],
    ['a tolerance as text', { clockTolerance: '5' }, /clockTolerance/],
    ['a Date as clock', { clock: now }, /clock must be a function/],
    ['a clock that stands nowhere', { clock: () => new Date(Number.NaN) }, /clock must return a valid Date/],
    ['an unknown limit', { limits: { bytes: 1 } }, /^Unknown option bytes of limits\./],
    ['a limit that is no number', { limits: { depth: '1' } }, /limits\.depth/],
  ];

  refuseEach('%s is config_invalid', wrong, (change) => {
    const options =
      change === undefined ? change : { key: jwk, keyBinding: binding, clock, ...(change as object) };
    return verifySdJwt(mint(), options as never);
  });

  test('undefined counts as absent, and the default clock is the real one', async () => {
    const iat = Math.floor(Date.now() / 1000);
    const token = mint({ payload: { iat, exp: iat + 60 }, binding: { payload: { iat } } });
    const names = ['types', 'algorithms', 'clock', 'clockTolerance', 'limits'];
    const absent = Object.fromEntries(names.map((name) => [name, undefined]));
    const options = { key: jwk, keyBinding: { ...binding, maxAge: undefined }, ...absent };
    await expect(verifySdJwt(token, options as never)).resolves.toBeDefined();
  });
});
