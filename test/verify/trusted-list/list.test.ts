import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CertificatePlan, certify, extension, pemOf } from '../../support/verify/certificates.js';
import { withUnknownKey, x5cOf } from '../../support/verify/certificates.js';
import { rsa } from '../../support/verify/chains.js';
import { encode, misspell, newKeyPair, now, nonceOf } from '../../support/verify/issuer.js';
import { day, entitiesOf, goodHeader, judgeUnder, listOf, operator } from '../../support/verify/lists.js';
import { signed, signedUnder, signer, startProcess, trusting, unsigned } from '../../support/verify/lists.js';
import { url } from '../../support/verify/lists.js';
import { type Members, checkOf, judgeEach, judgeValues, present } from '../../support/verify/verdicts.js';
import { refuseEach, state } from '../../support/verify/verdicts.js';

let good = '';
beforeAll(async () => {
  good = await signed();
});

/** The verdict under a list with this header and payload. */
const under = (header: object, payload: unknown = listOf(), by = signer) =>
  judgeUnder(signedUnder({ ...goodHeader, ...header }, payload, by));
const signedBy = (by: typeof signer, signers: string[]) =>
  signed({}, by).then((list) => judgeUnder(list, trusting({ signers })));
const { typ: _typ, ...untyped } = goodHeader;

test('L01 a list as @owf/eudi-lote makes it is accepted, and fetched from its address', async () => {
  const { judge, publish, requests } = startProcess();
  publish(good);
  expect(await judge()).toBe('valid');
  expect(await judge()).toBe('valid');
  expect(requests).toEqual([url]);
  expect(await judgeUnder(`${good}\n`)).toBe('valid');
});

describe('the form and the header of the list', () => {
  const spell = (payload: unknown) => signedUnder(goodHeader, payload);
  const head = (change: object, payload?: unknown) => signedUnder({ ...goodHeader, ...change }, payload);
  const twice = JSON.stringify(listOf()).replace('"LoTESequenceNumber"', '"LoTESequenceNumber":9,$&');
  const json = () => {
    const [header, payload, signature] = good.split('.');
    return JSON.stringify({ payload, signatures: [{ protected: header, signature }] });
  };
  const mac = () => {
    const input = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(listOf())}`;
    const secret = signer.keys.publicKey.export({ type: 'spki', format: 'pem' });
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };

  test.each<[check: string, what: string, list: () => string]>([
    ['L01', 'XML', () => '<?xml version="1.0"?><TrustServiceStatusList/>'],
    ['L01', 'a page', () => '<!doctype html><title>Sign in.</title>'],
    ['L01', 'nothing', () => ''],
    ['L01', 'a list that is not signed', () => JSON.stringify(listOf())],
    ['L01', 'a JWS in JSON serialization', json],
    ['L01', 'two segments', () => good.split('.').slice(0, 2).join('.')],
    ['L01', 'five segments', () => `${good}.a.b`],
    ['P02', 'a padded header', () => signedUnder(misspell(goodHeader).padded)],
    ['P02', 'a padded payload', () => spell(misspell(listOf()).padded)],
    ['P02', 'a padded signature', () => `${good}=`],
    ['P09', 'a payload that is no object', () => spell([listOf()])],
    ['P09', 'a payload that is not UTF-8', () => spell(Buffer.from([0x7b, 0xff, 0x7d]))],
    ['P10', 'twice in the header', () => signedUnder(`{"typ":"JWT",${JSON.stringify(goodHeader).slice(1)}`)],
    ['P10', 'a member twice', () => spell(twice)],
    ['P08', 'a depth of 10,000', () => spell(`{"LoTE":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)],
    ['P08', 'too many values', () => spell(JSON.stringify({ more: Array(200_001).fill(0) }))],
    ['L07', 'another content', () => spell({ sub: 'a' })],
    ['L07', 'no entities', () => spell({ LoTE: { ...listOf().LoTE, TrustedEntitiesList: {} } })],
    ['L07', 'no scheme', () => spell({ LoTE: { TrustedEntitiesList: [] } })],
    ['L02', 'no typ, and more than a list', () => signedUnder(untyped, { ...listOf(), sub: 'a' })],
    ['L02', 'typ null', () => head({ typ: null })],
    ['L02', 'typ in capitals', () => head({ typ: 'TRUSTLIST+JWT' })],
    ['L02', 'typ with its tree', () => head({ typ: 'application/trustlist+jwt' })],
    ['L03', 'alg none', () => unsigned({ ...goodHeader, alg: 'none' })],
    ['L03', 'alg HS256 over the key of the signer', mac],
    ['L03', 'alg ES384 on a key of P-256', () => head({ alg: 'ES384' })],
    ['L03', 'alg PS256 on a key of P-256', () => head({ alg: 'PS256' })],
    ['L03', 'alg RS256', () => head({ alg: 'RS256' })],
    ['L03', 'no alg', () => head({ alg: undefined })],
    ['H04', 'an unknown extension', () => head({ crit: ['x'], x: 1 })],
    ['H04', 'an unencoded payload', () => head({ b64: false, crit: ['b64'] })],
    ['H04', 'an unencoded payload, not declared', () => head({ b64: false })],
  ])('%s %s', async (check, _what, list) => {
    expect(await judgeUnder(list())).toMatch(new RegExp(`^${check} `));
  });
});

