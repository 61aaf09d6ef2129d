import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { clock, issuerKeys, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { expected, inShort, judge, present, trustIn } from '../trust/trusting.js';

const { jwk } = issuerKeys;
const larger = newKeyPair('ES384');

describe('K12 a static JWK set', () => {
  const [one, two] = [
    { ...jwk, kid: 'one' },
    { ...walletKeys.jwk, kid: 'two' },
  ];
  const by = async (kid: unknown, ...keys: (typeof jwk)[]) =>
    inShort(await judge(present({ header: { kid } }), trustIn({ keys: { jwks: { keys } } })));

  test('K12 the kid selects exactly one key', async () => {
    expect(await by('one', two, one)).toBe('valid');
    expect(await by('two', two, one)).toBe('presentation_invalid K02');
  });

  test('K12 without a kid the only key is meant', async () => {
    expect(await by(undefined, one)).toBe('valid');
    expect(await by(undefined, jwk)).toBe('valid');
  });

  test('K12 no kid and several keys', async () => {
    expect(await by(undefined, one, two)).toBe('key_not_found K12');
  });

  test('K12 an unknown kid', async () => {
    expect(await by('three', one, two)).toBe('key_not_found K12');
    expect(await by('one', jwk)).toBe('key_not_found K12');
  });

  test.each([[7], [null], [['one']], [{}]])('K12 the kid is %j', async (kid) => {
    expect(await by(kid, one)).toBe('key_not_found K12');
    expect(await by(kid, jwk)).toBe('key_not_found K12');
  });

  test('H02 the selected key is limited to another algorithm', async () => {
    const trust = trustIn({
      keys: { jwks: { keys: [{ ...larger.jwk, kid: 'one', alg: 'ES384' }, two] } },
    });
    expect(inShort(await judge(present({ header: { kid: 'one' } }), trust))).toBe('presentation_invalid H02');
  });
});

test('a changed trust object does not change what was compiled', async () => {
  const keys = [{ ...jwk }];
  const trust = trustIn({ keys: { jwks: { keys } } });
  const verifier = createVerifiers(trust, { clock }).get('de-ausweis');
  keys[0] = { ...walletKeys.jwk };
  const verdict = await verifier?.(present(), expected);
  expect(verdict?.valid).toBe(true);
});
