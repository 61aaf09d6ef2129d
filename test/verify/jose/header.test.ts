import { createHmac } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import {
  type KeyPair,
  encode,
  issuerKeys,
  mint,
  newKeyPair,
  signJws,
  walletKeys,
} from '../../support/verify/issuer.js';
import { checkOf, verify } from '../../support/verify/verdicts.js';

const attacker = newKeyPair();
const p384 = newKeyPair('ES384');

describe('H01 alg is on the list', () => {
  test.each(['none', 'HS256', 'RS256', 'ES384', 'es256', 'ES256 ', '', 7, null, ['ES256'], undefined])(
    'H01 %p is refused',
    async (alg) => {
      expect(await checkOf(mint({ header: { alg } }))).toBe('H01');
    },
  );

  test("H01 a MAC with the issuer's public key as its secret is refused", async () => {
    const [header, payload] = [encode({ alg: 'HS256', typ: 'dc+sd-jwt' }), mint().split('.')[1]];
    const secret = issuerKeys.publicKey.export({ type: 'spki', format: 'pem' });
    const mac = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
    expect(await checkOf(`${header}.${payload}.${mac}~`, { keyBinding: 'absent' })).toBe('H01');
  });

  test.each(['ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'])(
    'H01 %s passes where it is allowed',
    async (alg) => {
      const keys = newKeyPair(alg);
      const token = mint({
        issuer: keys,
        binding: { wallet: keys },
        payload: { cnf: { jwk: keys.jwk } },
      });
      expect(await checkOf(token, { key: keys.jwk, algorithms: [alg] })).toBe('accepted');
      expect(await checkOf(token, { key: keys.jwk })).toBe('H01');
    },
  );
});

describe('H02 alg fits the key', () => {
  const algorithms = ['ES256', 'ES384'];

  test('H02 another curve', async () => {
    expect(await checkOf(mint({ issuer: p384 }), { algorithms })).toBe('H02');
    expect(await checkOf(mint(), { algorithms, key: p384.jwk })).toBe('H02');
  });

  test('H02 another type of key', async () => {
    expect(await checkOf(mint(), { key: newKeyPair('PS256').jwk })).toBe('H02');
    expect(await checkOf(mint(), { key: newKeyPair('EdDSA').jwk })).toBe('H02');
  });

  test('H02 a key that is limited to another algorithm', async () => {
    const rsa = newKeyPair('PS256');
    const token = mint({ issuer: rsa });
    const allowed = ['ES256', 'PS256'];
    expect(await checkOf(token, { key: { ...rsa.jwk, alg: 'RS256' }, algorithms: allowed })).toBe('H02');
    expect(await checkOf(token, { key: { ...rsa.jwk, alg: 'PS256' }, algorithms: allowed })).toBe('accepted');
    expect(await checkOf(mint(), { key: { ...issuerKeys.jwk, alg: 'ES384' } })).toBe('H02');
  });
});

describe('H03 typ is exactly the one that is expected', () => {
  test.each([
    'vc+sd-jwt',
    'DC+SD-JWT',
    'application/dc+sd-jwt',
    'dc+sd-jwt ',
    'JWT',
    7,
    ['dc+sd-jwt'],
    undefined,
  ])('H03 %p is refused', async (typ) => {
    expect(await checkOf(mint({ header: { typ } }))).toBe('H03');
  });

  test('H03 vc+sd-jwt passes behind the option alone', async () => {
    const token = mint({ header: { typ: 'vc+sd-jwt' } });
    expect(await checkOf(token, { types: ['dc+sd-jwt', 'vc+sd-jwt'] })).toBe('accepted');
  });
});

describe('H04 no extensions', () => {
  test.each([
    ['an unknown extension', { crit: ['exp'], exp: 1 }],
    ['an empty crit', { crit: [] }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
    ['an unencoded payload, not declared', { b64: false }],
  ])('H04 %s', async (_, header) => {
    expect(await checkOf(mint({ header }))).toBe('H04');
    expect(await checkOf(mint({ binding: { header } }))).toBe('H04');
  });
});

describe('H05 nothing in a header supplies a key', () => {
  const offers: readonly (readonly [string, Record<string, unknown>])[] = [
    ['jwk', { jwk: attacker.jwk }],
    ['jku', { jku: 'https://attacker.example/jwks.json' }],
    ['x5u', { x5u: 'https://attacker.example/chain.pem' }],
    ['x5c', { x5c: [attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] }],
    ['kid', { kid: `did:jwk:${encode(attacker.jwk)}` }],
  ];

  test.each(offers)('H05 a key by %s is not used', async (_, header) => {
    expect(await checkOf(mint({ issuer: attacker, header }))).toBe('K02');
  });

  test.each(offers)('H05 %s is not looked at where the configured key fits', async (_, header) => {
    const fetch = jest.spyOn(globalThis, 'fetch');
    expect(await checkOf(mint({ header, binding: { header } }))).toBe('accepted');
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });
});

test('H06 the token cannot choose the mechanism: its iss is not resolved', async () => {
  const token = mint({ issuer: attacker, payload: { iss: 'https://attacker.example' } });
  expect(await checkOf(token)).toBe('K02');
});

test('H07 a function that finds the key gets the protected header, which is all there is', async () => {
  const seen: unknown[] = [];
  const token = mint({ header: { kid: 'one', x5c: ['a'] } });
  const { header } = await verify(token, {
    key: (protectedHeader) => {
      seen.push(protectedHeader);
      return issuerKeys.jwk;
    },
  });
  expect(seen).toEqual([{ alg: 'ES256', typ: 'dc+sd-jwt', kid: 'one', x5c: ['a'] }]);
  expect(header).toEqual(seen[0]);
});

describe("K02 the issuer's signature", () => {
  const signedBy = (keys: KeyPair) => mint({ issuer: keys });

  test('K02 of another key is refused', async () => {
    expect(await checkOf(signedBy(attacker))).toBe('K02');
    expect(await checkOf(signedBy(walletKeys))).toBe('K02');
  });

  test('K02 over another payload is refused', async () => {
    const [header, , signature] = signJws(
      { alg: 'ES256', typ: 'dc+sd-jwt' },
      { vct: 'other' },
      issuerKeys,
    ).split('.');
    const payload = encode({ given_name: 'Mallory' });
    expect(await checkOf([header, payload, `${signature}~`].join('.'), { keyBinding: 'absent' })).toBe('K02');
  });

  test('K02 is named where both signatures are bad', async () => {
    expect(await checkOf(mint({ issuer: attacker, binding: { wallet: attacker } }))).toBe('K02');
  });
});

describe('K15 no usable key', () => {
  test('K15 a function that finds none', async () => {
    expect(await checkOf(mint(), { key: () => undefined })).toBe('key_not_found K15');
    expect(await checkOf(mint(), { key: async () => await Promise.resolve(undefined) })).toBe(
      'key_not_found K15',
    );
  });

  test('K15 a key that is no point of its curve', async () => {
    const key = { ...issuerKeys.jwk, x: walletKeys.jwk['x'] };
    expect(await checkOf(mint(), { key })).toBe('key_not_found K15');
    expect(await checkOf(mint(), { key })).toBe('key_not_found K15');
  });
});