describe('F80 lists as others sign them', () => {
  const iat = now.getTime() / 1000;
  /** Under headers that say nothing, and under one that says that it is a list. */
  const underEach = async (payload: unknown, change: object = {}): Promise<string> => {
    const typs = [{}, { typ: 'JOSE' }, { typ: 'JWT' }, { typ: 'trustlist+jwt' }];
    const lists = typs.map((typ) => signedUnder({ ...untyped, ...typ, ...change }, payload));
    return (await Promise.all(lists.map(async (list) => (await judgeUnder(list)).slice(0, 5)))).join(', ');
  };
  const sigT = (ms: number) => ({ crit: ['sigT'], sigT: new Date(now.getTime() + ms).toISOString() });
  const past = sigT(-day);
  const all = 'valid, valid, valid, valid';

  judgeEach(underEach, {
    'F80 with a typ that says nothing, or none, where the payload is nothing but a list': [all, listOf()],
    'F80 with a typ that says nothing, and iat before the list': [all, { iat, ...listOf() }],
    'F80 with a typ that says nothing, and iat and exp': [all, { ...listOf(), iat, exp: iat + 60 }],
    'F80 with the time of signing declared as critical': [all, listOf(), past],
  });
  const members: Members[] = [
    { iss: 'https://issuer.example' },
    { sub: 'a' },
    { vct: 'urn:eudi:pid:de:1' },
    { nonce: 'a', aud: 'b' },
    { status_list: {} },
    { lote: {} },
    { '': 1 },
  ];
  judgeValues(
    'F80 with more members, %j, it must say that it is a list: L02',
    members,
    'L02 i, L02 i, L02 i, valid',
    (more) => underEach({ ...listOf(), ...more }),
  );
  const typs = [
    'jose',
    'jwt',
    'JOSE+JSON',
    'JWS',
    'dc+sd-jwt',
    'kb+jwt',
    'statuslist+jwt',
    'jades',
    '',
    7,
    ['JWT'],
  ];
  judgeValues('F80 L02 no other typ is taken: %j', typs, /^L02 the list has a typ /, (typ) => under({ typ }));
  judgeEach(under, {
    'L10 F80 signed as far in the future as clocks differ': ['valid', sigT(5000)],
    'L10 F80 signed in the future': ['L10 it was signed in the future.', sigT(5001)],
  });

  test.each([
    ['H04', { ...past, crit: ['sigT', 'sigT'] }],
    ['H04', { ...past, crit: ['sigT', 'x'], x: 1 }],
    ['H04', { ...past, crit: ['x', 'sigT'], x: 1 }],
    ['H04', { ...past, crit: ['sigD'], sigD: {} }],
    ['H04', { ...past, crit: ['SigT'] }],
    ['H04', { ...past, crit: 'sigT' }],
    ['H04', { ...past, crit: [['sigT']] }],
    ['H04', { ...past, crit: [] }],
    ['H04', { ...past, crit: null }],
    ['H04', { ...past, crit: { 0: 'sigT', length: 1 } }],
    ['H04', { ...past, b64: true }],
    ['L10', { crit: ['sigT'] }],
    ['L10', { crit: ['sigT'], sigT: 1_786_000_000 }],
    ['L10', { crit: ['sigT'], sigT: 'soon' }],
    ['L10', { crit: ['sigT'], sigT: [past.sigT] }],
  ])('F80 %s where crit or its time is another: %j', async (check, change) => {
    for (const typ of ['trustlist+jwt', 'JOSE']) {
      expect(await under({ typ, ...change })).toMatch(new RegExp(`^${check} `));
    }
  });

  const inCredential = (header: Members) => checkOf(present({ header }));
  const inKeyBinding = (header: Members) =>
    checkOf(present({ binding: { header, payload: { nonce: nonceOf(state) } } }));
  const nothing = [{ typ: 'JOSE' }, { typ: 'JWT' }, { typ: undefined }];
  judgeValues('F80 H03 none of this is for a credential: %j', nothing, 'H03', inCredential);
  judgeValues('F80 B03 none of this is for a key binding: %j', nothing, 'B03', inKeyBinding);
  judgeValues('F80 H04 none of this is for a credential: %j', [past], 'H04', inCredential);
  judgeValues('F80 H04 none of this is for a key binding: %j', [past], 'H04', inKeyBinding);
});

