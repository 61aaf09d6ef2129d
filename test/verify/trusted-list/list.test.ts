import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../lib/index.js';
import { testClock } from '../../support/clock.js';
import {
  alternativeNames,
  type Authority,
  type CertificatePlan,
  certify,
  extension,
  pemOf,
  withUnknownKey,
  x5cOf,
} from '../../support/verify/certificates.js';
import {
  anchoredIn,
  caOf,
  explainChain,
  good,
  root,
  rsa,
  signedWith,
  signerBelow,
} from '../../support/verify/chains.js';
import { material } from '../../support/verify/eudi.js';
import { encode, misspell, newKeyPair, nonceOf, now } from '../../support/verify/issuer.js';
import {
  day,
  entitiesOf,
  type EntityPlan,
  goodHeader,
  judgeUnder,
  judgeUnderStatus,
  listOf,
  operator,
  type ServicePlan,
  signed,
  signedUnder,
  signer,
  startProcess,
  trusting,
  types,
  unsigned,
  url,
} from '../../support/verify/lists.js';
import {
  checkOf,
  judgeEach,
  judgeValues,
  type Members,
  present,
  refuse,
  refuseEach,
  state,
} from '../../support/verify/verdicts.js';

describe('list', () => {
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
      [
        'P10',
        'twice in the header',
        () => signedUnder(`{"typ":"JWT",${JSON.stringify(goodHeader).slice(1)}`),
      ],
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
    judgeValues('F80 L02 no other typ is taken: %j', typs, /^L02 the list has a typ /, (typ) =>
      under({ typ }),
    );
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
      'L05 a foreign signer under the x5c of the signer': [
        refused,
        { x5c: x5cOf(signer) },
        listOf(),
        foreign,
      ],
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

    const rsaSigner = certify({ subject: 'RSA Signer', issuer: operator, keys: rsa(2048) });
    judgeValues(
      'L03 %s is taken, where it fits the key of a signer',
      ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'],
      'valid',
      async (alg) => {
        const by = alg.startsWith('PS')
          ? { ...rsaSigner, keys: { ...rsaSigner.keys, alg } }
          : certify({ subject: 'EC Signer', issuer: operator, keys: newKeyPair(alg) });
        const list = signedUnder({ ...goodHeader, alg }, listOf(), by);
        return await judgeUnder(list, trusting({ signers: [pemOf(by)] }));
      },
    );

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
      ['no certificate', ['none'], /signers\[0\] must be the text of certificates in PEM/],
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
      'L08 the sequence number may be zero': ['valid', { sequence: 0 }],
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
});

