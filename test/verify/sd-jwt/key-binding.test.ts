import { describe, expect, test } from '@jest/globals';
import { type Binding, bind, disclose, issuerKeys, mint, newKeyPair } from '../../support/verify/issuer.js';
import { nonce, nowSeconds, walletKeys } from '../../support/verify/issuer.js';
import { type Members, binding as expected, checkOfMint } from '../../support/verify/verdicts.js';
import { checkOfSdJwt, judgeEach, judgeValues, verify } from '../../support/verify/verdicts.js';

// One token for each way to fail these checks is in support/verify/mutants.ts; here are the others.

type Options = Parameters<typeof checkOfSdJwt>[1];
const check = (binding: Binding, options: Options = {}) => checkOfMint({ binding }, options);
const checkClaims = (payload: Members, keyBinding: object = {}) =>
  check({ payload }, { keyBinding: { ...expected, ...keyBinding } });
const checkCnf = (cnf: unknown) => checkOfMint({ payload: { cnf } });

test('B01 whether there is a key binding is expected, never inferred', async () => {
  expect(await checkOfMint({}, { keyBinding: 'absent' })).toBe('B01');
  const unbound = mint({ binding: 'absent', payload: { cnf: undefined } });
  expect((await verify(unbound, { keyBinding: 'absent' })).keyBinding).toBeUndefined();
});

describe('the header and the signature of the key binding', () => {
  const other = newKeyPair();
  judgeEach(check, {
    'B04 an alg of another key': ['B04', { wallet: newKeyPair('ES384') }, { algorithms: ['ES256', 'ES384'] }],
    'B05 a key in the header is not used': ['B06', { wallet: other, header: { jwk: other.jwk, kid: 'one' } }],
    'B05 a key does no harm': ['valid', { header: { jwk: other.jwk, jku: 'https://a.example', x5c: [7] } }],
    "B06 the signature of the issuer's key": ['B06', { wallet: issuerKeys }],
  });
});

describe('the claims of the key binding', () => {
  const nonces = ['another flow', '', [nonce], 7, null, undefined, {}, `${nonce} `, nonce.toLowerCase()];
  const { audience } = expected;
  const audiences = ['app.example', [audience], [audience, 'other'], '', undefined, null, `${audience}/`];
  judgeValues('B07 the nonce %j is refused', nonces, 'B07', (other) => checkClaims({ nonce: other }));
  judgeValues('B08 the audience %j is refused', audiences, 'B08', (aud) => checkClaims({ aud }));
  judgeValues('B14 sd_hash is %j', [null, 7, '', 'A'.repeat(43)], 'B14', (sd_hash) =>
    checkClaims({ sd_hash }),
  );

  const startedAt = new Date((nowSeconds - 10) * 1000);
  judgeEach(checkClaims, {
    'B10 from the future, by more than the tolerance': ['B10', { iat: nowSeconds + 301 }],
    'B10 from the future, by the tolerance': ['valid', { iat: nowSeconds + 300 }],
    'B10 from the future, without a tolerance': ['B10', { iat: nowSeconds + 1 }, { tolerance: 0 }],
    'B11 older than maxAge': ['B11', { iat: nowSeconds - 301 }],
    'B11 as old as maxAge': ['valid', { iat: nowSeconds - 300 }],
    'B11 older than another maxAge': ['B11', { iat: nowSeconds - 300 }, { maxAge: 299 }],
    'B12 older than the flow, by more': ['B12', { iat: nowSeconds - 31 }, { startedAt, tolerance: 20 }],
    'B12 as old as the flow, tolerated': ['valid', { iat: nowSeconds - 30 }, { startedAt, tolerance: 20 }],
    'B13 exp with the tolerance for a phone': ['B13', { exp: nowSeconds - 300 }],
    'B13 exp a second later': ['valid', { exp: nowSeconds - 299 }],
    'B13 nbf with the tolerance for a phone': ['B13', { nbf: nowSeconds + 301 }],
    'B13 nbf a second earlier': ['valid', { nbf: nowSeconds + 300 }],
    'B17 transaction data that nobody asked for': ['B17', { transaction_data_hashes: [disclose('a')] }],
    'B17 transaction data that are null': ['B17', { transaction_data_hashes: null }],
  });
});

