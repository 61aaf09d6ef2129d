import { generateKeyPairSync } from 'node:crypto';
import { describe, test, expect } from '@jest/globals';
import type { Jwk } from '../../../lib/index.js';
import { anchoredIn, caOf, explainChain, signerBelow } from '../../support/verify/chains.js';
import { type KeyPair, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { issuerServer, keysVerifier, servingJson } from '../../support/verify/servers.js';
import { checkOf, checkOfMint, judgeEach, present, refuseEach } from '../../support/verify/verdicts.js';
import { trustIn } from '../../support/verify/verdicts.js';

const published = issuerServer();
const bytes = (member: unknown) => Buffer.from(String(member), 'base64url');

/** An RSA key pair with this public exponent. */
const rsa = (publicExponent: number): KeyPair => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent });
  const [jwk, privateJwk] = [publicKey, privateKey].map((key) => key.export({ format: 'jwk' }) as Jwk);
  return { alg: 'PS256', publicKey, privateKey, jwk: jwk as Jwk, privateJwk: privateJwk as Jwk };
};

/** Other spellings of the same public key, which Node imports all the same. */
function respelled({ jwk }: KeyPair): [what: string, jwk: Jwk][] {
  const { x } = jwk;
  const all: [what: string, x: string][] = [
    ['a coordinate with a zero in front', Buffer.concat([Buffer.alloc(1), bytes(x)]).toString('base64url')],
    ['a coordinate with padding', `${String(x)}=`],
    ['a coordinate in base64', bytes(x).toString('base64')],
  ];
  // 48 bytes may look the same in both alphabets
  return all.filter(([, other]) => other !== x).map(([what, other]) => [what, { ...jwk, x: other }]);
}

/** A key whose first coordinate begins with a zero, which a sloppy encoder leaves out. */
function shortened(): KeyPair {
  for (;;) {
    const keys = newKeyPair();
    const x = bytes(keys.jwk['x']);
    if (x[0] === 0) return { ...keys, jwk: { ...keys.jwk, x: x.subarray(1).toString('base64url') } };
  }
}
const short = shortened();

/** The verdict on what these keys signed, which are configured like this. */
const configured = (jwk: Jwk, issuer?: KeyPair, algorithms = ['ES256', 'PS256']) =>
  checkOf(present(issuer ? { issuer } : {}), trustIn({ keys: { jwks: { keys: [jwk] } }, algorithms }));

describe('K17 the sizes of what a key is made of', () => {
  const wrong: [what: string, jwk: Jwk, keys: KeyPair][] = [
    ...respelled(walletKeys).map(([what, jwk]): [string, Jwk, KeyPair] => [what, jwk, walletKeys]),
    ['a coordinate without its zero', short.jwk, short],
  ];
  const message = "trust['de-ausweis'].keys.jwks.keys[0] is a key with members of a wrong size.";

  test.each(wrong)('K17 a cnf.jwk with %s', async (_, jwk, wallet) => {
    expect(await checkOfMint({ payload: { cnf: { jwk } }, binding: { wallet } })).toBe('K17');
  });
  const rows = wrong.map(([what, jwk]) => [what, jwk, message] as const);
  refuseEach('K17 a configured key with %s', rows, (jwk) => configured(jwk));
  test.each(wrong)('K17 a published key with %s does not count', async (_, jwk, issuer) => {
    published.answer = servingJson({ keys: [{ ...jwk, kid: 'one' }] });
    expect(await keysVerifier(published.jwksUri).judge('one', issuer)).toBe('key_not_found K15');
  });

  for (const alg of ['ES384', 'ES512', 'EdDSA']) {
    const keys = newKeyPair(alg);
    judgeEach(configured, { [`K17 of ${alg}`]: ['valid', keys.jwk, keys, ['ES256', alg]] });
    refuseEach(`K17 of ${alg}: %s`, respelled(keys), (jwk) => configured(jwk, keys, ['ES256', alg]));
  }
});

describe('K17 RSA exponents', () => {
  const small = rsa(3);
  const usual = rsa(65_537);
  const algorithms = ['ES256', 'PS256'];
  const exponent = (value: bigint): Jwk => {
    const hex = value.toString(16);
    const e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
    return { ...usual.jwk, e };
  };
  const confirming = (wallet: KeyPair) => ({ payload: { cnf: { jwk: wallet.jwk } }, binding: { wallet } });

  judgeEach(configured, { 'K17 3 is accepted in a key of the configuration': ['valid', small.jwk, small] });
  judgeEach(checkOfMint, {
    'K17 3 is accepted in no other key': ['K17', confirming(small), { algorithms }],
    'K17 65537 is accepted in any': ['valid', confirming(usual), { algorithms }],
  });
  const noKey = [1n, 2n, 4n, 65_538n, 2n ** 32n + 1n, 2n ** 64n + 1n].map(
    (value) => [value, exponent(value)] as const,
  );
  const noText = [undefined, 7, '', '=', 'AQAB='].map((e) => [e, { ...usual.jwk, e }] as const);
  refuseEach('K17 %s in no key at all', noKey, (jwk) => configured(jwk));
  refuseEach('K17 nor where e is %p', noText, (jwk: Jwk) => configured(jwk));

  const anchor = caOf('Small Root', { keys: small });
  const below = (issuerKeys: KeyPair, keys = newKeyPair()) => {
    const issuer = caOf('CA', { issuer: anchor, keys: issuerKeys });
    return explainChain([signerBelow(issuer, { keys }), issuer], anchoredIn([anchor], { algorithms }));
  };
  judgeEach(below, {
    'K17 not in the anchor that the operator chose': ['valid', usual],
    'K17 in the leaf of a chain': ['K17 x5c[0] has an RSA key with an unsafe exponent.', usual, small],
    'K17 in a CA of a chain': ['K17 x5c[1] has an RSA key with an unsafe exponent.', small],
  });
});