describe('leaves', () => {
  /** The Norwegian CA, which no list names, and its certificate for PIDs: qualified, and critically so. */
  const ca = caOf('Qualified CA');
  const qualified = (critical: boolean) =>
    extension('1.3.6.1.5.5.7.1.3', '300a3008060604008e460101', critical);
  const plan = { subject: 'PID-utsteder', issuer: ca, more: [qualified(true)] };
  const like = (change: Partial<CertificatePlan>) => certify({ ...plan, ...change });
  const utsteder = certify(plan);
  const stranger = /^key_not_found K03 /;

  /** What becomes of a presentation below this chain under a list with these services. */
  const listing = async (
    services: readonly ServicePlan[],
    chain: readonly Authority[],
    x5c: object = {},
    entry: object = {},
  ) => await judgeUnder(await signed({ entities: [{ services }] }), trusting({}, x5c, entry), chain);
  const naming = (
    certificates: readonly Authority[],
    ...rest: [chain: readonly Authority[], x5c?: object, entry?: object]
  ) => listing([{ certificates }], ...rest);
  /** The same of a presentation by the one certificate that the list names. */
  const own = (certificate: Authority, x5c: object = {}, entry: object = {}) =>
    naming([certificate], [certificate], x5c, entry);

  describe('F80 an end entity that the list names signs PIDs itself', () => {
    const strong = like({ keys: newKeyPair('ES384') });
    const selfSigned = like({ issuer: undefined });
    const haip = { profile: 'haip-1.0' };
    judgeEach(own, {
      'F80 qualified': ['valid', utsteder],
      'F80 not qualified': ['valid', like({ more: [] })],
      'F80 qualified, but not critically': ['valid', like({ more: [qualified(false)] })],
      'F80 with P-384, where the entry takes ES384': [
        'valid',
        strong,
        {},
        { algorithms: ['ES256', 'ES384'] },
      ],
      'F80 with P-384, where it does not': [/^H01 /, strong],
      'F80 under HAIP too': ['valid', utsteder, {}, haip],
      'F80 under HAIP one that signed itself is refused': [
        'K05 x5c[0] is self-signed.',
        selfSigned,
        {},
        haip,
      ],
      'F80 one that signed itself': ['valid', selfSigned],
    });
    judgeEach(naming, { 'F80 with any CA in the list': ['valid', [root, utsteder], [utsteder]] });
  });

  describe('F80 it counts as that exact leaf', () => {
    const below = certify({ subject: 'Below', issuer: utsteder });
    test.each<[what: string, chain: readonly Authority[]]>([
      ['another certificate of the same name and key', [like({ keys: utsteder.keys })]],
      ['another certificate of its CA', [like({ more: [] })]],
      ['the same name with another key', [like({})]],
      ['one below it', [below]],
      ['one below it, with it', [below, utsteder]],
      ['itself with its CA', [utsteder, ca]],
      ['itself twice', [utsteder, utsteder]],
    ])('F80 not as %s', async (_, chain) => {
      expect(await naming([utsteder], chain)).toMatch(stranger);
      expect(await naming([root, utsteder], chain)).toMatch(stranger);
    });

    const signing = like({ keyUsage: ['digitalSignature', 'keyCertSign'] });
    const belowSigning = certify({ subject: 'Below', issuer: signing });
    judgeEach(naming, {
      'F80 even if it may sign certificates': ['valid', [signing], [signing]],
      'F80 its name and key make no anchor of it': [stranger, [signing], [belowSigning]],
      'F80 nor does it where it was sent': [stranger, [signing], [belowSigning, signing]],
    });
    const forOther = (type: string) =>
      listing([{ certificates: [root] }, { type: types + type, certificates: [utsteder] }], [utsteder]);
    judgeEach(forOther, {
      'F80 for PID issuance alone, not for revocation': [stranger, 'PID/Revocation'],
      'F80 for PID issuance alone, not for relying parties': [stranger, 'WRPAC/Issuance'],
    });

    test('F80 for credentials alone: it signs no status list', async () => {
      const list = await signed({ entities: entitiesOf(root, utsteder) });
      const { issuer: signer, header } = signedWith([utsteder]);
      expect(await judgeUnder(list, trusting(), [utsteder])).toBe('valid');
      expect(await judgeUnderStatus(list, { signer, header }, [utsteder])).toMatch(
        /^credential_status_unavailable K03 /,
      );
    });

    test('F80 no longer than the list names it', async () => {
      const { judge, publish, wait } = startProcess();
      publish(await signed({ entities: entitiesOf(root, utsteder) }));
      expect(await judge([utsteder])).toBe('valid');
      publish(await signed({ sequence: 8, entities: entitiesOf(root) }));
      wait(day);
      // Nobody waits for a newer list while one counts, but for a chain that it does not know.
      expect(await judge([like({ subject: 'unknown' })])).toMatch(stranger);
      expect(await judge([utsteder])).toMatch(stranger);
    });
  });

  describe('F80 the rules for leaves hold for it', () => {
    const limited = extension('1.2.3.4', '0500', true);
    const subject = (CN: string) => ({ leaf: { subject: { CN } } });
    const inSan = { leaf: { requireIssuerInSan: true } };
    const named = like({ more: [qualified(true), alternativeNames({ dNSName: 'issuer.example' })] });
    judgeEach(own, {
      'F80 refused as expired': ['K06 x5c[0] expired 1 second ago.', like({ notAfter: -1 })],
      'F80 refused as not valid yet': [/^K06 x5c\[0\] is not valid yet /, like({ notBefore: 1 })],
      'F80 of a relying party': [/^K18 x5c\[0\] is for a relying/, like({ purposes: ['1.0.18013.5.1.6'] })],
      'F80 refused for code': [/^K18 x5c\[0\] is not for signing/, like({ purposes: ['1.3.6.1.5.5.7.3.3'] })],
      'F80 refused without a name': [/^K10 /, like({ subject: '' })],
      'F80 K20 the subject, where the entry asks for it': ['valid', utsteder, subject('PID-utsteder')],
      'F80 K20 another subject, where the entry asks for it': [/^K20 /, utsteder, subject('Another')],
      'F80 K10 the name, where the entry asks for it': ['valid', named, inSan],
      'F80 K10 no name, where the entry asks for it': [/^K10 /, utsteder, inSan],
    });

    const passedOver = 'L15 no entity in it that counts has a certificate that issues PIDs.';
    const check = (change: Partial<CertificatePlan>) => {
      const leaf = like(change);
      return naming([leaf], [{ ...leaf, keys: newKeyPair() }]);
    };
    judgeEach(check, {
      'F80 L15 one that may not sign is passed over': [passedOver, { keyUsage: ['keyAgreement'] }],
      'F80 L15 one that has no key usage is passed over': [passedOver, { keyUsage: 'absent' }],
      'F80 L15 a critical extension is passed over': [passedOver, { more: [qualified(true), limited] }],
      'F80 L15 a weak key is passed over': [passedOver, { keys: newKeyPair('EdDSA'), signedBy: ca.keys }],
    });

    const below = signerBelow(ca);
    const more = [qualified(true)];
    const between = caOf('Between', { issuer: root, more });
    judgeEach(explainChain, {
      'F80 K08 not below an anchor': [/^K08 x5c\[0\] has an extension/, [utsteder], anchoredIn([ca])],
      'F80 K08 not in a CA': [/^K08 x5c\[1\] has an extension/, [signerBelow(between), between]],
    });
    judgeEach(naming, {
      'F80 K08 not below a CA of the list': [/^K08 x5c\[0\] has an extension/, [ca], [utsteder]],
      'F80 K08 one without it is': ['valid', [ca], [below]],
    });
    refuse('F80 K08 nor in an anchor', () => explainChain([below], anchoredIn([caOf('Anchor', { more })])));
  });
});