describe('F80 a pinned signer may have any role', () => {
  test.each<[what: string, plan: Partial<CertificatePlan>]>([
    ['a CA without key usage that signed itself, as the German one', { isCa: true, keyUsage: 'absent' }],
    ['a CA', { isCa: true }],
    ['an end entity without key usage', { keyUsage: 'absent' }],
    ['one for key agreement', { keyUsage: ['keyAgreement'] }],
    ['a relying party', { purposes: ['1.0.18013.5.1.6'] }],
    ['one without any extension', { bare: true }],
  ])('F80 L05 L06 %s, as long as it is valid, and nothing below it counts', async (_, plan) => {
    const pinned = certify({ subject: 'Pinned', ...plan });
    const trust = trusting({ signers: [pemOf(pinned)] });
    expect(await judgeUnder(await signed({}, pinned), trust)).toBe('valid');
    const below = certify({ subject: 'Below', issuer: pinned });
    const byBelow = signedUnder({ ...goodHeader, x5c: x5cOf(below, pinned) }, listOf(), below);
    expect(await judgeUnder(byBelow, trust)).toBe('L05 it is not signed by a configured signer.');
    const withCa = await signed({ entities: entitiesOf(operator) }, pinned);
    expect(await judgeUnder(withCa, trust)).toMatch(/^key_not_found K03 /);
    const expired = certify({ subject: 'Pinned', ...plan, notAfter: -1 });
    expect(await signedBy(expired, [pemOf(expired)])).toBe(
      'L06 the certificate of its signer expired 1 second ago.',
    );
  });
});

