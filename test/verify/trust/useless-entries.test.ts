import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Jwk, SdJwtVcTrust, Trust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import type { Runtime } from '../../../lib/verify/jose/clock-and-fetch.js';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { seed } from '../../support/seed.js';
import { pemOf } from '../../support/verify/certificates.js';
import { type KeyPair, clock, issuerKeys, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { jwtTrust } from '../../support/verify/jwt-tokens.js';
import { thrown } from '../../support/verify/verdicts.js';
import { root } from '../../support/verify/chains.js';
import { entry, expected, inShort, judge, present, trustIn } from './trusting.js';

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
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const other = { ...walletKeys.jwk };

  test.each<[what: string, keys: unknown[], message: string]>([
    [
      'only a P-384 key',
      [p384],
      'keys.jwks has no key for ES256: set algorithms to what the issuer signs with.',
    ],
    [
      'only an RSA key',
      [rsa],
      'keys.jwks has no key for ES256: set algorithms to what the issuer signs with.',
    ],
    [
      'only an Ed25519 key',
      [ed],
      'keys.jwks has no key for ES256: set algorithms to what the issuer signs with.',
    ],
    [
      'a key limited to an alg of another kind',
      [{ ...jwk, alg: 'ES384' }],
      'keys.jwks.keys[0] is limited to an alg that it does not fit.',
    ],
    [
      'a key limited to none',
      [{ ...jwk, alg: 'none' }],
      'keys.jwks.keys[0] is limited to an alg that it does not fit.',
    ],
    [
      'an RSA key limited to an alg that the entry does not allow',
      [{ ...rsa, alg: 'RS256' }],
      'keys.jwks has no key for ES256: set algorithms to what the issuer signs with.',
    ],
    [
      'two keys of one kid',
      [
        { ...jwk, kid: 'a' },
        { ...other, kid: 'a' },
      ],
      'keys.jwks.keys[1] has the kid of another key: a kid must select exactly one.',
    ],
    [
      'two keys without a kid',
      [jwk, other],
      'keys.jwks.keys[0] needs a kid that is a string: a header selects it by that.',
    ],
    [
      'a key without a kid beside one with',
      [{ ...jwk, kid: 'a' }, other],
      'keys.jwks.keys[1] needs a kid that is a string: a header selects it by that.',
    ],
    [
      'numbers for kids',
      [
        { ...jwk, kid: 1 },
        { ...other, kid: 2 },
      ],
      'keys.jwks.keys[0] needs a kid that is a string: a header selects it by that.',
    ],
    [
      'a number for the kid of the only key',
      [{ ...jwk, kid: 1 }],
      'keys.jwks.keys[0] needs a kid that is a string: a header selects it by that.',
    ],
    [
      'a key off its curve',
      [{ ...jwk, x: other['x'] }],
      'keys.jwks.keys[0] is off its curve, or an RSA key of fewer than 2048 bits.',
    ],
    [
      'an RSA key of 1024 bits',
      [short],
      'keys.jwks.keys[0] is off its curve, or an RSA key of fewer than 2048 bits.',
    ],
  ])('F78 %s', async (_, keys, message) => {
    expect(await withKeys(keys)).toBe(message);
    const inside = (jwtTrust({ keys: { jwks: { keys } } } as object) as Trust)['de-ausweis'] as object;
    expect(await refusal({ 'de-ausweis': inside })).toBe(message);
    const derived = { nationality: { result: ['a', 'b'], value: ['a', 'c'] } };
    expect(await refusal(trustIn({ derivedBy: { ...inside, derived } as never }))).toBe(
      `derivedBy.${message}`,
    );
  });

  const x5c = { anchors: [pemOf(root)] };
  test.each<[what: string, change: object, message: RegExp]>([
    [
      'a key binding that may not be a moment old',
      { keyBinding: { ...entry.keyBinding, maxAge: 0 } },
      /^keyBinding\.maxAge must be a number above zero\.$/,
    ],
    [
      'a credential that may not be a moment old',
      { maxCredentialAge: 0 },
      /^maxCredentialAge must be a number above zero\.$/,
    ],
    [
      'certificates for EdDSA',
      { keys: { x5c }, iss: 'a', algorithms: ['EdDSA'] },
      /^keys\.x5c never leads to a key for EdDSA: certificates have EC or RSA keys\.$/,
    ],
    [
      'certificates for Ed25519',
      { keys: { x5c }, iss: 'a', algorithms: ['Ed25519', 'EdDSA'] },
      /^keys\.x5c never leads to a key for Ed25519 or EdDSA/,
    ],
    [
      'a name to compare with nothing',
      { keys: { x5c: { ...x5c, leaf: { requireIssuerInSan: true } } } },
      /^keys\.x5c\.leaf\.requireIssuerInSan needs iss in the entry/,
    ],
  ])('F78 %s', async (_, change, message) => {
    expect(await refusal(trustIn(change))).toMatch(message);
  });

  test('F78 a JWT that may not be a moment old', async () => {
    expect(await refusal(jwtTrust({ maxAge: 0 }))).toBe('maxAge must be a number above zero.');
  });

  test('F78 what is refused could check nothing, and what is not can: any set of keys', async () => {
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
          inShort(await judge(present({ issuer, header: { kid } }), trust)) === 'valid';
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
  const call = async (change: {
    presentation?: unknown;
    expected?: unknown;
    trust?: unknown;
    runtime?: unknown;
  }) =>
    await thrown(
      async () =>
        await verifyPresentation(
          present(),
          ('expected' in change ? change.expected : expected) as Expected,
          ('trust' in change ? change.trust : trustIn()) as Trust,
          ('runtime' in change ? change.runtime : { clock }) as Partial<Runtime>,
        ),
    );
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

  test.each(strange.map((value) => [value]))('F78 the expectation %p', async (value) => {
    expect(await call({ expected: value })).toMatchObject({ code: 'config_invalid' });
    expect(await call({ expected: { ...expected, derived: value } })).toMatchObject({
      code: 'config_invalid',
    });
  });

  test.each(
    [
      ...strange,
      class {},
      Object.create(trustIn()),
      new (class {
        'de-ausweis' = entry;
      })(),
    ].map((value: unknown) => [value]),
  )('F78 the trust %p', async (value: unknown) => {
    expect(await call({ trust: value })).toMatchObject({ code: 'config_invalid' });
    expect(
      await call({ trust: { 'de-ausweis': typeof value === 'function' ? undefined : value } }),
    ).toMatchObject({ code: 'config_invalid' });
  });

  test.each([
    null,
    7,
    'a',
    [],
    new Map(),
    { clock: 5 },
    { clock: null },
    { clock: () => 5 },
    { clock: () => undefined },
    { clock: async () => new Date() },
    { fetch: 'a' },
    { clok: clock },
  ])('F78 the runtime %p', async (runtime) => {
    expect(await call({ runtime })).toMatchObject({ code: 'config_invalid' });
  });

  test('F78 a mistyped member of the expectation is named, and does not switch its check off', async () => {
    expect(await call({ expected: { ...expected, startAt: new Date(0) } })).toMatchObject({
      code: 'config_invalid',
      message: 'Unknown option startAt of what is expected. Did you mean startedAt?',
    });
  });

  test('F78 a Map in an entry is no option: the rules in it would be none', async () => {
    const inMap = (name: string, value: object) => [name, new Map(Object.entries(value))] as const;
    for (const [name, value] of [
      inMap('status', { mode: 'require', origins: ['https://a.example'] }),
      inMap('claims', { birth_date: ['born'] }),
      inMap('derived', { nationality: { result: ['a'], value: ['b'] } }),
      inMap('keyBinding', entry.keyBinding),
      ['keys', { x5c: { anchors: [pemOf(root)], leaf: new Map([['policies', ['1.2.3']]]) } }] as const,
    ]) {
      const message = await refusal(trustIn({ [name]: value } as Partial<SdJwtVcTrust>));
      expect(message).toMatch(/must be a plain object\.$/);
    }
  });

  test('F78 what an entry inherits is no option', async () => {
    const lenient: object = Object.create({ status: { mode: 'dangerouslyIgnore' } });
    expect(await refusal({ 'de-ausweis': Object.assign(lenient, entry) })).toMatch(
      /must be a plain object\.$/,
    );
    const copied = structuredClone(trustIn());
    expect(await call({ trust: copied })).toBeUndefined();
    expect(await call({ trust: Object.assign(Object.create(null) as object, trustIn()) })).toBeUndefined();
  });
});