describe('entities', () => {
  const other = caOf('Other Root');
  const belowOther = [signerBelow(other)];
  const none = 'L15 no entity in it that counts has a certificate that issues PIDs.';
  const stranger = /^key_not_found K03 /;

  /** The verdict on a presentation below this chain, by a list of these entities. */
  const check = async (
    entities: readonly EntityPlan[],
    chain: readonly Authority[] = good,
    lote: object = {},
  ) => await judgeUnder(await signed({ entities }), trusting(lote), chain);
  const withService = (service: ServicePlan) => check([{ services: [service] }]);
  const withMore = (more: object) => withService({ more });

  describe('L12 what a service is for', () => {
    const otherTypes = ['PID/Revocation', 'WRPAC/Issuance', 'WalletSolution/Issuance', 'PID/Issuance/More'];
    test.each(otherTypes)(
      'L12 the CA of a service for %s issues no PID, beside one that does',
      async (type) => {
        expect(await withService({ type: types + type })).toBe(none);
        const entities = [{ services: [{ certificates: [other] }, { type: types + type }] }];
        expect(await check(entities, belowOther)).toBe('valid');
        expect(await check(entities)).toMatch(stranger);
      },
    );
    judgeEach(withMore, { 'L12 L15 a service without a type': [none, { ServiceTypeIdentifier: undefined }] });
  });

  describe('L13 the status of a service', () => {
    const status = (name: string) => `http://uri.etsi.org/19602/PIDProvidersList/SvcStatus/${name}`;
    const at = (ms: number) => ({ StatusStartingTime: new Date(now.getTime() + ms).toISOString() });
    const inForce = [undefined, status('notified'), status('granted')];
    const others = [
      status('withdrawn'),
      status('suspended'),
      status('notified/not'),
      'https://attacker.example/notified',
      '',
      7,
      null,
      [status('granted')],
    ];

    judgeValues('L13 %s is in force', inForce, 'valid', (ServiceStatus) =>
      withMore({ ServiceStatus, ...at(-day) }),
    );
    judgeValues('L13 %s without a time is in force', inForce, 'valid', (ServiceStatus) =>
      withMore({ ServiceStatus }),
    );
    judgeValues('L13 %p is not', others, none, (ServiceStatus) => withMore({ ServiceStatus, ...at(-day) }));
    judgeEach(withMore, {
      'L13 a service that begins now': ['valid', at(0)],
      'L13 a service that has not begun': [none, at(1)],
      'L13 a beginning that is no time': [/^L13 it contains an invalid/, { StatusStartingTime: 'yesterday' }],
    });
  });

  describe('L14 whose services count', () => {
    const ca = caOf('French Root');
    const french = { name: 'ANTS', tradeName: 'NTRFR-1', country: 'FR', services: [{ certificates: [ca] }] };
    const below = [signerBelow(ca)];
    const both = [{}, french];
    const named = (...entities: string[]) => ({ territories: ['FR'], entities });
    /** A provider of another country that trades under the name of the German one. */
    const namesake = { ...french, tradeName: 'Bundesdruckerei' };

    judgeEach(check, {
      'L14 those of a configured territory': ['valid', both],
      'L14 those of another territory do not': [stranger, both, below],
      'L14 those of each configured territory': ['valid', both, below, { territories: ['FR', 'DE'] }],
      'L14 those of another territory alone': [none, [french], below],
      'L14 those of a configured name': ['valid', both, below, named('ANTS')],
      'L14 those of a configured trade name': ['valid', both, below, named('NTRFR-1')],
      'L14 those of another name do not': [stranger, both, good, named('ANTS')],
      'L14 those of a name that is spelled otherwise do not': [none, both, below, named('ants', 'ANT')],
      'L14, F106 a name does not count in another territory': [
        stranger,
        both,
        good,
        named('Bundesdruckerei', 'ANTS'),
      ],
      'L14, F106 nor does a trade name': [stranger, [{}, namesake], below, { entities: ['Bundesdruckerei'] }],
      'L14, F106 it counts in its own': ['valid', [{}, namesake], good, { entities: ['Bundesdruckerei'] }],
    });

    const address = (TEPostalAddress: object[]) => ({ TEAddress: { TEPostalAddress } });
    test.each<[what: string, information: unknown]>([
      ['in two countries', address([{ Country: 'DE' }, { Country: 'FR' }])],
      ['without an address', { TEName: [{ lang: 'en', value: 'Bundesdruckerei' }] }],
      ['without a country', address([{ lang: 'en' }])],
      ['of a country that is a list', address([{ Country: ['DE'] }])],
      ['without information', undefined],
    ])('L14 an entity %s', async (_, TrustedEntityInformation) => {
      const { LoTE } = listOf();
      const changed = { ...LoTE.TrustedEntitiesList[0], TrustedEntityInformation };
      const list = { LoTE: { ...LoTE, TrustedEntitiesList: [7, null, changed] } };
      expect(await judgeUnder(signedUnder(goodHeader, list))).toBe(none);
    });

    const wrong: [what: string, lote: object, message: RegExp][] = [
      ['the Union as a territory', { territories: ['EU'] }, /territories\[0\] must be a country code/],
      ['a name as a territory', { territories: ['Germany'] }, /territories\[0\] must be a country code/],
      ['no territory', { territories: [] }, /territories must be a list/],
      ['no entity', { entities: [''] }, /entities\[0\] must be a non-empty string/],
    ];
    refuseEach('K16 %s is refused at construction', wrong, (lote) => startProcess(trusting(lote)));

    const needed =
      "trust['de-ausweis'].keys.x5c.trustedList.territories must name the countries whose providers count, such as " +
      "['DE']: without it any member state could sign for this issuer, also under a name or trade name in entities.";
    const without = [
      ['entities without territories', { territories: undefined, entities: ['ANTS'] }],
      ['neither entities nor territories', { territories: undefined }],
    ] as const;
    refuseEach('F106 %s', without, (lote) => startProcess(trusting(lote)), needed);
  });

  test('L15 what is no certificate is skipped, too', async () => {
    const { LoTE } = listOf();
    const [entity] = LoTE.TrustedEntitiesList;
    const ServiceTypeIdentifier = `${types}PID/Issuance`;
    const broken = (ServiceDigitalIdentity: unknown) => ({
      ...entity,
      TrustedEntityServices: [{ ServiceInformation: { ServiceTypeIdentifier, ServiceDigitalIdentity } }],
    });
    const entities = [
      broken(undefined),
      broken({ X509Certificates: [{ val: 7 }, { val: 'AAAA' }, null] }),
      broken({ X509Certificates: [{ val: withUnknownKey(root).der.toString('base64') }] }),
      broken({ PublicKeyValues: [root.keys.jwk] }),
      { ...entity, TrustedEntityServices: [null, {}] },
    ];
    const judge = (list: unknown[]) =>
      judgeUnder(signedUnder(goodHeader, { LoTE: { ...LoTE, TrustedEntitiesList: list } }));
    expect(await judge([...entities, entity])).toBe('valid');
    expect(await judge(entities)).toBe(none);
  });

  test('L16 history and pointers to other lists are never followed', async () => {
    const { judge, publish, requests } = startProcess();
    const before = {
      ServiceName: [{ lang: 'en', value: 'Before' }],
      ServiceTypeIdentifier: `${types}PID/Issuance`,
      ServiceDigitalIdentity: { X509Certificates: [{ val: root.der.toString('base64') }] },
      ServiceStatus: 'http://uri.etsi.org/19602/PIDProvidersList/SvcStatus/notified',
      StatusStartingTime: '2025-01-01T00:00:00Z',
    };
    const pointer = {
      LoTELocation: 'https://attacker.example',
      ServiceDigitalIdentities: [],
      LoTEQualifiers: [],
    };
    const entities = [{ services: [{ certificates: [other], history: [before] }] }];
    publish(await signed({ entities, scheme: { PointersToOtherLoTE: [pointer] } }));
    expect(await judge(belowOther)).toBe('valid');
    expect(await judge()).toMatch(stranger);
    expect(requests.every((address) => address.startsWith('https://lists.example/'))).toBe(true);
  });

  test('K20 the rules for leaves hold below the anchors of a list', async () => {
    const { judge, publish } = startProcess(trusting({}, { leaf: { subject: { CN: 'PID Issuer' } } }));
    publish(await signed({ entities: entitiesOf(root) }));
    expect(await judge()).toBe('valid');
    expect(await judge([signerBelow(root, { subject: 'Another' })])).toMatch(/^K20 /);
  });
});

