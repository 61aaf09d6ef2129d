import { createHmac } from 'node:crypto';
import { KeyUsage } from '@peculiar/asn1-x509';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type CertificatePlan,
  certify,
  extension,
  pemOf,
  withUnknownKey,
  x5cOf,
} from '../../support/verify/certificates.js';
import { encode, misspell, newKeyPair, now } from '../../support/verify/issuer.js';
import { inShort, judge, present, state } from '../trust/trusting.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { thrown } from '../../support/verify/verdicts.js';
import { rsa } from '../../support/verify/chains.js';
import {
  day,
  goodHeader,
  listOf,
  operator,
  processOf,
  signed,
  signedUnder,
  signer,
  trusting,
  unsigned,
  url,
  whyUnusable,
} from '../../support/verify/lists.js';

const nonce = nonceOf(state);

/** What becomes of a good presentation under a list like this. */
async function under(list: string, trust = trusting()): Promise<string> {
  const { judge, publish } = processOf(trust);
  publish(list);
  return whyUnusable(await judge());
}

let good = '';
beforeAll(async () => {
  good = await signed();
});

test('L01 a list as @owf/eudi-lote makes it is accepted, and fetched from its address', async () => {
  const { judge, publish, requests } = processOf(trusting());
  publish(good);
  expect(await judge()).toBe('valid');
  expect(await judge()).toBe('valid');
  expect(requests).toEqual([url]);
  expect(await under(`${good}\n`)).toBe('valid');
});

describe('L01 the form of the list', () => {
  const xml = '<?xml version="1.0"?><TrustServiceStatusList/>';
  const json = () => {
    const [header, payload, signature] = good.split('.');
    return JSON.stringify({ payload, signatures: [{ protected: header, signature }] });
  };
  const forms: [check: string, what: string, list: () => string][] = [
    ['L01', 'XML', () => xml],
    ['L01', 'a page', () => '<!doctype html><title>Sign in.</title>'],
    ['L01', 'nothing', () => ''],
    ['L01', 'a list that is not signed', () => JSON.stringify(listOf())],
    ['L01', 'a JWS in JSON serialization', json],
    ['L01', 'two segments', () => good.split('.').slice(0, 2).join('.')],
    ['L01', 'five segments', () => `${good}.a.b`],
    ['P02', 'a padded header', () => signedUnder(misspell(goodHeader).padded)],
    ['P02', 'a padded payload', () => signedUnder(goodHeader, misspell(listOf()).padded)],
    ['P02', 'a padded signature', () => `${good}=`],
    ['P09', 'a payload that is no object', () => signedUnder(goodHeader, [listOf()])],
    ['P09', 'a payload that is not UTF-8', () => signedUnder(goodHeader, Buffer.from([0x7b, 0xff, 0x7d]))],
    [
      'P10',
      'a member twice in the header',
      () => signedUnder(JSON.stringify(goodHeader).replace('{', '{"typ":"JWT",')),
    ],
    [
      'P10',
      'a member twice',
      () =>
        signedUnder(
          goodHeader,
          JSON.stringify(listOf()).replace(
            '"LoTESequenceNumber"',
            '"LoTESequenceNumber":9,"LoTESequenceNumber"',
          ),
        ),
    ],
    [
      'P08',
      'a depth of 10,000',
      () => signedUnder(goodHeader, `{"LoTE":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    ],
    [
      'P08',
      'too many values',
      () => signedUnder(goodHeader, JSON.stringify({ more: Array(200_001).fill(0) })),
    ],
    ['L07', 'another content', () => signedUnder(goodHeader, { sub: 'a' })],
    [
      'L07',
      'no entities',
      () => signedUnder(goodHeader, { LoTE: { ...listOf().LoTE, TrustedEntitiesList: {} } }),
    ],
    ['L07', 'no scheme', () => signedUnder(goodHeader, { LoTE: { TrustedEntitiesList: [] } })],
  ];

  test.each(forms)('%s %s', async (check, _, list) => {
    expect(await under(list())).toMatch(new RegExp(`^${check} `));
  });
});

describe('the header of the list', () => {
  const { typ: _typ, ...untyped } = goodHeader;
  const faults: [check: string, what: string, list: () => string][] = [
    ['L02', 'no typ, and more than a list', () => signedUnder(untyped, { ...listOf(), sub: 'a' })],
    ['L02', 'typ null', () => signedUnder({ ...goodHeader, typ: null })],
    ['L02', 'typ in capitals', () => signedUnder({ ...goodHeader, typ: 'TRUSTLIST+JWT' })],
    ['L02', 'typ with its tree', () => signedUnder({ ...goodHeader, typ: 'application/trustlist+jwt' })],
    ['L03', 'alg none', () => unsigned({ ...goodHeader, alg: 'none' })],
    [
      'L03',
      'alg HS256 over the key of the signer',
      () => {
        const input = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(listOf())}`;
        const secret = signer.keys.publicKey.export({ type: 'spki', format: 'pem' });
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      },
    ],
    ['L03', 'alg ES384 on a key of P-256', () => signedUnder({ ...goodHeader, alg: 'ES384' })],
    ['L03', 'alg PS256 on a key of P-256', () => signedUnder({ ...goodHeader, alg: 'PS256' })],
    ['L03', 'alg RS256', () => signedUnder({ ...goodHeader, alg: 'RS256' })],
    ['L03', 'no alg', () => signedUnder({ ...goodHeader, alg: undefined })],
    ['H04', 'an unknown extension', () => signedUnder({ ...goodHeader, crit: ['x'], x: 1 })],
    ['H04', 'an unencoded payload', () => signedUnder({ ...goodHeader, b64: false, crit: ['b64'] })],
    ['H04', 'an unencoded payload, not declared', () => signedUnder({ ...goodHeader, b64: false })],
  ];

  test.each(faults)('%s %s', async (check, _what, list) => {
    expect(await under(list())).toMatch(new RegExp(`^${check} `));
  });
});

