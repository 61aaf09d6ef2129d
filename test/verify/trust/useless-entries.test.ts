import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Expected, Jwk, Trust } from '../../../lib/index.js';
import type { Runtime } from '../../../lib/verify/jose/clock.js';
import { createVerifiers, verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { deep } from '../../support/deep.js';
import { seed } from '../../support/seed.js';
import { pemOf } from '../../support/verify/certificates.js';
import { type KeyPair, clock, issuerKeys, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { jwtTrust } from '../../support/verify/jwt-tokens.js';
import { root } from '../../support/verify/chains.js';
import {
  checkOf,
  entry,
  expected,
  present,
  refuse,
  refuseEach,
  thrown,
} from '../../support/verify/verdicts.js';
import { trustIn } from '../../support/verify/verdicts.js';
import { keyPair } from '../../support/key-pair.js';

/** Why a trust is refused at construction; undefined where it is not. */
async function refusal(trust: unknown): Promise<string | undefined> {
  const error = (await thrown(() => createVerifiers(trust as Trust))) as
    { code: string; message: string } | undefined;
  if (error === undefined) return undefined;
  expect(error.code).toBe('config_invalid');
  return error.message.replace("trust['de-ausweis'].", '');
}
const withKeys = async (keys: unknown[], algorithms?: string[]) =>
  await refusal(trustIn({ keys: { jwks: { keys: keys as Jwk[] } }, ...(algorithms && { algorithms }) }));

describe('F78 an entry that can check nothing is refused at construction (K16)', () => {
  const { jwk } = issuerKeys;
  const [p384, rsa, ed] = ['ES384', 'PS256', 'EdDSA'].map((alg) => newKeyPair(alg).jwk);
  const short = keyPair('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const other = { ...walletKeys.jwk };

  const noKey = 'keys.jwks has no key for ES256: set algorithms to what the issuer signs with.';
  const limited = 'keys.jwks.keys[0] is limited to an alg that it does not fit.';
  const taken = 'keys.jwks.keys[1] has the kid of another key: a kid must select exactly one.';
  const needsKid = 'needs a kid that is a string: a header selects it by that.';
  const off = 'keys.jwks.keys[0] is off its curve, or an RSA key of fewer than 2048 bits.';
  const twoKids = (one: unknown, two: unknown) => [
    { ...jwk, kid: one },
    { ...other, kid: two },
  ];

  test.each<[what: string, keys: unknown[], message: string]>([
    ['only a P-384 key', [p384], noKey],
    ['only an RSA key', [rsa], noKey],
    ['only an Ed25519 key', [ed], noKey],
    ['a key limited to an alg of another kind', [{ ...jwk, alg: 'ES384' }], limited],
    ['a key limited to none', [{ ...jwk, alg: 'none' }], limited],
    ['an RSA key limited to an alg that the entry does not allow', [{ ...rsa, alg: 'RS256' }], noKey],
    ['two keys of one kid', twoKids('a', 'a'), taken],
    ['two keys without a kid', [jwk, other], `keys.jwks.keys[0] ${needsKid}`],
    ['a key without a kid beside one with', [{ ...jwk, kid: 'a' }, other], `keys.jwks.keys[1] ${needsKid}`],
    ['numbers for kids', twoKids(1, 2), `keys.jwks.keys[0] ${needsKid}`],
    ['a number for the kid of the only key', [{ ...jwk, kid: 1 }], `keys.jwks.keys[0] ${needsKid}`],
    ['a key off its curve', [{ ...jwk, x: other['x'] }], off],
    ['an RSA key of 1024 bits', [short], off],
  ])('F78 %s', async (_, keys, message) => {
    expect(await withKeys(keys)).toBe(message);
    const inside = jwtTrust({ keys: { jwks: { keys } } })['de-ausweis'] as object;
    expect(await refusal({ 'de-ausweis': inside })).toBe(message);
    const derived = { nationality: { result: ['a', 'b'], value: ['a', 'c'] } };
    expect(await refusal(trustIn({ derivedBy: { ...inside, derived } }))).toBe(`derivedBy.${message}`);
  });

  const x5c = { anchors: [pemOf(root)] };
  const requiring = { keys: { x5c: { ...x5c, leaf: { requireIssuerInSan: true } } } };
  const eddsa = (...algorithms: string[]) => ({ keys: { x5c }, iss: 'a', algorithms });
  const zero = /[aA]ge must be a number above zero\.$/;
  const never = /\.keys\.x5c never leads to a key for/;
  const wrong: [what: string, trust: Trust, message: RegExp][] = [
    ['a key binding of no age', trustIn({ keyBinding: { ...entry.keyBinding, maxAge: 0 } }), zero],
    ['a credential of no age', trustIn({ maxCredentialAge: 0 }), zero],
    ['a JWT of no age', jwtTrust({ maxAge: 0 }), zero],
    ['certificates for EdDSA', trustIn(eddsa('EdDSA')), never],
    ['certificates for Ed25519', trustIn(eddsa('Ed25519', 'EdDSA')), never],
    ['a name beside nothing', trustIn(requiring), /\.leaf\.requireIssuerInSan needs iss in the entry/],
  ];
  refuseEach('F78 %s', wrong, (trust) => createVerifiers(trust));

  deep.test('F78 what is refused could check nothing, and what is not can: any set of keys', async () => {
    const pairs = ['ES256', 'ES256', 'ES384', 'PS256', 'EdDSA'].map(newKeyPair);
    const algs = [undefined, 'ES256', 'ES384', 'PS256', 'EdDSA', 'none', 7];
    const key = fc.record({
      pair: fc.constantFrom(...pairs),
      alg: fc.constantFrom(undefined, undefined, undefined, ...algs),
      kid: fc.constantFrom(undefined, 'a', 'b', 'c', 'd', 7, ''),
      isBroken: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    });
    const sets = fc.tuple(
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(['ES256'], ['ES256', 'ES384'], ['PS256'], ['ES256', 'EdDSA']),
    );
    const outcomes = { refused: 0, good: 0 };
    await fc.assert(
      fc.asyncProperty(sets, async ([keys, algorithms]) => {
        const jwks = keys.map(({ pair, alg, kid, isBroken }) => ({
          ...pair.jwk,
          ...(isBroken && { x: 'AAAA', n: 'AQAB' }),
          ...(alg !== undefined && { alg }),
          ...(kid !== undefined && { kid }),
        }));
        const trust = trustIn({
          keys: { jwks: { keys: jwks as Jwk[] } },
          algorithms: [...new Set([...algorithms, 'ES256'])],
        });
        const why = await refusal(trust);
        const signers: [KeyPair, unknown][] = keys.map(({ pair, kid }) => [pair, kid]);
        const accepted = async ([issuer, kid]: [KeyPair, unknown]) =>
          (await checkOf(present({ issuer, header: { kid } }), trust)) === 'valid';
        // Whatever is constructed verifies what at least one of its keys signed.
        const isGood = why === undefined && (await Promise.all(signers.map(accepted))).includes(true);
        outcomes[isGood ? 'good' : 'refused'] += 1;
        expect(isGood).toBe(why === undefined);
      }),
      { seed, numRuns: 400 },
    );
    expect(Math.min(outcomes.refused, outcomes.good)).toBeGreaterThan(20);
  });
});

describe('F78 what is handed in wrongly is config_invalid', () => {
  type Arguments = { expected?: unknown; trust?: unknown; runtime?: unknown };
  const call = (change: Arguments) => {
    const { expected: flow, trust, runtime } = { expected, trust: trustIn(), runtime: { clock }, ...change };
    return verifyPresentation(present(), flow as Expected, trust as Trust, runtime as Partial<Runtime>);
  };
  const rows = (values: readonly unknown[]) => values.map((value) => [value, value] as const);
  const strange = [
    null,
    7,
    'a',
    [],
    true,
    () => expected,
    new Map(),
    new Set(),
    new Date(0),
    Symbol.iterator,
  ];
  refuseEach('F78 the expectation %p', rows(strange), (value) => call({ expected: value }));
  refuseEach('F78 the derived values of the expectation %p', rows(strange), (derived) =>
    call({ expected: { ...expected, derived } }),
  );

  const made = new (class {
    'de-ausweis' = entry;
  })();
  const trusts = [...strange, class {}, Object.create(trustIn()), made];
  refuseEach('F78 the trust %p', rows(trusts), (trust) => call({ trust }));
  refuseEach('F78 the entry %p', rows(trusts), (value) =>
    call({ trust: { 'de-ausweis': typeof value === 'function' ? undefined : value } }),
  );

  const clocks = [5, null, () => 5, () => undefined, async () => await Promise.resolve(new Date())];
  const runtimes = [
    null,
    7,
    'a',
    [],
    new Map(),
    ...clocks.map((each) => ({ clock: each })),
    { fetch: 'a' },
    { clok: clock },
  ];
  refuseEach('F78 the runtime %p', rows(runtimes), (runtime) => call({ runtime }));
  const mistyped = { ...expected, startAt: new Date(0) };
  const meant = 'Unknown option startAt of what is expected. Did you mean startedAt?';
  refuse('F78 a mistyped member switches no check off', () => call({ expected: mistyped }), meant);

  const options = {
    status: { mode: 'require', origins: ['https://a.example'] },
    claims: { birth_date: ['born'] },
    derived: { nationality: { result: ['a'], value: ['b'] } },
    keyBinding: entry.keyBinding ?? {},
  };
  const inMaps = Object.entries(options).map(
    ([name, value]) => [name, { [name]: new Map(Object.entries(value)) }] as const,
  );
  const leaf = { keys: { x5c: { anchors: [pemOf(root)], leaf: new Map([['policies', ['1.2.3']]]) } } };
  const plain = /must be a plain object\.$/;
  refuseEach<object>(
    'F78 a Map in an entry is no option: the rules in it would be none: %s',
    [...inMaps, ['leaf', leaf] as const].map((row) => [...row, plain] as const),
    (change) => createVerifiers(trustIn(change)),
  );

  const lenient = Object.assign(Object.create({ status: { mode: 'dangerouslyIgnore' } }) as object, entry);
  refuseEach('F78 what %s inherits is no option', [['an entry', { 'de-ausweis': lenient }, plain]], (trust) =>
    createVerifiers(trust as Trust),
  );

  test('F78 a copy and an object without a prototype are trusts', async () => {
    for (const trust of [
      structuredClone(trustIn()),
      Object.assign(Object.create(null) as object, trustIn()),
    ]) {
      expect(await thrown(() => call({ trust }))).toBeUndefined();
    }
  });
});