describe('german list', () => {
  /** The lists that SPRIND published for its sandbox on two days, as they are, and their one signer. */
  const june = { list: material('german-pid-list.2026-06-28.jwt'), at: Date.UTC(2026, 5, 29) };
  const july = { list: material('german-pid-list.2026-07-12.jwt'), at: Date.UTC(2026, 6, 13) };
  const [header = ''] = june.list.split('.');
  const { x5c } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { x5c: [string] };
  const sprind = `-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----\n`;

  const day = 86_400_000;
  const bothCas = 'CN=PIDP Preprod CA, CN=PIDP Demo CA';
  const stranger = [signerBelow(caOf('Stranger'))];

  /** A process that trusts the list, with a clock that goes to the day of each list that is published. */
  function process(lote: object = {}) {
    const { judge, publish, wait } = startProcess(
      trusting({ url: 'https://trust-list.example/pid-provider.jwt', signers: [sprind], ...lote }),
    );
    let time = now.getTime();
    return {
      /** The common names of the anchors under this list, by what a stranger is told, or why it is not used. */
      async on({ list, at }: { readonly list: string; readonly at: number }): Promise<string> {
        publish(list);
        wait(at - time);
        time = at;
        const said = await judge(stranger);
        return said.startsWith('key_not_found K03 ')
          ? (said.match(/CN=PIDP \w+ CA/g) ?? []).join(', ')
          : said;
      },
    };
  }

  const tooLong = 'L11 its next update is more than 184 days ahead.';
  const wentBack = 'L08 it is older than a list that was accepted before.';
  const unsigned = 'L05 it is not signed by a configured signer.';
  const allowing = (...dangerouslyAllow: string[]) => ({ dangerouslyAllow });
  const none = 'L15 no entity in it that counts has a certificate that issues PIDs.';
  const both = allowing('sequence-reset', 'long-validity');

  describe('F80 the German list as it is published', () => {
    const [head = '', payload = '', signature = ''] = july.list.trim().split('.');
    const raised = Buffer.from(payload, 'base64url')
      .toString()
      .replace('"LoTESequenceNumber":1', '"LoTESequenceNumber":9');
    const changed = `${head}.${Buffer.from(raised).toString('base64url')}.${signature}`;
    const demo = { entities: ['Bundesdruckerei GmbH DEMO PID-Provider'] };

    test.each([
      ['of July, on its day: its two PID CAs are anchors', {}, july, bothCas],
      ['of July, whatever the entry allows', both, july, bothCas],
      ['of June: its next update is a year ahead', {}, june, tooLong],
      ['of June: to allow another thing is not enough', allowing('sequence-reset'), june, tooLong],
      ['of June: a year ahead, where the entry allows it', allowing('long-validity'), june, bothCas],
      ['of June, where the entry allows both', both, june, bothCas],
      ['of July only with its signer pinned', { signers: [pemOf(signer)] }, july, unsigned],
      ['of July only whole and unchanged', {}, { ...july, list: changed }, unsigned],
      ['of July only in time', both, { ...july, at: july.at + day }, 'L11 its next update is overdue.'],
      ['of July only for its country', { territories: ['AT'] }, july, none],
      ['of July for one of its providers', demo, july, 'CN=PIDP Demo CA'],
    ])('F80 %s', async (_, lote, list, verdict) => {
      expect(await process(lote).on(list)).toBe(verdict);
    });

    test('F80 of July after that of June: its number went back from 2 to 1, which the entry must allow', async () => {
      const long = process({ ...allowing('long-validity'), maxStale: '1d' });
      expect([await long.on(june), await long.on(july)]).toEqual([bothCas, wentBack]);
      const lenient = process({ ...both, maxStale: '1d' });
      expect([await lenient.on(june), await lenient.on(july)]).toEqual([bothCas, bothCas]);
    });

    test('F80 and never that of June again, in this process and in the next', async () => {
      const store = memoryStore({ clock: testClock(july.at) });
      const again = { ...june, at: july.at + 2 * day };
      const first = process({ ...both, store, maxStale: '1d' });
      expect([await first.on(july), await first.on(again)]).toEqual([bothCas, wentBack]);
      expect(await process({ ...both, store }).on(again)).toBe(wentBack);
    });
  });
});
