import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import { x509HashClientId } from '../../../lib/verify/x5c/x509-hash-client-id.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { pemOf } from '../../support/verify/certificates.js';
import { type Mint, audience, nowSeconds } from '../../support/verify/issuer.js';
import { claiming, jwtTrust } from '../../support/verify/jwt-tokens.js';
import { checkOf, binding as usualBinding, thrown } from '../../support/verify/verdicts.js';
import { intermediate, leaf } from '../../support/verify/chains.js';
import { entry, inShort, judge, present, state, trustIn } from './trusting.js';

/** The verdict on a token by an entry with these options. */
const by = async (options: object, token: Mint = {}) =>
  inShort(await judge(present(token), trustIn(options)));

/** Why an entry with these options is refused at construction. */
const refusal = async (options: object) => await thrown(async () => await by(options));

describe('H08 the types of the issuer that an entry allows', () => {
  const older = { header: { typ: 'vc+sd-jwt' } };

  test('H08 the older type is refused, but where the entry names it', async () => {
    expect(await by({}, older)).toBe('presentation_invalid H03');
    expect(await by({ types: ['dc+sd-jwt'] }, older)).toBe('presentation_invalid H03');
    expect(await by({ types: ['dc+sd-jwt', 'vc+sd-jwt'] }, older)).toBe('valid');
    expect(await by({ types: ['dc+sd-jwt', 'vc+sd-jwt'] })).toBe('valid');
    expect(await by({ types: ['vc+sd-jwt'] })).toBe('presentation_invalid H03');
  });

  test('H08 a header without a type is refused, whatever the entry allows', async () => {
    for (const options of [{}, { types: ['dc+sd-jwt', 'vc+sd-jwt'] }]) {
      expect(await by(options, { header: { typ: undefined } })).toBe('presentation_invalid H03');
    }
  });

  test.each([['dc+sd-jwt'], [[]], [['kb+jwt']], [['dc+sd-jwt', 'JWT']], [[undefined]]])(
    'K16 types: %j is refused at construction',
    async (types) => {
      expect(await refusal({ types })).toMatchObject({ code: 'config_invalid' });
    },
  );
});

describe('C08 how long a credential is good', () => {
  const refused = 'presentation_invalid C08';

  test('C08 requireExpiry', async () => {
    const eternal = { payload: { exp: undefined } };
    expect(await by({}, eternal)).toBe('valid');
    expect(await by({ requireExpiry: false }, eternal)).toBe('valid');
    expect(await by({ requireExpiry: true }, eternal)).toBe(refused);
    expect(await by({ requireExpiry: true })).toBe('valid');
  });

  test('C08 maxCredentialAge', async () => {
    const aged = (iat: number | undefined) => ({ payload: { iat } });
    const options = { maxCredentialAge: 3600 };
    expect(await by(options, aged(nowSeconds - 3600))).toBe('valid');
    expect(await by(options, aged(nowSeconds - 3601))).toBe(refused);
    expect(await by(options, aged(undefined))).toBe(refused);
    expect(await by({}, aged(nowSeconds - 3601))).toBe('valid');
    expect(await judge(present(aged(nowSeconds - 3601)), trustIn(options))).toMatchObject({
      reason: 'The credential is 3601 seconds old (maxCredentialAge: 3600 seconds).',
    });
  });

  test.each([
    [{ requireExpiry: 'yes' }],
    [{ requireExpiry: 1 }],
    [{ maxCredentialAge: '1h' }],
    [{ maxCredentialAge: -1 }],
    [{ maxCredentialAge: Number.NaN }],
  ])('K16 %j is refused at construction', async (options) => {
    expect(await refusal(options)).toMatchObject({ code: 'config_invalid' });
  });
});