describe('F80 lists as others sign them', () => {
  const { typ: _typ, ...untyped } = goodHeader;
  const iat = now.getTime() / 1000;
  /** Headers that say nothing, and what each is told with this payload. */
  const underEach = async (payload: unknown, change: object = {}): Promise<string[]> => {
    const typs = [{}, { typ: 'JOSE' }, { typ: 'JWT' }, { typ: 'trustlist+jwt' }];
    return await Promise.all(
      typs.map(async (typ) =>
        (await under(signedUnder({ ...untyped, ...typ, ...change }, payload))).slice(0, 5),
      ),
    );
  };

  test('F80 with a typ that says nothing, or none, where the payload is nothing but a list', async () => {
    const all = ['valid', 'valid', 'valid', 'valid'];
    expect(await underEach(listOf())).toEqual(all);
    expect(await underEach({ iat, ...listOf() })).toEqual(all);
    expect(await underEach({ ...listOf(), iat, exp: iat + 60 })).toEqual(all);
  });

  test.each([
    [{ iss: 'https://issuer.example' }],
    [{ sub: 'a' }],
    [{ vct: 'urn:eudi:pid:de:1' }],
    [{ nonce: 'a', aud: 'b' }],
    [{ status_list: {} }],
    [{ lote: {} }],
    [{ '': 1 }],
  ])('F80 with more members, %j, it must say that it is a list', async (more) => {
    expect(await underEach({ ...listOf(), ...more })).toEqual(['L02 i', 'L02 i', 'L02 i', 'valid']);
  });

  test.each([
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
  ])('F80 no other typ is taken: %j', async (typ) => {
    expect(await under(signedUnder({ ...goodHeader, typ }))).toMatch(/^L02 the list has a typ /);
  });

  const sigT = (ms: number) => ({
    crit: ['sigT'],
    sigT: new Date(now.getTime() + ms).toISOString(),
  });

  test('F80 with the time of signing declared as critical', async () => {
    expect(await underEach(listOf(), sigT(-day))).toEqual(['valid', 'valid', 'valid', 'valid']);
  });

  test('L10 F80 signed in the future', async () => {
    expect(await under(signedUnder({ ...goodHeader, ...sigT(5000) }))).toBe('valid');
    expect(await under(signedUnder({ ...goodHeader, ...sigT(5001) }))).toBe(
      'L10 it was signed in the future.',
    );
  });

  const past = sigT(-day);
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
      expect(await under(signedUnder({ ...goodHeader, typ, ...change }))).toMatch(new RegExp(`^${check} `));
    }
  });

  test('F80 none of this is for another token', async () => {
    const spelled = sigT(-day);
    for (const typ of ['JOSE', 'JWT', undefined]) {
      expect(inShort(await judge(present({ header: { typ } })))).toBe('presentation_invalid H03');
      expect(inShort(await judge(present({ binding: { header: { typ }, payload: { nonce } } })))).toBe(
        'presentation_invalid B03',
      );
    }
    expect(inShort(await judge(present({ header: spelled })))).toBe('presentation_invalid H04');
    expect(inShort(await judge(present({ binding: { header: spelled, payload: { nonce } } })))).toBe(
      'presentation_invalid H04',
    );
  });
});

