import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { flattenedVerify, importJWK } from 'jose';
import type { Jwk } from '../../../lib/index.js';
import { type KeyPair, type Mint, encode, issuerKeys, mint } from '../../support/verify/issuer.js';
import { newKeyPair, signJws, walletKeys } from '../../support/verify/issuer.js';
import {
  checkOfMint,
  checkOfSdJwt,
  judgeEach,
  refuse,
  refuseEach,
  verify,
} from '../../support/verify/verdicts.js';

/** What jose says of the same JWS. */
async function joseSays(
  { jwk }: KeyPair,
  alg: string,
  [header, payload]: string[],
  signature: Buffer,
): Promise<boolean> {
  const key = await importJWK({ ...jwk }, alg);
  const jws = { protected: header ?? '', payload: payload ?? '', signature: signature.toString('base64url') };
  return await flattenedVerify(jws, key, { algorithms: [alg] }).then(
    () => true,
    () => false,
  );
}

/** The signature as it is, and in every wrong form that comes to mind. */
function forms(good: Buffer, { privateKey }: KeyPair, signed: Buffer): [what: string, signature: Buffer][] {
  const flipped = (at: number) => {
    const copy = Buffer.from(good);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };
  const half = good.length / 2;
  const isEc = privateKey.asymmetricKeyType === 'ec';
  return [
    ['as it is', good],
    ['its first byte changed', flipped(0)],
    ['its last byte changed', flipped(good.length - 1)],
    ['cut off', good.subarray(0, -1)],
    ['a byte longer', Buffer.concat([good, Buffer.alloc(1)])],
    ['a zero before it', Buffer.concat([Buffer.alloc(1), good])],
    ['zeros', Buffer.alloc(good.length)],
    ['ones', Buffer.alloc(good.length, 0xff)],
    ['its halves exchanged', Buffer.concat([good.subarray(half), good.subarray(0, half)])],
    ...(isEc ? ([['DER', sign('sha256', signed, privateKey)]] as [string, Buffer][]) : []),
  ];
}

/** RSA keys take long to make, so the algorithms of RSA share two pairs. */
const rsa = [newKeyPair('RS256'), newKeyPair('RS256')] as const;
const pairsFor = (alg: string): readonly [KeyPair, KeyPair] =>
  /^[PR]S/.test(alg)
    ? [
        { ...rsa[0], alg },
        { ...rsa[1], alg },
      ]
    : [newKeyPair(alg), newKeyPair(alg)];
const [ps256] = pairsFor('PS256');
const supported = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');

/** What the kit says of an SD-JWT of this JWS alone. */
const check = (segments: readonly string[], signature: Buffer, { jwk }: KeyPair, alg: string) =>
  checkOfSdJwt(`${segments.slice(0, 2).join('.')}.${signature.toString('base64url')}~`, {
    key: jwk,
    algorithms: [alg],
    keyBinding: 'absent',
  });
const signAs = (alg: string, keys: KeyPair) =>
  signJws({ alg, typ: 'dc+sd-jwt' }, { iss: 'https://issuer.example' }, keys).split('.');

describe('K02 a signature is good exactly where jose finds it good', () => {
  test.each(supported)('K02 %s', async (alg) => {
    const [keys, others] = pairsFor(alg);
    const segments = signAs(alg, keys);
    const signed = Buffer.from(segments.slice(0, 2).join('.'));
    const good = Buffer.from(segments[2] ?? '', 'base64url');
    for (const [what, signature] of forms(good, keys, signed)) {
      expect([what, await check(segments, signature, keys, alg)]).toEqual([
        what,
        what === 'as it is' ? 'valid' : 'K02',
      ]);
      expect([what, await joseSays(keys, alg, segments, signature)]).toEqual([what, what === 'as it is']);
    }
    expect(await check(segments, good, others, alg)).toBe('K02');
    expect(await check([segments[0] ?? '', encode({ iss: 'a' })], good, keys, alg)).toBe('K02');
  });

  test('K02 a PSS signature whose salt has another length', async () => {
    const segments = signAs('PS256', ps256);
    const signed = Buffer.from(segments.slice(0, 2).join('.'));
    const { privateKey: key } = ps256;
    const signature = sign('sha256', signed, {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 20,
    });
    expect(await check(segments, signature, ps256, 'PS256')).toBe('K02');
    expect(await joseSays(ps256, 'PS256', segments, signature)).toBe(false);
  });

  const whole = new RegExp(`supported are ${supported.join(', ')}\\.$`);
  refuse('K02 the list is whole', () => verify(mint(), { algorithms: ['HS256'] }), whole);
});

