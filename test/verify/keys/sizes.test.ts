import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Jwk } from '../../../lib/types/trust.js';
import { certify } from '../../support/verify/certificates.js';
import { type KeyPair, mint, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { inShort, judge, present, trustIn } from '../trust/trusting.js';
import { checkOf, thrown } from '../../support/verify/verdicts.js';
import { anchoredIn, told } from '../../support/verify/chains.js';
import { json, jwksServer, verifierOf } from './jwks-server.js';

const published = jwksServer();
const bytes = (member: unknown) => Buffer.from(String(member), 'base64url');
const zero = Buffer.alloc(1);

/** An RSA key pair with this public exponent. */
const rsa = (publicExponent: number): KeyPair => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent });
  const [jwk, privateJwk] = [publicKey, privateKey].map((key) => key.export({ format: 'jwk' }) as Jwk);
  if (jwk === undefined || privateJwk === undefined) throw new Error('There is no key.');
  return { alg: 'PS256', publicKey, privateKey, jwk, privateJwk };
};

/** Other spellings of the same public key, which Node imports all the same. */
function respelled({ jwk }: KeyPair): [what: string, jwk: Jwk][] {
  const { x } = jwk;
  const all: [what: string, jwk: Jwk][] = [
    [
      'a coordinate with a zero in front',
      { ...jwk, x: Buffer.concat([zero, bytes(x)]).toString('base64url') },
    ],
    ['a coordinate with padding', { ...jwk, x: `${String(x)}=` }],
    ['a coordinate in base64', { ...jwk, x: bytes(x).toString('base64') }],
  ];
  return all.filter(([, other]) => other['x'] !== x); // 48 bytes may look the same in both alphabets
}

/** A key whose first coordinate begins with a zero, which a sloppy encoder leaves out. */
function shortened(): KeyPair {
  for (;;) {
    const keys = newKeyPair();
    if (bytes(keys.jwk['x'])[0] !== 0) continue;
    return { ...keys, jwk: { ...keys.jwk, x: bytes(keys.jwk['x']).subarray(1).toString('base64url') } };
  }
}

const short = shortened();

describe('K17 the sizes of what a key is made of', () => {
  const wrong: [what: string, wallet: KeyPair, jwk: Jwk][] = [
    ...respelled(walletKeys).map(([what, jwk]): [string, KeyPair, Jwk] => [what, walletKeys, jwk]),
    ['a coordinate without its zero', short, short.jwk],
  ];

  test.each(wrong)('K17 a cnf.jwk with %s', async (_, wallet, jwk) => {
    const token = mint({ payload: { cnf: { jwk } }, binding: { wallet } });
    expect(await checkOf(token)).toBe('K17');
  });

  test.each(wrong)('K17 a configured key with %s', async (_, __, jwk) => {
    const run = async () => await judge(present(), trustIn({ keys: { jwks: { keys: [jwk] } } }));
    expect(await thrown(run)).toMatchObject({
      code: 'config_invalid',
      message: "trust['de-ausweis'].keys.jwks.keys[0] is a key with members of a wrong size.",
    });
  });

  test.each(wrong)('K17 a published key with %s does not count', async (_, issuer, jwk) => {
    published.answer = json({ keys: [{ ...jwk, kid: 'one' }] });
    expect(await verifierOf(published.url).judge('one', issuer)).toBe('key_not_found K15');
  });

  test.each(['ES384', 'ES512', 'EdDSA'])('K17 of %s', async (alg) => {
    const keys = newKeyPair(alg);
    const judged = async (jwk: Jwk) => {
      const trust = trustIn({ keys: { jwks: { keys: [jwk] } }, algorithms: ['ES256', alg] });
      return inShort(await judge(present({ issuer: keys }), trust));
    };
    expect(await judged(keys.jwk)).toBe('valid');
    for (const [, jwk] of respelled(keys)) {
      expect(await thrown(async () => await judged(jwk))).toMatchObject({ code: 'config_invalid' });
    }
  });
});

describe('K17 RSA exponents', () => {
  const small = rsa(3);
  const usual = rsa(65_537);
  const algorithms = ['ES256', 'PS256'];
  const exponent = (value: bigint) => {
    const hex = value.toString(16);
    return {
      ...usual.jwk,
      e: Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url'),
    };
  };
  const configured = async (jwk: Jwk) =>
    await thrown(
      async () => await judge(present(), trustIn({ keys: { jwks: { keys: [jwk] } }, algorithms })),
    );

  test('K17 3 is accepted in a key of the configuration, and in no other', async () => {
    const trust = trustIn({ keys: { jwks: { keys: [small.jwk] } }, algorithms });
    expect(inShort(await judge(present({ issuer: small }), trust))).toBe('valid');
    const token = mint({ payload: { cnf: { jwk: small.jwk } }, binding: { wallet: small } });
    expect(await checkOf(token, { algorithms })).toBe('K17');
    expect(
      await checkOf(mint({ payload: { cnf: { jwk: usual.jwk } }, binding: { wallet: usual } }), {
        algorithms,
      }),
    ).toBe('accepted');
  });

  test.each([1n, 2n, 4n, 65_538n, 2n ** 32n + 1n, 2n ** 64n + 1n])(
    'K17 %s in no key at all',
    async (value) => {
      expect(await configured(exponent(value))).toMatchObject({ code: 'config_invalid' });
    },
  );

  test.each([undefined, 7, '', '=', 'AQAB='])('K17 nor where e is %p', async (e) => {
    expect(await configured({ ...usual.jwk, e })).toMatchObject({ code: 'config_invalid' });
  });

  test('K17 in certificates of a chain, but not in the anchor that the operator chose', async () => {
    const anchor = certify({ subject: 'Small Root', isCa: true, keys: small });
    const trust = anchoredIn([anchor], { algorithms });
    const middle = (keys: KeyPair) => certify({ subject: 'CA', isCa: true, issuer: anchor, keys });
    const below = (issuer = middle(usual), keys = newKeyPair()) => [
      certify({ subject: 'PID Issuer', issuer, keys }),
      issuer,
    ];
    expect(await told(below(), trust)).toBe('valid');
    expect(await told(below(middle(usual), small), trust)).toBe(
      'K17 x5c[0] has an RSA key with an unsafe exponent.',
    );
    expect(await told(below(middle(small)), trust)).toBe(
      'K17 x5c[1] has an RSA key with an unsafe exponent.',
    );
  });
});