describe('F80 a pinned signer may have any role', () => {
  const plans: [what: string, plan: Partial<CertificatePlan>][] = [
    ['a CA without key usage that signed itself, as the German one', { isCa: true, keyUsage: 'absent' }],
    ['a CA', { isCa: true }],
    ['an end entity without key usage', { keyUsage: 'absent' }],
    ['one for key agreement', { keyUsage: ['keyAgreement'] }],
    ['a relying party', { purposes: ['1.0.18013.5.1.6'] }],
    ['one without any extension', { bare: true }],
  ];

  test.each(plans)('F80 %s', async (_, plan) => {
    const pinned = certify({ subject: 'Pinned', ...plan });
    const trust = trusting({ signers: [pemOf(pinned)] });
    expect(await under(await signed({}, pinned), trust)).toBe('valid');
  });

  test.each(plans)('F80 nothing below it counts: %s', async (_, plan) => {
    const pinned = certify({ subject: 'Pinned', ...plan });
    const below = certify({ subject: 'Below', issuer: pinned });
    const header = { ...goodHeader, x5c: x5cOf(below, pinned) };
    const trust = trusting({ signers: [pemOf(pinned)] });
    expect(await under(signedUnder(header, listOf(), below), trust)).toBe(
      'L05 it is not signed by a configured signer.',
    );
    expect(
      await under(await signed({ entities: [{ services: [{ certificates: [operator] }] }] }, pinned), trust),
    ).toMatch(/^key_not_found K03 /);
  });

  test.each(plans)('F80 L06 it is valid now: %s', async (_, plan) => {
    const pinned = certify({ subject: 'Pinned', ...plan, notAfter: -1 });
    expect(await under(await signed({}, pinned), trusting({ signers: [pemOf(pinned)] }))).toBe(
      'L06 the certificate of its signer expired 1 second ago.',
    );
  });
});