describe('H01 H02 alg is on the list, and fits the key', () => {
  const both = ['ES256', 'ES384'];
  const limitedTo = (alg: string) => ({ key: { ...ps256.jwk, alg }, algorithms: ['ES256', 'PS256'] });
  const p384 = newKeyPair('ES384');

  test.each(['ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'])(
    'H01 %s passes where it is allowed',
    async (alg) => {
      const [keys] = pairsFor(alg);
      const token = mint({ issuer: keys, binding: { wallet: keys }, payload: { cnf: { jwk: keys.jwk } } });
      expect(await checkOfSdJwt(token, { key: keys.jwk, algorithms: [alg] })).toBe('valid');
      expect(await checkOfSdJwt(token, { key: keys.jwk })).toBe('H01');
    },
  );

  judgeEach(checkOfMint, {
    'H02 another curve': ['H02', { issuer: p384 }, { algorithms: both }],
    'H02 a key of another curve': ['H02', {}, { algorithms: both, key: p384.jwk }],
    'H02 another type of key: RSA': ['H02', {}, { key: ps256.jwk }],
    'H02 another type of key: Ed25519': ['H02', {}, { key: newKeyPair('EdDSA').jwk }],
    'H02 a key limited to RS256': ['H02', { issuer: ps256 }, limitedTo('RS256')],
    'H02 a key that is limited to its algorithm': ['valid', { issuer: ps256 }, limitedTo('PS256')],
    'H02 a key limited to another algorithm': ['H02', {}, { key: { ...issuerKeys.jwk, alg: 'ES384' } }],
    'H03 vc+sd-jwt by the option': ['valid', { header: { typ: 'vc+sd-jwt' } }, { types: ['vc+sd-jwt'] }],
  });
});

describe('H05 to H07 nothing in a token supplies a key', () => {
  const attacker = newKeyPair();
  const offers: [name: string, header: Mint['header'] & object][] = [
    ['jwk', { jwk: attacker.jwk }],
    ['jku', { jku: 'https://attacker.example/jwks.json' }],
    ['x5u', { x5u: 'https://attacker.example/chain.pem' }],
    ['x5c', { x5c: [attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] }],
    ['kid', { kid: `did:jwk:${encode(attacker.jwk)}` }],
  ];

  test.each(offers)(
    'H05 a key by %s is not used, nor looked at where the configured key fits',
    async (_, header) => {
      const fetch = jest.spyOn(globalThis, 'fetch');
      expect(await checkOfMint({ issuer: attacker, header })).toBe('K02');
      expect(await checkOfMint({ header, binding: { header } })).toBe('valid');
      expect(fetch).not.toHaveBeenCalled();
      fetch.mockRestore();
    },
  );

  test('H07 a function that finds the key gets the protected header, which is all there is', async () => {
    const seen: unknown[] = [];
    const { header } = await verify(mint({ header: { kid: 'one', x5c: ['a'] } }), {
      key: (protectedHeader) => {
        seen.push(protectedHeader);
        return issuerKeys.jwk;
      },
    });
    expect(seen).toEqual([{ alg: 'ES256', typ: 'dc+sd-jwt', kid: 'one', x5c: ['a'] }]);
    expect(header).toEqual(seen[0]);
  });

  const iss = 'https://attacker.example';
  judgeEach(checkOfMint, {
    'H06 the token cannot choose: its iss is not resolved': ['K02', { issuer: attacker, payload: { iss } }],
    "K02 the issuer's signature is of the wallet": ['K02', { issuer: walletKeys }],
    'K02 is named where both are bad': ['K02', { issuer: attacker, binding: { wallet: attacker } }],
  });
});

describe('K15 no usable key, or one that nothing is checked with', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2047 });
  const jwk = publicKey.export({ format: 'jwk' }) as Jwk;
  const short = { ...ps256, publicKey, privateKey, jwk };
  const algorithms = ['ES256', 'PS256'];

  judgeEach(checkOfMint, {
    'K15 a function that finds none': ['key_not_found K15', {}, { key: () => undefined }],
    'K15 a promise of none': ['key_not_found K15', {}, { key: () => Promise.resolve(undefined) }],
    'K15 an RSA key of 2047 bits': ['key_not_found K15', { issuer: short }, { key: jwk, algorithms }],
    'C11 RSA of 2047 bits': [
      'C11',
      { payload: { cnf: { jwk } }, binding: { wallet: short } },
      { algorithms },
    ],
    'K15 an RSA key of 2048 bits is enough': ['valid', { issuer: ps256 }, { key: ps256.jwk, algorithms }],
  });
  judgeEach((change: object) => checkOfMint({}, { key: { ...issuerKeys.jwk, ...change } }), {
    'K15 a JWK that is no point of its curve': ['key_not_found K15', { x: walletKeys.jwk['x'] }],
    'K15 a JWK with zeros': ['key_not_found K15', { x: 'A'.repeat(43), y: 'A'.repeat(43) }],
  });
  const spelled: [what: string, change: object][] = [
    ['a coordinate that is too short', { x: String(issuerKeys.jwk['x']).slice(0, 20) }],
    ['an empty coordinate', { y: '' }],
    ['the point at infinity', { x: '', y: '' }],
  ];
  refuseEach('K15 K17 a JWK with %s', spelled, (change) =>
    checkOfMint({}, { key: { ...issuerKeys.jwk, ...change } }),
  );
});
