import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/presentation/verifiers.js';
import { clock, issuerKeys, newKeyPair, walletKeys } from '../issuer.js';
import { expected, inShort, judge, present, trustIn } from '../trust/trusting.js';

const { jwk } = issuerKeys;

describe('K12 a static JWK set', () => {
  const [one, two, other] = [
    { ...jwk, kid: 'one' },
    { ...walletKeys.jwk, kid: 'two' },
    { ...newKeyPair().jwk, kid: 'one' },
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
    expect(await by(undefined, one, two)).toBe('key_unresolved K12');
  });

  test('K12 one kid and two keys of that name', async () => {
    expect(await by('one', one, other)).toBe('key_unresolved K12');
  });

  test('K12 an unknown kid', async () => {
    expect(await by('three', one, two)).toBe('key_unresolved K12');
    expect(await by('one', jwk)).toBe('key_unresolved K12');
  });

  test.each([[7], [null], [['one']], [{}]])('K12 the kid is %j', async (kid) => {
    expect(await by(kid, one)).toBe('key_unresolved K12');
    expect(await by(kid, { ...jwk, kid })).toBe('key_unresolved K12');
  });

  test('H02 the selected key is limited to another algorithm', async () => {
    expect(await by('one', { ...one, alg: 'ES384' })).toBe('presentation_invalid H02');
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

test('K15 a configured key that cannot be imported leaves the key unresolved', async () => {
  const broken = { ...jwk, x: walletKeys.jwk['x'] };
  expect(inShort(await judge(present(), trustIn({ keys: { jwks: { keys: [broken] } } })))).toBe(
    'key_unresolved K15',
  );
});
