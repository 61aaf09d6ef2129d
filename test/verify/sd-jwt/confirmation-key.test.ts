import { describe, expect, test } from '@jest/globals';
import { issuerKeys, mint, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { checkOf } from '../../support/verify/verdicts.js';

const cnf = async (value: unknown) => await checkOf(mint({ payload: { cnf: value } }));

describe('C11 the confirmation key', () => {
  const { jwk } = walletKeys;

  test.each([
    [undefined],
    [null],
    ['thumbprint'],
    [[]],
    [{}],
    [{ jwk: null }],
    [{ jwk: 'a' }],
    [{ jwk: [jwk] }],
  ])('C11 cnf is %j', async (value) => {
    expect(await cnf(value)).toBe('C11');
  });

  test.each([
    ['kid', { kid: 'one' }],
    ['jku', { jku: 'https://wallet.example/jwks.json', kid: 'one' }],
    ['x5u', { x5u: 'https://wallet.example/chain.pem' }],
    ['jkt', { jkt: 'thumbprint' }],
    ['kid and jkt', { kid: 'one', jkt: 'thumbprint' }],
    ['jwk and jku', { jwk, jku: 'https://wallet.example/jwks.json' }],
  ])('C11 by %s', async (_, value) => {
    expect(await cnf(value)).toBe('C11');
  });

  test.each([
    ['a private key', walletKeys.privateJwk],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a foreign curve', newKeyPair('ES384').jwk],
    ['an RSA key', newKeyPair('PS256').jwk],
    ['an unknown type', { kty: 'AKP', pub: 'a' }],
    ['no type', { ...jwk, kty: undefined }],
    ['no x', { ...jwk, x: undefined }],
    ['a y that is no string', { ...jwk, y: 7 }],
    ['an encryption key', { ...jwk, use: 'enc' }],
    ['a key for other work', { ...jwk, key_ops: ['sign'] }],
    ['other work, twice', { ...jwk, key_ops: ['sign', 'deriveKey'] }],
    ['work that is no list', { ...jwk, key_ops: 'verify' }],
    ['no point of its curve', { ...jwk, x: issuerKeys.jwk['x'] }],
  ])('C11 cnf.jwk is %s', async (_, key) => {
    expect(await cnf({ jwk: key })).toBe('C11');
  });

  describe('F81 what real issuers write into cnf', () => {
    const names: object[] = [{}, { kid: 'one' }, { jkt: 'thumbprint' }, { kid: 'one', jkt: 'thumbprint' }];
    const uses: object[] = [
      {},
      { key_ops: [] },
      { key_ops: ['verify'] },
      { key_ops: [], ext: true, use: 'sig' },
    ];
    const good = names.flatMap((name) => uses.map((use) => ({ ...name, jwk: { ...jwk, ...use } })));

    test.each(good)('F81 %j', async (value) => {
      expect(await cnf(value)).toBe('accepted');
      expect(await cnf({ ...value, jku: 'https://wallet.example/jwks.json' })).toBe('C11');
      expect(await cnf({ ...value, jwk: { ...value.jwk, use: 'enc' } })).toBe('C11');
      expect(await cnf({ ...value, jwk: { ...value.jwk, d: walletKeys.privateJwk['d'] } })).toBe('C11');
      expect(await cnf({ ...value, jwk: issuerKeys.jwk })).toBe('B06');
    });
  });

  test.each(['ES384', 'PS256', 7, null])('C16 cnf.jwk is limited to the alg %j', async (alg) => {
    expect(await cnf({ jwk: { ...jwk, alg } })).toBe('C16');
  });

  test("C16 cnf.jwk is limited to the key binding's own alg", async () => {
    expect(await cnf({ jwk: { ...jwk, alg: 'ES256' } })).toBe('accepted');
  });

  test('B18 a minimal cnf.jwk is enough, and one that says more is no worse', async () => {
    const { kty, crv, x, y } = jwk as Record<string, unknown>;
    expect(await cnf({ jwk: { kty, crv, x, y } })).toBe('accepted');
    expect(await cnf({ jwk: { ...jwk, use: 'sig', key_ops: ['verify'], kid: 'one', x5u: 'a' } })).toBe(
      'accepted',
    );
  });
});