describe('B08 client ids while one replaces another', () => {
  const [old, renewed] = ['x509_hash:old', 'x509_hash:renewed'];
  const keyBinding = (audiences: unknown) => ({ keyBinding: { ...entry.keyBinding, audience: audiences } });
  const madeFor = (aud: unknown): Mint => ({ binding: { payload: { nonce: nonceOf(state), aud } } });

  test('B08 each of the list is ours, one at a time', async () => {
    for (const aud of [old, renewed]) {
      expect(await by(keyBinding([old, renewed]), madeFor(aud))).toBe('valid');
    }
    for (const aud of [audience, [old], [old, renewed], `${old} ${renewed}`, undefined]) {
      expect(await by(keyBinding([old, renewed]), madeFor(aud))).toBe('presentation_invalid B08');
    }
    expect(await by(keyBinding([renewed]), madeFor(old))).toBe('presentation_invalid B08');
  });

  test('C10 a credential that names an audience names one of ours', async () => {
    const token = (aud: unknown): Mint => ({ ...madeFor(old), payload: { aud } });
    expect(await by(keyBinding([old, renewed]), token([renewed]))).toBe('valid');
    expect(await by(keyBinding([old, renewed]), token(['x509_hash:another']))).toBe(
      'presentation_invalid C10',
    );
  });

  test.each([[[]], [['']], [['a', 'b', 'c', 'd', 'e']], [[['a']]], [7], [''], [undefined]])(
    'K16 the audience %j is refused at construction',
    async (audiences) => {
      expect(await refusal(keyBinding(audiences))).toMatchObject({ code: 'config_invalid' });
    },
  );

  test('B08 of verifySdJwt as well', async () => {
    const keyBindingOf = (audiences: readonly string[]) => ({
      keyBinding: { ...usualBinding, audience: audiences },
    });
    expect(await checkOf(present({ binding: {} }), keyBindingOf([old, audience]))).toBe('accepted');
    expect(await checkOf(present({ binding: {} }), keyBindingOf([old]))).toBe('B08');
  });

  test('x509HashClientId is the hash of the first certificate', () => {
    const digest = createHash('sha256').update(leaf.der).digest('base64url');
    expect(x509HashClientId(pemOf(leaf))).toBe(`x509_hash:${digest}`);
    expect(x509HashClientId(pemOf(leaf, intermediate))).toBe(`x509_hash:${digest}`);
    expect(x509HashClientId(new X509Certificate(leaf.der).toString())).toBe(`x509_hash:${digest}`);
  });

  test.each([[''], ['no PEM'], [pemOf(leaf).replace('CERTIFICATE', 'KEY')], [undefined], [leaf.der]])(
    'x509HashClientId refuses what is no certificate in PEM',
    (pem) => {
      expect(() => x509HashClientId(pem as string)).toThrow(
        expect.objectContaining({ code: 'config_invalid' }),
      );
    },
  );
});

describe('B07 a nonce function is tried at construction', () => {
  const nonce = (compute: unknown) => ({ keyBinding: { ...entry.keyBinding, nonce: compute } });
  const message = /\.keyBinding\.nonce must return at least 22 characters, and others for another state\.$/;
  const fails: [what: string, compute: unknown][] = [
    ['a constant', () => 'a'.repeat(43)],
    ['a short one', ({ state: seen }: Expected) => nonceOf(seen).slice(0, 21)],
    ['no string', ({ state: seen }: Expected) => [nonceOf(seen)]],
    ['a promise', async ({ state: seen }: Expected) => await Promise.resolve(nonceOf(seen))],
    ['nothing', () => undefined],
  ];

  test.each(fails)('B07 %s is refused', async (_, compute) => {
    expect(await refusal(nonce(compute))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });

  test.each(fails)('J06 %s is refused in a JWT entry', async (_, value) => {
    const binding = { claim: 'nonce', value };
    expect(await thrown(async () => await judge('a', jwtTrust({ binding } as object)))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/\.binding\.value must return at least 22 characters/),
    });
  });

  test('B07 one that throws is refused with its cause', async () => {
    const cause = new Error('no such state');
    const compute = () => {
      throw cause;
    };
    expect(await refusal(nonce(compute))).toMatchObject({ code: 'config_invalid', cause });
  });

  test('B07 it is tried with the issuer of its entry and all that a flow has', async () => {
    const seen: Expected[] = [];
    const compute = (expected: Expected) => {
      seen.push(expected);
      return nonceOf(expected.state).slice(0, 22);
    };
    const token = present({ binding: { payload: { nonce: nonceOf(state).slice(0, 22) } } });
    expect(inShort(await judge(token, trustIn(nonce(compute) as Partial<SdJwtVcTrust>)))).toBe('valid');
    expect(seen).toHaveLength(3);
    for (const { issuer, state: tried, reveal, variant, startedAt } of seen.slice(0, 2)) {
      expect([issuer, reveal, variant]).toEqual(['de-ausweis', [], 'derived']);
      expect(tried).toMatch(/^[\w-]{43}$/);
      expect(startedAt).toBeInstanceOf(Date);
    }
  });
});

test('J09 the age of a JWT is limited by the entry, or by the life of a flow', async () => {
  expect(await claiming({ iat: nowSeconds - 606 })).toBe('presentation_invalid J07');
  expect(await claiming({ iat: nowSeconds - 606 }, { maxAge: 601 })).toBe('valid');
  expect(await claiming({ iat: nowSeconds - 16 }, { maxAge: 10 })).toBe('presentation_invalid J07');
});