describe('B14 to B15 sd_hash', () => {
  const [issuer = '', first = '', ...rest] = mint({ binding: 'absent' }).split('~');
  const presented = [issuer, ...rest].join('~');
  const sha512 = mint({ binding: 'absent', hash: 'sha512', payload: { _sd_alg: 'sha-512' } });

  judgeEach(checkOfSdJwt, {
    'B14 with the hash that _sd_alg names': ['valid', sha512 + bind(sha512, {}, 'sha512')],
    'B14 with another hash than _sd_alg names': ['B14', sha512 + bind(sha512, {}, 'sha256')],
    'B15 fewer Disclosures than were issued': ['valid', presented + bind(presented)],
    'B15 a Disclosure that was kept back': ['B14', [issuer, first, ...rest].join('~') + bind(presented)],
  });
});

describe('C11 the confirmation key', () => {
  const { jwk } = walletKeys;
  const cnfs = [undefined, null, 'thumbprint', [], {}, { jwk: null }, { jwk: 'a' }, { jwk: [jwk] }];
  judgeValues('C11 cnf is %j', cnfs, 'C11', checkCnf);
  const jku = 'https://wallet.example/jwks.json';

  judgeEach(checkCnf, {
    'C11 by kid': ['C11', { kid: 'one' }],
    'C11 by jku': ['C11', { jku, kid: 'one' }],
    'C11 by x5u': ['C11', { x5u: 'https://wallet.example/chain.pem' }],
    'C11 by jkt': ['C11', { jkt: 'thumbprint' }],
    'C11 by kid and jkt': ['C11', { kid: 'one', jkt: 'thumbprint' }],
    'C11 by jwk and jku': ['C11', { jwk, jku }],
  });
  judgeEach((key: unknown) => checkCnf({ jwk: key }), {
    'C11 cnf.jwk is a private key': ['C11', walletKeys.privateJwk],
    'C11 cnf.jwk is a symmetric key': ['C11', { kty: 'oct', k: 'c2VjcmV0' }],
    'C11 cnf.jwk is a foreign curve': ['C11', newKeyPair('ES384').jwk],
    'C11 cnf.jwk is an RSA key': ['C11', newKeyPair('PS256').jwk],
    'C11 cnf.jwk is an unknown type': ['C11', { kty: 'AKP', pub: 'a' }],
    'C11 cnf.jwk is no type': ['C11', { ...jwk, kty: undefined }],
    'C11 cnf.jwk is no x': ['C11', { ...jwk, x: undefined }],
    'C11 cnf.jwk is a y that is no string': ['C11', { ...jwk, y: 7 }],
    'C11 cnf.jwk is an encryption key': ['C11', { ...jwk, use: 'enc' }],
    'C11 cnf.jwk is a key for other work': ['C11', { ...jwk, key_ops: ['sign'] }],
    'C11 cnf.jwk is other work, twice': ['C11', { ...jwk, key_ops: ['sign', 'deriveKey'] }],
    'C11 cnf.jwk is work that is no list': ['C11', { ...jwk, key_ops: 'verify' }],
    'C11 cnf.jwk is no point of its curve': ['C11', { ...jwk, x: issuerKeys.jwk['x'] }],
    "C16 cnf.jwk is limited to the key binding's own alg": ['valid', { ...jwk, alg: 'ES256' }],
    'B18 a minimal cnf.jwk is enough': ['valid', { kty: 'EC', crv: 'P-256', x: jwk['x'], y: jwk['y'] }],
    'B18 one that says more': ['valid', { ...jwk, use: 'sig', key_ops: ['verify'], kid: 'one', x5u: 'a' }],
  });
  judgeValues('C16 cnf.jwk is limited to the alg %j', ['ES384', 'PS256', 7, null], 'C16', (alg) =>
    checkCnf({ jwk: { ...jwk, alg } }),
  );

  const names: object[] = [{}, { kid: 'one' }, { jkt: 'thumbprint' }, { kid: 'one', jkt: 'thumbprint' }];
  const uses: object[] = [
    {},
    { key_ops: [] },
    { key_ops: ['verify'] },
    { key_ops: [], ext: true, use: 'sig' },
  ];
  const good = names.flatMap((name) => uses.map((use) => ({ ...name, jwk: { ...jwk, ...use } })));

  test.each(good)('F81 what real issuers write into cnf: %j', async (value) => {
    expect(await checkCnf(value)).toBe('valid');
    expect(await checkCnf({ ...value, jku })).toBe('C11');
    expect(await checkCnf({ ...value, jwk: { ...value.jwk, use: 'enc' } })).toBe('C11');
    expect(await checkCnf({ ...value, jwk: { ...value.jwk, d: walletKeys.privateJwk['d'] } })).toBe('C11');
    expect(await checkCnf({ ...value, jwk: issuerKeys.jwk })).toBe('B06');
  });
});
