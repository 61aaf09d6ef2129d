import { describe, expect, test } from '@jest/globals';
import type { Trust } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { issuerKeys, mint } from '../../support/verify/issuer.js';
import {
  checkOf,
  entry,
  judgeEach,
  refuse,
  refuseEach,
  refuseValues,
} from '../../support/verify/verdicts.js';
import { trustIn } from '../../support/verify/verdicts.js';

const { jwk, privateJwk } = issuerKeys;
const jwks = (...keys: unknown[]) => ({ keys: { jwks: { keys } } });
const uri = (jwksUri: unknown) => ({ keys: { jwksUri } });
const keyBinding = (change: unknown) => ({ keyBinding: change });
const bound = (change: object) => keyBinding({ ...entry.keyBinding, ...change });
const noUrl = /\.keys\.jwksUri must be an https URL/;

describe('K16 a trust that could judge nothing is refused at construction', () => {
  const wrong: [what: string, change: object, message: RegExp | string][] = [
    ['no keys', { keys: undefined }, /^trust\['de-ausweis'\]\.keys must name one mechanism: jwks or jwksUri/],
    ['keys that are no object', { keys: [jwk] }, /\.keys must name one mechanism/],
    ['no mechanism', { keys: {} }, /\.keys must name one mechanism/],
    ['a mechanism that is undefined', { keys: { jwks: undefined } }, /\.keys must name one mechanism/],
    ['two mechanisms', { keys: { ...jwks(jwk).keys, jwksUri: 'https://a.example' } }, /\.keys must name one/],
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
    ['http', uri('http://issuer.example/jwks.json'), noUrl],
    ['another scheme', uri('file:///etc/jwks.json'), noUrl],
    ['user information', uri('https://a:b@issuer.example'), noUrl],
    ['no URL', uri('jwks.json'), noUrl],
    ['a URL that is no text', uri(7), noUrl],
    ['unknown', { statuss: {} }, "Unknown option statuss of trust['de-ausweis']. Did you mean status?"],
    ['a status mode that is none', { status: { mode: 'ignore' } }, /\.status\.mode must be 'ifPresent'/],
    ['no key binding', { keyBinding: undefined }, /\.keyBinding must be an object/],
    ['a switch in its place', { keyBinding: 'absent' }, /\.keyBinding must be an object/],
    ['no nonce', bound({ nonce: undefined }), /\.keyBinding\.nonce must be 'state-sha256' or a function/],
    ['a fixed nonce', bound({ nonce: 'n' }), /\.keyBinding\.nonce must be/],
    ['no audience', bound({ audience: undefined }), /\.keyBinding\.audience must be a non-empty string/],
    ['an empty audience', bound({ audience: '' }), /\.keyBinding\.audience/],
    ['a maxAge as text', bound({ maxAge: '10m' }), /\.keyBinding\.maxAge/],
    ['a negative tolerance', bound({ tolerance: -1 }), /\.keyBinding\.tolerance/],
    ['an unknown binding', bound({ startedAt: 1 }), /Unknown option startedAt of/],
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
    ['a path that is none', { claims: { birth_date: 'birthdate' } }, /\.claims\.birth_date must be a list/],
    ['claims that are none', { claims: ['a'] }, /\.claims must be an object/],
  ];

  refuseEach('K16 %s', wrong, (change) => createVerifiers(trustIn(change)));
  const trusts = [undefined, null, [], 'trust', { 'de-ausweis': null }, { 'de-ausweis': 'sd-jwt-vc' }];
  refuseValues('K16 the trust is %j', trusts, (trust) => createVerifiers(trust as unknown as Trust));
  refuse('K16 the settings too', () => createVerifiers(trustIn(), { maxAge: Number.NaN }), /maxAge/);

  test('K16 what is undefined is absent', () => {
    const trust = {
      'de-ausweis': { ...entry, claims: undefined, derived: undefined, derivedBy: undefined },
      other: undefined,
    };
    expect([...createVerifiers(trust as unknown as Trust).keys()]).toEqual(['de-ausweis']);
  });
});

judgeEach(checkOf, {
  'P11 the wallet chooses no format': ['P03', mint({ sd: {}, binding: 'absent' }).slice(0, -1)],
});
