import { describe, expect, test } from '@jest/globals';
import type { Trust } from '../../../lib/types/trust.js';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { issuerKeys, mint } from '../../support/verify/issuer.js';
import { entry, inShort, judge, trustIn } from './trusting.js';
import { thrown } from '../../support/verify/verdicts.js';

const { jwk, privateJwk } = issuerKeys;
const jwks = (...keys: unknown[]) => ({ keys: { jwks: { keys } } });
const uri = (jwksUri: unknown) => ({ keys: { jwksUri } });

describe('K16 a trust that could judge nothing is refused at construction', () => {
  const wrong: [what: string, change: Record<string, unknown>, message: RegExp][] = [
    ['no keys', { keys: undefined }, /^trust\['de-ausweis'\]\.keys must name one mechanism: jwks or jwksUri/],
    ['keys that are no object', { keys: [jwk] }, /\.keys must name one mechanism/],
    ['no mechanism', { keys: {} }, /\.keys must name one mechanism/],
    ['a mechanism that is undefined', { keys: { jwks: undefined } }, /\.keys must name one mechanism/],
    [
      'two mechanisms',
      { keys: { jwks: { keys: [jwk] }, jwksUri: 'https://a.example' } },
      /\.keys must name one/,
    ],
    ['an unknown mechanism', { keys: { x5u: 'https://a.example' } }, /\.keys has the unknown mechanism x5u/],
    ['zero keys', jwks(), /\.keys\.jwks must be \{ keys: \[\.\.\.\] \} with at least one key/],
    ['a set without keys', { keys: { jwks: {} } }, /\.keys\.jwks must be/],
    ['a set that is none', { keys: { jwks: () => [jwk] } }, /\.keys\.jwks must be/],
    ['a private key', jwks(jwk, privateJwk), /\.keys\.jwks\.keys\[1\] is private/],
    ['a symmetric key', jwks({ kty: 'oct', k: 'c2VjcmV0' }), /keys\[0\] is symmetric/],
    ['no JWK', jwks('a'), /keys\[0\] is not a JWK/],
    ['a JWK without its type', jwks({ ...jwk, kty: undefined }), /keys\[0\] is not a JWK/],
    ['an encryption key', jwks({ ...jwk, use: 'enc' }), /keys\[0\] is not a public signature key/],
    ['a key without a coordinate', jwks({ ...jwk, y: undefined }), /keys\[0\] is not a public signature key/],
    ['http', uri('http://issuer.example/jwks.json'), /\.keys\.jwksUri must be an https URL/],
    ['another scheme', uri('file:///etc/jwks.json'), /\.keys\.jwksUri must be an https URL/],
    ['user information', uri('https://a:b@issuer.example'), /\.keys\.jwksUri must be an https URL/],
    ['no URL', uri('jwks.json'), /\.keys\.jwksUri must be an https URL/],
    ['a URL that is no text', uri(7), /\.keys\.jwksUri must be an https URL/],
    [
      'an unknown option',
      { statuss: {} },
      /^Unknown option statuss of trust\['de-ausweis'\]\. Did you mean status\?/,
    ],
    ['a status mode that is none', { status: { mode: 'ignore' } }, /\.status\.mode must be ifPresent/],
    ['no key binding', { keyBinding: undefined }, /\.keyBinding must be an object/],
    ['a switch in its place', { keyBinding: 'absent' }, /\.keyBinding must be an object/],
    [
      'no nonce',
      { keyBinding: { audience: 'a' } },
      /\.keyBinding\.nonce must be 'state-sha256' or a function/,
    ],
    ['a fixed nonce', { keyBinding: { audience: 'a', nonce: 'n' } }, /\.keyBinding\.nonce must be/],
    [
      'no audience',
      { keyBinding: { nonce: 'state-sha256' } },
      /\.keyBinding\.audience must be a non-empty string/,
    ],
    ['an empty audience', { keyBinding: { nonce: 'state-sha256', audience: '' } }, /\.keyBinding\.audience/],
    ['a maxAge as text', { keyBinding: { ...entry.keyBinding, maxAge: '10m' } }, /\.keyBinding\.maxAge/],
    [
      'a negative tolerance',
      { keyBinding: { ...entry.keyBinding, tolerance: -1 } },
      /\.keyBinding\.tolerance/,
    ],
    [
      'an unknown binding',
      { keyBinding: { ...entry.keyBinding, startedAt: 1 } },
      /Unknown option startedAt of/,
    ],
    ['no vct', { vct: undefined }, /\.vct must be a list/],
    ['an empty vct', { vct: [] }, /\.vct must be a list/],
    ['a vct alone', { vct: 'urn:a' }, /\.vct must be a list/],
    ['a vct that is no text', { vct: [/urn/] }, /\.vct\[0\] must be a non-empty string/],
    ['an empty iss', { iss: '' }, /\.iss\[0\] must be a non-empty string/],
    ['no iss in the list', { iss: [] }, /\.iss must be a list/],
    ['no signature', { algorithms: ['none'] }, /\.algorithms has none/],
    ['no algorithm', { algorithms: [] }, /\.algorithms must be a list/],
    ['no format', { format: undefined }, /^trust\['de-ausweis'\]\.format must be sd-jwt-vc/],
    ['an unknown format', { format: 'mso_mdoc' }, /\.format must be sd-jwt-vc or jwt/],
    ['a format from the prototype', { format: 'constructor' }, /\.format must be sd-jwt-vc/],
    ['a claim of no attribute', { claims: { birthdate: ['a'] } }, /Unknown option birthdate of .*\.claims/],
    [
      'a path that is no list',
      { claims: { birth_date: 'birthdate' } },
      /\.claims\.birth_date must be a list/,
    ],
    ['claims that are none', { claims: ['a'] }, /\.claims must be an object/],
  ];

  test.each(wrong)('K16 %s', async (_, change, message) => {
    const trust = { 'de-ausweis': { ...entry, ...change } } as unknown as Trust;
    const error = await thrown(() => createVerifiers(trust));
    expect(error).toMatchObject({
      name: 'IdentityError',
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
    expect(error).not.toHaveProperty('cause');
  });

  test.each([
    [undefined],
    [null],
    [[]],
    ['trust'],
    [{ 'de-ausweis': null }],
    [{ 'de-ausweis': 'sd-jwt-vc' }],
  ])('K16 the trust is %j', async (trust) => {
    expect(await thrown(() => createVerifiers(trust as unknown as Trust))).toMatchObject({
      code: 'config_invalid',
    });
  });

  test('K16 what is undefined is absent', () => {
    const trust = {
      'de-ausweis': { ...entry, iss: undefined, algorithms: undefined, claims: undefined },
      other: undefined,
    };
    expect([...createVerifiers(trust as unknown as Trust).keys()]).toEqual(['de-ausweis']);
  });

  test('K16 the settings are judged too', async () => {
    expect(await thrown(() => createVerifiers(trustIn(), { maxAge: Number.NaN }))).toMatchObject({
      message: expect.stringContaining('maxAge'),
    });
  });
});

test('P11 a wallet cannot get another format than the configured one', async () => {
  const jwt = mint({ sd: {}, binding: 'absent', header: { typ: 'JWT' } }).slice(0, -1);
  expect(inShort(await judge(jwt))).toBe('presentation_invalid P03');
  expect(
    await verifyPresentation(jwt, { issuer: 'de-ausweis', state: 'a', reveal: [] }, trustIn()),
  ).toMatchObject({ check: 'P03' });
});