describe('L05 the signer is pinned', () => {
  const foreignCa = certify({ subject: operator.subject, isCa: true });
  const foreign = certify({ subject: signer.subject, issuer: foreignCa });
  const sibling = certify({ subject: signer.subject, issuer: operator });
  const refused = 'L05 it is not signed by a configured signer.';

  test('L05 a foreign signer of the same name', async () => {
    expect(await under(await signed({}, foreign))).toBe(refused);
    expect(await under(signedUnder({ ...goodHeader, x5c: x5cOf(signer) }, listOf(), foreign))).toBe(refused);
  });

  test('L05 another leaf of the CA that issued the signer', async () => {
    expect(await under(await signed({}, sibling))).toBe(refused);
    expect(
      await under(signedUnder({ ...goodHeader, x5c: x5cOf(sibling, operator) }, listOf(), sibling)),
    ).toBe(refused);
  });

  test.each<[name: string, value: unknown]>([
    ['jwk', foreign.keys.jwk],
    ['x5u', 'https://attacker.example/chain.pem'],
    ['jku', 'https://attacker.example/jwks.json'],
    ['kid', 'another'],
  ])('L05 a key in %s', async (name, value) => {
    expect(await under(signedUnder({ ...goodHeader, [name]: value }, listOf(), foreign))).toBe(refused);
  });

  test('L05 nothing in the header is needed either', async () => {
    expect(await under(signedUnder({ alg: 'ES256', typ: 'trustlist+jwt' }))).toBe('valid');
    expect(await under(signedUnder({ ...goodHeader, x5c: 'none' }))).toBe('valid');
  });

  test('L05 one of several signers, of any kind of key', async () => {
    const next = certify({ subject: 'Next Signer', issuer: operator, keys: newKeyPair('ES384') });
    const old = certify({ subject: 'RSA Signer', issuer: operator, keys: rsa(2048) });
    const trust = trusting({ signers: [pemOf(next, signer), pemOf(old)] });
    expect(await under(good, trust)).toBe('valid');
    expect(await under(signedUnder({ ...goodHeader, alg: 'ES384' }, listOf(), next), trust)).toBe('valid');
    const keys = { ...old.keys, alg: 'PS256' };
    expect(await under(signedUnder({ ...goodHeader, alg: 'PS256' }, listOf(), { ...old, keys }), trust)).toBe(
      'valid',
    );
    expect(await under(await signed({}, sibling), trust)).toBe(refused);
  });

  test('L06 the certificate of the signer has expired', async () => {
    const expired = certify({ subject: 'Old', issuer: operator, keys: signer.keys, notAfter: -60 });
    const later = certify({ subject: 'Later', issuer: operator, keys: signer.keys, notBefore: 60 });
    expect(await under(good, trusting({ signers: [pemOf(expired)] }))).toBe(
      'L06 the certificate of its signer expired 60 seconds ago.',
    );
    expect(await under(good, trusting({ signers: [pemOf(expired, later)] }))).toMatch(
      /^L06 .*ago, is valid only in/,
    );
    expect(await under(good, trusting({ signers: [pemOf(expired, signer)] }))).toBe('valid');
  });

  test.each<[what: string, signers: unknown, message: RegExp]>([
    [
      'a weak key',
      [pemOf(certify({ subject: 'Weak', keys: rsa(1024) }))],
      /must be the certificate that signs the list: CN=Weak, .* has a key that is neither/,
    ],
    [
      'an extension that limits its use',
      [pemOf(certify({ subject: 'Limited', more: [extension('1.2.3', new KeyUsage(1), true)] }))],
      /has an extension that limits its use/,
    ],
    ['a key of an unknown kind', [pemOf(withUnknownKey(signer))], /has a certificate that cannot be read/],
    ['no certificate', ['none'], /signers\[0\] must be certificates in PEM/],
    ['no signer', [], /signers must be a list/],
  ])('K16 %s is no signer', async (_, signers, message) => {
    expect(await thrown(() => processOf(trusting({ signers })))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });
});

describe('the scheme of the list', () => {
  const type = 'http://uri.etsi.org/19602/LoTEType/EU';
  const scheme = async (members: object) => await under(await signed({ scheme: members }));

  test.each([
    `${type}WRPACProvidersList`,
    `${type}PubEAAProvidersList`,
    `${type}pidProvidersList`,
    undefined,
  ])('L07 the LoTEType %s', async (LoTEType) => {
    expect(await scheme({ LoTEType })).toBe('L07 it is not the list of PID providers (LoTEType).');
  });

  test.each([2, '1', undefined])('L07 the version %p', async (LoTEVersionIdentifier) => {
    expect(await scheme({ LoTEVersionIdentifier })).toMatch(/^L07 /);
  });

  test.each([-1, 1.5, 2 ** 53, '7', undefined, null])('L08 the sequence number %p', async (sequence) => {
    expect(await scheme({ LoTESequenceNumber: sequence })).toBe('L08 it has no sequence number.');
  });

  test('L10 the issue date', async () => {
    expect(await under(await signed({ issued: 5000 }))).toBe('valid');
    expect(await under(await signed({ issued: 5001 }))).toBe('L10 it was issued in the future.');
  });

  test('L11 the next update', async () => {
    expect(await under(await signed({ nextUpdate: 1 }))).toBe('valid');
    expect(await under(await signed({ nextUpdate: 0 }))).toBe('L11 its next update is overdue.');
    expect(await under(await signed({ nextUpdate: 184 * day }))).toBe('valid');
    expect(await under(await signed({ nextUpdate: 184 * day + 1 }))).toMatch(
      /^L11 its next update is more than 184 days ahead\.$/,
    );
  });

  test.each([
    '2026',
    '2026-08-12',
    '12.08.2026',
    'soon',
    1_786_000_000,
    undefined,
    '2026-13-01T00:00:00Z',
    '2026-08-11T00:00:00',
    '2026-09-31T00:00:00Z',
    '2026-02-29T00:00:00+01:00',
  ])('L10 L11 the time %p is none', async (time) => {
    expect(await scheme({ ListIssueDateTime: time })).toMatch(/^L10 /);
    expect(await scheme({ NextUpdate: time })).toMatch(/^L11 /);
  });
});