describe('L05 L06 the signer is pinned', () => {
  const foreign = certify({
    subject: signer.subject,
    issuer: certify({ subject: operator.subject, isCa: true }),
  });
  const sibling = certify({ subject: signer.subject, issuer: operator });
  const refused = 'L05 it is not signed by a configured signer.';
  const own = [pemOf(signer)];
  judgeEach(signedBy, {
    'L05 a foreign signer of the same name': [refused, foreign, own],
    'L05 another leaf of the CA that issued the signer': [refused, sibling, own],
  });
  judgeEach(under, {
    'L05 a foreign signer under the x5c of the signer': [refused, { x5c: x5cOf(signer) }, listOf(), foreign],
    'L05 another leaf of the CA, sent': [refused, { x5c: x5cOf(sibling, operator) }, listOf(), sibling],
    'L05 a key in jwk': [refused, { jwk: foreign.keys.jwk }, listOf(), foreign],
    'L05 a key in x5u': [refused, { x5u: 'https://attacker.example/chain.pem' }, listOf(), foreign],
    'L05 a key in jku': [refused, { jku: 'https://attacker.example/jwks.json' }, listOf(), foreign],
    'L05 a key in kid': [refused, { kid: 'another' }, listOf(), foreign],
    'L05 no x5c in the header is needed': ['valid', { x5c: undefined }],
    'L05 nothing in the header is needed either': ['valid', { x5c: 'none' }],
  });

  test('L05 one of several signers, of any kind of key', async () => {
    const next = certify({ subject: 'Next Signer', issuer: operator, keys: newKeyPair('ES384') });
    const old = certify({ subject: 'RSA Signer', issuer: operator, keys: rsa(2048) });
    const ps256 = { ...old, keys: { ...old.keys, alg: 'PS256' } };
    const trust = trusting({ signers: [pemOf(next, signer), pemOf(old)] });
    const by = (alg: string, authority: typeof signer) =>
      judgeUnder(signedUnder({ ...goodHeader, alg }, listOf(), authority), trust);
    expect([await by('ES256', signer), await by('ES384', next), await by('PS256', ps256)]).toEqual([
      'valid',
      'valid',
      'valid',
    ]);
    expect(await by('ES256', sibling)).toBe(refused);
  });

  const signedAt = (validity: Partial<CertificatePlan>) =>
    pemOf(certify({ subject: 'Old', issuer: operator, keys: signer.keys, ...validity }));
  const [expired, later] = [signedAt({ notAfter: -60 }), signedAt({ notBefore: 60 })];
  judgeEach(signedBy, {
    'L06 it has expired': ['L06 the certificate of its signer expired 60 seconds ago.', signer, [expired]],
    'L06 none of its certificates is valid now': [/^L06 .*ago, is not valid yet/, signer, [expired, later]],
    'L06 one of its certificates is valid now': ['valid', signer, [expired, ...own]],
  });

  const weak = certify({ subject: 'Weak', keys: rsa(1024) });
  const limited = certify({ subject: 'Limited', more: [extension('1.2.3', '03020780', true)] });
  const wrong: [what: string, signers: unknown, message: RegExp][] = [
    ['a weak key', [pemOf(weak)], /must be the certificate that signs the list: CN=Weak, .* neither/],
    ['an extension that limits its use', [pemOf(limited)], /has an extension that limits its use/],
    ['a key of an unknown kind', [pemOf(withUnknownKey(signer))], /has a certificate that cannot be read/],
    ['no certificate', ['none'], /signers\[0\] must be certificates in PEM/],
    ['no signer', [], /signers must be a list/],
  ];
  refuseEach('K16 %s is no signer', wrong, (signers) => startProcess(trusting({ signers })));
});

describe('the scheme of the list', () => {
  const type = 'http://uri.etsi.org/19602/LoTEType/EU';
  const scheme = async (members: object) => await judgeUnder(await signed({ scheme: members }));
  const types = [`${type}WRPACProvidersList`, `${type}pidProvidersList`, undefined];
  judgeValues('L07 the LoTEType %s', types, /^L07 .*LoTEType/, (LoTEType) => scheme({ LoTEType }));
  judgeValues('L07 the version %p', [2, '1', undefined], /^L07 /, (LoTEVersionIdentifier) =>
    scheme({ LoTEVersionIdentifier }),
  );
  const numbers = [-1, 1.5, 2 ** 53, '7', undefined, null];
  judgeValues('L08 the sequence number %p', numbers, 'L08 it has no sequence number.', (number) =>
    scheme({ LoTESequenceNumber: number }),
  );

  judgeEach(async (plan: object) => await judgeUnder(await signed(plan)), {
    'L10 the issue date is as far in the future as clocks differ': ['valid', { issued: 5000 }],
    'L10 the issue date is in the future': ['L10 it was issued in the future.', { issued: 5001 }],
    'L11 the next update is to come': ['valid', { nextUpdate: 1 }],
    'L11 the next update is overdue': ['L11 its next update is overdue.', { nextUpdate: 0 }],
    'L11 the next update is 184 days ahead': ['valid', { nextUpdate: 184 * day }],
    'L11 it is further ahead': [/^L11 .* more than 184 days ahead\.$/, { nextUpdate: 184 * day + 1 }],
  });
  const dates = ['2026', '2026-08-12', '12.08.2026', 'soon', 1_786_000_000, undefined];
  const times = [...dates, '2026-13-01T00:00:00Z', '2026-08-11T00:00:00', '2026-09-31T00:00:00Z'];
  judgeValues('L10 the time %p is none', times, /^L10 /, (time) => scheme({ ListIssueDateTime: time }));
  judgeValues('L11 the time %p is none', times, /^L11 /, (time) => scheme({ NextUpdate: time }));
});
