import { type KeyObject, constants, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { flattenedVerify, importJWK } from 'jose';
import { algorithmList, isSignedBy } from '../../../lib/verify/jose/algorithms.js';
import { importPublic } from '../../../lib/verify/keys/jwk.js';
import type { Jwk } from '../../../lib/types/trust.js';
import { type KeyPair, issuerKeys, mint, newKeyPair, signJws } from '../../support/verify/issuer.js';
import { checkOf } from '../../support/verify/verdicts.js';

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
    ['nothing', Buffer.alloc(0)],
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

const supported = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');

describe('K02 a signature is good exactly where jose finds it good', () => {
  test('K02 the list is whole', () => {
    expect(algorithmList(supported, 'algorithms')).toEqual(supported);
    expect(() => algorithmList(['HS256'], 'algorithms')).toThrow(`supported are ${supported.join(', ')}.`);
  });

  test.each(supported)('K02 %s', async (alg) => {
    const [keys, others] = pairsFor(alg);
    const segments = signJws({ alg }, { iss: 'https://issuer.example' }, keys).split('.');
    const signed = Buffer.from(segments.slice(0, 2).join('.'));
    const good = Buffer.from(segments[2] ?? '', 'base64url');
    const key = importPublic(keys.jwk) as KeyObject;
    const other = importPublic(others.jwk) as KeyObject;
    const found = [];
    for (const [what, signature] of forms(good, keys, signed)) {
      const isGood = await isSignedBy(key, alg, signed, signature);
      expect([what, isGood]).toEqual([what, await joseSays(keys, alg, segments, signature)]);
      found.push(isGood);
    }
    expect(found).toEqual([true, ...found.slice(1).fill(false)]);
    expect(await isSignedBy(other, alg, signed, good)).toBe(false);
    expect(await isSignedBy(key, alg, Buffer.concat([signed, Buffer.alloc(1)]), good)).toBe(false);
  });

  test('K02 a PSS signature whose salt has another length', async () => {
    const [keys] = pairsFor('PS256');
    const segments = signJws({ alg: 'PS256' }, {}, keys).split('.');
    const signed = Buffer.from(segments.slice(0, 2).join('.'));
    const signature = sign('sha256', signed, {
      key: keys.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 20,
    });
    expect(await isSignedBy(importPublic(keys.jwk) as KeyObject, 'PS256', signed, signature)).toBe(false);
    expect(await joseSays(keys, 'PS256', segments, signature)).toBe(false);
  });
});

describe('K15 keys that nothing is checked with', () => {
  test('K15 an RSA key of fewer than 2048 bits', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2047 });
    const jwk = publicKey.export({ format: 'jwk' }) as Jwk;
    const [long] = pairsFor('PS256');
    const short = { ...long, publicKey, privateKey, jwk };
    const algorithms = ['ES256', 'PS256'];
    expect(await checkOf(mint({ issuer: short }), { key: jwk, algorithms })).toBe('key_not_found K15');
    const wallet = { ...short, alg: 'PS256' };
    const bound = mint({ payload: { cnf: { jwk } }, binding: { wallet } });
    expect(await checkOf(bound, { algorithms })).toBe('C11');
    expect(await checkOf(mint({ issuer: long }), { key: long.jwk, algorithms })).toBe('accepted');
  });

  test.each([
    ['no point of its curve', { x: newKeyPair().jwk['x'] }],
    ['a coordinate that is too short', { x: String(issuerKeys.jwk['x']).slice(0, 20) }],
    ['an empty coordinate', { y: '' }],
    ['the point at infinity', { x: '', y: '' }],
    ['zeros', { x: 'A'.repeat(43), y: 'A'.repeat(43) }],
  ])('K15 a JWK with %s', (_, change) => {
    expect(importPublic({ ...issuerKeys.jwk, ...change })).toBeUndefined();
  });
});
