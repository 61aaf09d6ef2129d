import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Trust, trustFromPem } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { deep } from '../../support/deep.js';
import {
  type AlternativeName,
  alternativeNames,
  type Authority,
  type CertificatePlan,
  certify,
  extension,
  pemOf,
  policies,
  x5cOf,
} from '../../support/verify/certificates.js';
import {
  anchoredIn,
  brainpool,
  caOf,
  checkChain,
  explainChain,
  good,
  haip,
  intermediate,
  leaf,
  presentWith,
  root,
  rsa,
  signedWith,
  signerBelow,
  trustX5c,
  withIntermediate,
  withLeaf,
} from '../../support/verify/chains.js';
import { certificatesIn, material, nameOf } from '../../support/verify/eudi.js';
import { clock, iss, newKeyPair, now, vct } from '../../support/verify/issuer.js';
import {
  checkOf,
  entry,
  expected,
  given,
  inShort,
  judge,
  judgeEach,
  judgeValues,
  present,
  refuseEach,
  refuseValues,
  startVerifier,
  trustIn,
} from '../../support/verify/verdicts.js';
import { type Fault, kinds, type Trusting } from '../jose/jws-kinds.js';

describe('path', () => {
  type Chain = readonly Authority[];

  const other = caOf('Other Root');
  /** The names of the real ones, and other keys. */
  const fakeRoot = caOf(root.subject);
  const fakeIntermediate = caOf(intermediate.subject, { issuer: fakeRoot });
  /** The root in another certificate of the same name and key. */
  const renewedRoot = (change: Partial<CertificatePlan> = {}) =>
    caOf(root.subject, { keys: root.keys, ...change });
  const belowOther = signerBelow(other);
  const stranger = 'key_not_found K03';
  const haipIn = (anchors: Chain) => anchoredIn(anchors, { profile: 'haip-1.0' });

  describe('K03 the path ends at an anchor of the configuration', () => {
    const chain = [root];
    for (const subject of ['One', 'Two', 'Three']) chain.unshift(caOf(subject, { issuer: chain[0] }));
    const [last = root] = chain;
    const fake = caOf('Fake', { keyUsage: ['digitalSignature', 'keyCertSign'] });

    judgeEach(checkChain, {
      'K03 with one intermediate': ['valid', good],
      'K03 with none': ['valid', [signerBelow(root)]],
      'K03 with three': ['valid', [signerBelow(last), ...chain.slice(0, -1)]],
      'K03 an intermediate CA can be the anchor': ['valid', [leaf], anchoredIn([intermediate])],
      'K03 an intermediate CA can be one of the anchors': [
        'valid',
        [leaf],
        anchoredIn([other, intermediate]),
      ],
      'K03 the intermediate is missing': [stranger, [leaf]],
      'K03 the end of the chain is missing': [stranger, [belowOther]],
      'K03 a root of its own': [stranger, [belowOther, other]],
      'K03 names of the real chain': [stranger, [signerBelow(fakeIntermediate), fakeIntermediate]],
      'K03 and with its own root': [stranger, [signerBelow(fakeRoot), fakeRoot]],
      'K03 the real root behind a foreign chain': [stranger, [belowOther, other, root]],
      'K03 another configuration': [stranger, good, anchoredIn([other])],
      'K03 the last has another issuer name': [stranger, withIntermediate({ issuerName: 'Someone' })],
      'K03 the last has another signature': [stranger, withIntermediate({ signedBy: newKeyPair() })],
      'K03 the last has another key id': [
        stranger,
        withIntermediate({ authorityKeyId: Buffer.alloc(20, 7) }),
      ],
      'K03 the order changed': [stranger, [intermediate, leaf]],
      'K03 a root of its own becomes no anchor by being sent first': ['K05', [fake]],
      'K03 nor does the anchor itself': ['K05', [root]],
    });

    const secretLeaf = (issuer: Authority) => [signerBelow(issuer, { subject: 'SECRET-LEAF' })];
    const many = ['A', 'B', 'C', 'D', 'E'].map((subject) => caOf(subject));
    const hidden = secretLeaf(caOf('SECRET-VALUE'));

    judgeEach(explainChain, {
      'K03 the reason names what is configured, and nothing of the token': [
        'K03 No configured anchor issued x5c[0], the end of the chain. Configured: CN=PID Root, O=Example, C=DE.',
        hidden,
      ],
      'K03 the reason names three of many': [
        /: CN=A, .*; CN=B, .*; CN=C, [^;]*; and 2 more\.$/,
        hidden,
        anchoredIn(many),
      ],
      'K03 the reason names the anchor that did not issue it': [
        'K03 x5c[0] names the anchor CN=PID Root, O=Example, C=DE as its issuer, but was not issued with its key.',
        secretLeaf(fakeRoot),
      ],
    });
  });

  describe('K04 the anchor inside x5c', () => {
    const renewed = renewedRoot({ notAfter: 7 });
    const newKey = caOf(root.subject, { issuer: root });
    const newName = caOf('New Name', { issuer: root, keys: root.keys });
    const below = (issuer: Authority) => [signerBelow(issuer), issuer];

    judgeEach(checkChain, {
      'K04 is refused in the profile haip-1.0': ['K04', [...good, root], haip],
      'K04 is refused in the profile haip-1.0, and what has none is not': ['valid', good, haip],
      'K04 is refused in the profile haip-1.0 when it was renewed': ['K04', [...good, renewed], haip],
      'K04 is refused in the profile haip-1.0 alone': ['K04', [root], haip],
      'K04 is refused in the profile haip-1.0 beside another': [
        'K04',
        [...good, root],
        haipIn([other, root]),
      ],
      'K04 is left out in the plain profile': ['valid', [...good, root]],
      'K04 is left out in the plain profile when it was renewed': ['valid', [...good, renewed]],
      'K04 is left out in the plain profile, with what follows it': ['valid', [...good, root, other]],
      'K04 is left out in the plain one below another': [
        'valid',
        [...good, root],
        anchoredIn([intermediate]),
      ],
      'K04 is about name and key: the name alone makes no anchor': ['valid', below(newKey)],
      'K04 is about name and key: the name alone makes no anchor under HAIP': ['valid', below(newKey), haip],
      'K04 is about name and key: the key alone makes no anchor': ['valid', below(newName)],
      'K04 is about name and key: the key alone makes no anchor under HAIP': ['valid', below(newName), haip],
      'K04 is no excuse for the rest of the chain': [stranger, [leaf, root]],
      'K04 is no excuse for a stranger': [stranger, [belowOther, root]],
    });
  });

  describe('K05 a self-signed leaf, and K19 one that bears the name of its CA', () => {
    const self = certify({ subject: 'PID Issuer' });
    const renamed = (issuer: Authority) => signerBelow(issuer, { subject: issuer.subject });

    judgeEach(checkChain, {
      'K05 alone': ['K05', [self]],
      'K05 alone under HAIP': ['K05', [self], haip],
      'K05 before a chain': ['K05', [self, intermediate]],
      'K05 before a chain under HAIP': ['K05', [self, intermediate], haip],
      'K05 of a name of the chain': ['K05', [certify({ subject: intermediate.subject }), intermediate]],
      'K19 has a key of its own, below an anchor': ['valid', [renamed(root)]],
      'K19 has a key of its own, below an intermediate': ['valid', [renamed(intermediate), intermediate]],
      'K19 has a key of its own, under HAIP': ['valid', [renamed(root)], haip],
      'K03 where another key signed a leaf that bears the name of its CA': [stranger, [renamed(fakeRoot)]],
    });
  });

  describe('K08 each certificate was issued by the next', () => {
    const sibling = caOf('Sibling', { issuer: root });
    const [first = '', second = ''] = x5cOf(...good);
    const changedAt = (at: number) => {
      const der = Buffer.from(leaf.der);
      der.writeUInt8(der.readUInt8(at) ^ 1, at);
      return [der.toString('base64'), second];
    };

    judgeEach(checkChain, {
      'K08 another intermediate of the anchor': ['K08', [leaf, sibling]],
      'K08 a certificate between that has no part in it': ['K08', [leaf, sibling, intermediate]],
      'K08 one certificate twice': ['K08', [leaf, intermediate, intermediate]],
      'K08 another name of the issuer': ['K08', withLeaf({ issuerName: 'Someone' })],
      'K08 another signature': ['K08', withLeaf({ signedBy: newKeyPair() })],
      'K08 the key of another CA': ['K08', withLeaf({ signedBy: root.keys })],
      'K08 another authority key identifier': ['K08', withLeaf({ authorityKeyId: Buffer.alloc(20, 7) })],
    });
    judgeEach(explainChain, {
      'K08 the reason says which certificate it is': [
        'K08 x5c[0] was not issued by x5c[1].',
        [leaf, sibling],
      ],
    });
    judgeEach((x5c: readonly string[]) => checkOf(presentWith(good, { header: { x5c } }), anchoredIn()), {
      'K08 no byte of a certificate is changed': ['valid', [first, second]],
      'K08 byte 100 of a certificate is changed': [/K0[138]$/, changedAt(100)],
      'K08 byte 200 of a certificate is changed': [/K0[138]$/, changedAt(200)],
      'K08 byte 300 of a certificate is changed': [/K0[138]$/, changedAt(300)],
      'K08 a byte of its signature is changed': [/K0[138]$/, changedAt(leaf.der.length - 10)],
    });
  });

  describe('K06 every certificate is valid now', () => {
    const places = (validity: Partial<CertificatePlan>) => {
      const anchor = caOf('Anchor', validity);
      return [
        ['x5c[0]', withLeaf(validity)],
        ['x5c[1]', withIntermediate(validity)],
        ['The anchor CN=Anchor, O=Example, C=DE', [signerBelow(anchor)], anchoredIn([anchor])],
      ] as const;
    };

    test.each([
      ['in its last second', { notAfter: 0 }],
      ['in its first second', { notBefore: 0 }],
      ['until 2050 and after', { notAfter: 40 * 365 * 86_400 }],
    ])('K06 %s: %j', async (_, validity) => {
      for (const [, chain, trust] of places(validity)) expect(await explainChain(chain, trust)).toBe('valid');
    });

    test.each([
      ['a second late', { notAfter: -1 }, 'expired 1 second ago'],
      ['a day late', { notAfter: -86_400 }, 'expired 86400 seconds ago'],
      ['a second early', { notBefore: 1 }, 'is not valid yet (valid in 1 second)'],
      ['never valid', { notBefore: 10, notAfter: -10 }, 'expired 10 seconds ago'],
    ])('K06 %s: %j', async (_, validity, reason) => {
      for (const [place, chain, trust] of places(validity)) {
        expect(await explainChain(chain, trust)).toBe(`K06 ${place} ${reason}.`);
      }
    });

    test('K06 a chain that was judged before expires all the same', async () => {
      const { clock, verdict } = startVerifier(anchoredIn());
      const token = signedWith(withLeaf({ notAfter: 60 }));
      expect(await verdict(token)).toMatchObject({ valid: true });
      clock.forward(60_999);
      expect(await verdict(token)).toMatchObject({ valid: true });
      clock.forward(1);
      expect(await verdict(token)).toMatchObject({ check: 'K06' });
    });

    const expired = renewedRoot({ notAfter: -1 });
    judgeEach(explainChain, {
      'K06 the only anchor of a renewed CA has expired': [/^K06 /, good, anchoredIn([expired])],
      'K06 one anchor of a renewed CA is enough': ['valid', good, anchoredIn([expired, root])],
      'K06 the reason names all': [
        /^K06 The anchor .*; The anchor .*\.$/,
        good,
        anchoredIn([expired, expired]),
      ],
    });
  });

  describe('F77 an expired anchor hides no path to another one', () => {
    /** A CA below the root, in two certificates of one name and key. */
    const ca = caOf('Issuing CA', { issuer: root });
    const renewedCa = (change: object = {}) => caOf('Issuing CA', { issuer: root, keys: ca.keys, ...change });
    const oldCa = renewedCa({ notAfter: -60 });
    const pid = signerBelow(ca);
    const oldRoot = renewedRoot({ notAfter: -1 });
    const noReaders = renewedCa({ purposes: ['1.0.18013.5.1.6'] });
    const oldest = /^K06 The anchor CN=Issuing CA, .* expired 60 seconds ago/;

    const rows: [what: string, anchors: Chain, chain: Chain, verdict: RegExp][] = [
      ['the CA, and not beyond it', [ca], [pid], /^valid$/],
      ['the root, by the CA that was sent', [root], [pid, ca], /^valid$/],
      ['either', [ca, root], [pid, ca], /^valid$/],
      ['the root, beside the old CA', [oldCa, root], [pid, ca], /^valid$/],
      ['the root, beside the old CA, the order changed', [root, oldCa], [pid, ca], /^valid$/],
      ['the root, beside a CA that may not certify this', [noReaders, root], [pid, ca], /^valid$/],
      ['the CA, beside the old root', [oldRoot, ca], [pid, ca], /^valid$/],
      ['nothing: the CA is old wherever it is', [oldCa, root], [pid, oldCa], oldest],
      ['nothing: both are old', [oldCa, oldRoot], [pid, ca], oldest],
      ['nothing: the other is a stranger', [oldCa, other], [pid, ca], oldest],
    ];

    test.each(rows)('F77 the path ends at %s', async (_, anchors, chain, verdict) => {
      expect(await explainChain(chain, anchoredIn(anchors))).toMatch(verdict);
      // Under HAIP a CA below another anchor is none that was sent.
      const isAlone = chain.length > 1 && !anchors.some(({ subject }) => subject === root.subject);
      expect(await explainChain(chain, haipIn(anchors))).toMatch(isAlone ? /^K04 / : verdict);
    });

    const noCa = caOf('Issuing CA', { issuer: root, keys: ca.keys, isCa: false, keyUsage: ['keyCertSign'] });
    const trust: Trust = anchoredIn([oldCa, root]);
    judgeEach(checkChain, {
      'F77 the root may be sent as well': ['valid', [pid, ca, root], trust],
      'F77 the root may be sent as well, and what follows': ['valid', [pid, ca, root, other], trust],
      'F77 the root may not be sent under HAIP': ['K04', [pid, ca, root], haipIn([oldCa, root])],
      'F77 the root may not be sent alone under HAIP': ['K04', [root], haipIn([root, other])],
      'F77 the longer path is checked like any other: no CA': ['K06', [pid, noCa], trust],
      'F77 a longer path has a pathLen': [
        'K06',
        [pid, ca],
        anchoredIn([oldCa, renewedRoot({ pathLength: 0 })]),
      ],
    });

    test('F77 a path that was checked before ends with its anchor, and another one begins', async () => {
      const short = renewedCa({ notAfter: 60 });
      const verdicts = async (...anchors: Chain) => {
        const { wait, verdict } = startVerifier(anchoredIn(anchors));
        const first = inShort(await verdict(signedWith([pid, ca])));
        wait(61);
        return [first, inShort(await verdict(signedWith([pid, ca])))];
      };
      expect(await verdicts(short, root)).toEqual(['valid', 'valid']);
      expect(await verdicts(short)).toEqual(['valid', 'K06']);
    });
  });
});

describe('leaf', () => {
  const withPolicies = (...identifiers: readonly string[]) => ({ more: [policies(...identifiers)] });
  const noPolicy = 'K20 x5c[0] has none of the certificate policies that the trust entry names.';

  const nobody = 'K10 x5c[0] does not have the iss of the credential among its alternative names.';

  describe('K20 what else the leaf must have', () => {
    const anchors = [pemOf(intermediate)]; // no CA stands below it, which would have to certify the policies too
    const explain = (change: Partial<CertificatePlan>, rules?: object) =>
      explainChain(withLeaf(change), rules ? trustX5c({ anchors, leaf: rules }) : anchoredIn());
    const wanted = { policies: ['1.2.3.1', '1.2.3.2'] };
    const organization = '2.5.4.97';
    const one = { names: [[organization, 'NTRDE-1']] as const };
    const two = { names: [...one.names, [organization, 'NTRDE-2']] as const };
    const placed = { names: [['2.5.4.11', 'Unit'] as const, ['2.5.4.5', '1'] as const] };
    /** The organization in another type of string. */
    const written = (tag: number) => ({
      ...one,
      tamper: (content: Buffer): Buffer => {
        content.writeUInt8(tag, content.indexOf('NTRDE-1') - 2);
        return content;
      },
    });
    const subject = (names: object) => ({ subject: names });
    const registered = { organizationIdentifier: 'NTRDE-1' };
    const another = 'K20 The subject of x5c[0] is not the one in the trust entry.';
    const purposes = { purposes: ['1.2.3', '1.2.4'] };
    const notSigning = 'K18 x5c[0] is not for signing credentials (extended key usage).';

    judgeEach(explain, {
      'K20 one of the policies': ['valid', withPolicies('1.2.3.2'), wanted],
      'K20 one of the policies, beside another': ['valid', withPolicies('1.9', '1.2.3.1'), wanted],
      'K20 the beginning of a policy': [noPolicy, withPolicies('1.2.3'), wanted],
      'K20 any policy': [noPolicy, withPolicies('2.5.29.32.0'), wanted],
      'K20 no policy': [noPolicy, {}, wanted],
      'K20 the subject CN': ['valid', one, subject({ CN: 'PID Issuer' })],
      'K20 the subject CN, O and C': ['valid', one, subject({ CN: 'PID Issuer', O: 'Example', C: 'DE' })],
      'K20 the subject CN and organization': ['valid', one, subject({ ...registered, CN: 'PID Issuer' })],
      'K20 the subject OU': ['valid', placed, subject({ OU: 'Unit' })],
      'K20 the subject of another OU': [another, placed, subject({ OU: '1' })],
      'K20 the subject serialNumber': ['valid', placed, subject({ serialNumber: '1' })],
      'K20 the subject of another serialNumber': [another, placed, subject({ serialNumber: 'Unit' })],
      'K20 the subject as PrintableString': ['valid', written(0x13), subject(registered)],
      'K20 the subject as TeletexString': ['valid', written(0x14), subject(registered)],
      'K20 the subject as IA5String': ['valid', written(0x16), subject(registered)],
      'K20 the subject as NumericString': [another, written(0x12), subject(registered)],
      'K20 the subject in another case': [another, one, subject({ CN: 'PID issuer' })],
      'K20 the subject of another country': [another, one, subject({ CN: 'PID Issuer', C: 'FR' })],
      'K20 the subject without OU': [another, one, subject({ OU: 'Example' })],
      'K20 the subject without serialNumber': [another, one, subject({ serialNumber: '1' })],
      'K20 the subject of another organization': [
        another,
        one,
        subject({ organizationIdentifier: 'NTRDE-2' }),
      ],
      'K20 a part of the subject, there twice': [another, two, subject(registered)],
      'K18 a purpose that the entry names': ['valid', { purposes: ['1.2.3'] }, purposes],
      'K18 a purpose that the entry names, beside another': [
        'valid',
        { purposes: ['1.9', '1.2.4'] },
        purposes,
      ],
      'K18 the purposes that the entry names, and a leaf without any': ['valid', {}, purposes],
      'K18 a purpose that it does not name': [notSigning, { purposes: ['1.0.18013.5.1.2'] }, purposes],
      'K18 a purpose below one that the entry names': [notSigning, { purposes: ['1.2.3.4'] }, purposes],
      'K20 leaf: {} asks for nothing': ['valid', {}, {}],
      'K20 leaf: undefined asks for nothing': ['valid', {}],
    });

    const relyingParty = /\.purposes has one of a relying party or TLS/;
    const wrong: [leaf: unknown, message: RegExp][] = [
      [[], /\.x5c\.leaf must be an object/],
      [{ purpose: ['1.2.3'] }, /Unknown option purpose of .*\.x5c\.leaf\. Did you mean purposes/],
      [{ purposes: [] }, /\.leaf\.purposes must be a list/],
      [{ purposes: ['documents'] }, /\.leaf\.purposes must be object identifiers/],
      [{ purposes: ['1.2.3', '01.2'] }, /\.leaf\.purposes must be object identifiers/],
      [{ purposes: ['1.2.3', '1.0.18013.5.1.6'] }, relyingParty],
      [{ purposes: ['1.3.6.1.5.5.7.3.2'] }, relyingParty],
      [{ policies: '1.2.3' }, /\.leaf\.policies must be a list/],
      [{ policies: ['1.2.3.'] }, /\.leaf\.policies must be object identifiers/],
      [{ subject: 'CN=PID Issuer' }, /\.leaf\.subject must be an object/],
      [{ subject: { cn: 'PID Issuer' } }, /Unknown option cn of .*\.leaf\.subject/],
      [{ subject: {} }, /\.leaf\.subject must have at least one of CN, O,/],
      [{ subject: { CN: '' } }, /\.leaf\.subject\.CN must be a non-empty string/],
      [{ requireIssuerInSan: 'yes' }, /\.leaf\.requireIssuerInSan must be true or false/],
    ];
    refuseEach(
      'K16 leaf: %j is refused at construction',
      wrong.map(([rules, message]) => [rules, rules, message]),
      (rules) => checkChain(good, trustX5c({ leaf: rules })),
    );
  });

  describe('K20, F105, F129 a policy of the leaf counts where every CA below the anchor certifies it', () => {
    const [one, two, other, any] = ['1.2.3.1', '1.2.3.2', '1.2.3.9', '2.5.29.32.0'] as const;
    const trust = trustX5c({ leaf: { policies: [one, two] } });
    const below = (at: number) => noPolicy.replace('x5c[0] has', `x5c[${at}] certifies`);
    type Policies = readonly string[] | 'none';

    /** A leaf, below it its CA and the CA of that, each with its policies. */
    const explain = async (...path: readonly [leaf: Policies, ca: Policies, above: Policies]) => {
      const [leaf, ca, above] = path.map((policies) =>
        policies === 'none' ? {} : withPolicies(...policies),
      );
      const upper = caOf('Upper CA', { issuer: root, ...above });
      const lower = caOf('Lower CA', { issuer: upper, ...ca });
      return await explainChain([signerBelow(lower, leaf), lower, upper], trust);
    };

    judgeEach(explain, {
      'K20, F105 its CA certifies another policy': [below(1), [one], [other], [one]],
      'K20, F105 the CA of its CA certifies another policy': [below(2), [one], [one], [other]],
      'K20, F105 its CA certifies the other one that the entry names': [below(1), [one], [two], [one]],
      'K20, F105 no policy is certified all the way': [below(2), [one, two], [one], [two]],
      'K20, F105 one policy is certified all the way': ['valid', [one, two], [other, one, two], [two]],
      'K20, F105 a CA certifies the beginning of the policy': [below(1), [one], ['1.2.3'], [one]],
      'K20, F105 a CA certifies any policy': ['valid', [one], [any], [one]],
      'K20, F105 a CA certifies any policy, and names another': ['valid', [one], [other, any], [any]],
      'K20, F129 its CA has no policies': [below(1), [one], 'none', [one]],
      'K20, F129 the CA of its CA has no policies': [below(2), [one], [one], 'none'],
      'K20, F129 nor where its CA has any policy': [below(2), [one], [any], 'none'],
      'K20, F129 no CA has policies': [below(1), [one], 'none', 'none'],
      'K20, F105 a list of no policies': [below(1), [one], [], [one]],
      'K20, F105 the leaf alone lacks it': [noPolicy, [other], [one], [one]],
    });

    test.each([
      ['K20, F105 the policies of the anchor do not count', withPolicies(other)],
      ['K20, F129 nor does an anchor without any', {}],
    ])('%s', async (_, policies) => {
      const anchor = caOf('Anchor', policies);
      const entry = { keys: { x5c: { anchors: [pemOf(anchor)], leaf: { policies: [one] } } } };
      expect(await explainChain([signerBelow(anchor, withPolicies(one))], anchoredIn([anchor], entry))).toBe(
        'valid',
      );
    });
  });

  describe('K10 the issuer is the subject of the leaf', () => {
    const unnamed = trustX5c({}, { iss: undefined });
    const [one, two] = [anchoredIn(), trustX5c({}, { iss: ['https://other.example', iss] })];
    const claim = (claimed: unknown, trust = one) =>
      judge(presentWith(good, { payload: { iss: claimed } }), trust);
    const others = ['https://third.example', `${iss}/`, [iss], null, 7];

    judgeValues('K10 the iss must be allowed, not %j', others, 'K10', async (iss) =>
      inShort(await claim(iss)),
    );
    judgeValues(
      'K10 an iss must be one that the trust entry allows, not %j',
      others,
      'K10',
      async (claimed) => inShort(await claim(claimed, two)),
    );
    judgeEach(async (...input: Parameters<typeof claim>) => inShort(await claim(...input)), {
      'K10 the iss that the trust entry allows': ['valid', iss, one],
      'K10 one of several that it allows': ['valid', iss, two],
      'K10 where none is allowed there must be none': ['valid', undefined, unnamed],
      'K10 where none is allowed there is one': ['K10', iss, unnamed],
      'K10 where none is allowed there is null': ['K10', null, unnamed],
      'C09 a configured iss must be there, as with any other mechanism': ['C09', undefined],
    });

    test('K10 the reason names what is allowed, and never repeats the iss of the token', async () => {
      expect(await claim('https://third.example', two)).toMatchObject({
        reason: expect.stringMatching(
          /allowed is `https:\/\/other\.example`, `https:\/\/issuer\.example`\.$/,
        ),
      });
      for (const trust of [one, unnamed]) {
        expect(JSON.stringify(await claim('SECRET-VALUE', trust))).not.toContain('SECRET');
      }
    });

    const more = [alternativeNames({ dNSName: 'issuer.example' })];
    judgeEach(checkChain, {
      'K10 a leaf without any name': ['K10', withLeaf({ subject: '' })],
      'K10 a leaf with an alternative name alone': ['valid', withLeaf({ subject: '', more })],
      'K10 names of leaf and iss need not be alike': ['valid', withLeaf({ subject: 'Bundesdruckerei' })],
    });
  });

  describe('K10 where the entry asks for it, an alternative name of the leaf', () => {
    const urn = 'urn:example:issuer';
    const explain = (claimed: unknown, wanted: unknown, ...names: readonly AlternativeName[]) => {
      const chain = names.length > 0 ? withLeaf({ more: [alternativeNames(...names)] }) : good;
      const trust = trustX5c({ leaf: given({ requireIssuerInSan: wanted }) }, { iss: [iss, urn] });
      return judge(presentWith(chain, { payload: { iss: claimed } }), trust);
    };
    const explainIn = async (...input: Parameters<typeof explain>) => {
      const verdict = await explain(...input);
      return verdict.valid ? 'valid' : `${verdict.check ?? ''} ${verdict.reason}`;
    };
    const other = { dNSName: 'other.example' };
    const dns = { dNSName: 'issuer.example' };

    judgeEach(explainIn, {
      'K10 has iss as its URI': ['valid', iss, true, { uniformResourceIdentifier: iss }],
      'K10 has the host of iss as a DNS name': ['valid', iss, true, other, { dNSName: 'Issuer.Example' }],
      'K10 has an iss without host as its URI': ['valid', urn, true, { uniformResourceIdentifier: urn }],
      'K10 is there': [nobody, iss, true],
      'K10 is there, and so is iss': [nobody, undefined, true, dns],
      'K10 is that of the iss': [nobody, urn, true, dns],
    });

    test.each<[what: string, name: AlternativeName]>([
      ['another host', other],
      ['another URI of the same host', { uniformResourceIdentifier: `${iss}/` }],
      ['a wildcard', { dNSName: '*.example' }],
      ['the host as a mailbox', { rfc822Name: 'issuer.example' }],
    ])('K10 is not %s', async (_, name) => {
      expect(await explainIn(iss, true, name)).toBe(nobody);
      expect(await explainIn(iss, false, name)).toBe('valid');
      expect(await explainIn(iss, undefined, name)).toBe('valid');
    });

    /** Each name that the host ends with, each that ends with it, and each that it begins with. */
    const host = 'issuer.example';
    const parts = Array.from(host, (_, at) => [host.slice(at), host.slice(0, at)]).flat();
    const near = new Set([
      ...parts,
      `${host}.`,
      `.${host}`,
      `www.${host}`,
      `x${host}`,
      `${host}x`,
      '*',
      '*.*',
    ]);
    near.delete(host);
    judgeValues('F85 K10 nor a domain nearby: %j', [...near], nobody, (dNSName) =>
      explainIn(iss, true, { dNSName }),
    );
  });

  describe('K11 an anchor counts for the types of its own trust entry', () => {
    const university = caOf('University');
    const diplomas: Authority[] = [signerBelow(university, { subject: 'Diplomas' })];
    const diploma = 'urn:example:diploma';
    const trust = {
      ...anchoredIn(),
      university: { ...entry, iss, keys: { x5c: { anchors: [pemOf(university)] } }, vct: [diploma] },
    };
    const verifiers = createVerifiers(trust, { clock });
    const at = async (issuer: string, chain: readonly Authority[], type: string) => {
      const verdict = await verifiers.get(issuer)?.(presentWith(chain, { payload: { vct: type } }), expected);
      return verdict === undefined ? '' : inShort(verdict);
    };

    judgeEach(at, {
      'K11 each of its own: PID': ['valid', 'de-ausweis', good, vct],
      'K11 each of its own: diploma': ['valid', 'university', diplomas, diploma],
      'K11 a diploma CA signs no PID': ['key_not_found K03', 'de-ausweis', diplomas, vct],
      'K11 a PID CA signs no diploma': ['key_not_found K03', 'university', good, diploma],
      'K11 a good chain does not help a type of another entry': ['C02', 'university', diplomas, vct],
      'K11 a good chain does not help a diploma in the entry for PIDs': ['C02', 'de-ausweis', good, diploma],
    });
  });
});

describe('anchors', () => {
  const pem = pemOf(root);
  const privateKey = String(root.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const expired = caOf('Expired', { notAfter: -60 });
  const withAnchors = (anchors: unknown) => createVerifiers(trustIn({ keys: { x5c: { anchors } } }));
  const only = (change: Partial<CertificatePlan>) => [pemOf(caOf('A', change))];

  /** The root with a key of a kind that has no name: its object identifier is one beside id-ecPublicKey. */
  const ofUnknownKind = Buffer.from(
    root.der.toString('hex').replace('2a8648ce3d0201', '2a8648ce3d0209'),
    'hex',
  );

  /** What can be no anchor, and why not. */
  const wrong: [what: string, anchors: unknown, message: RegExp][] = [
    ['none', [], /(anchors|Pem) must be a list of at least one text in PEM/],
    ['an empty text', [''], /\[0\] must be a non-empty string/],
    ['bytes', [root.der], /\[0\] must be a non-empty string/],
    ['base64 alone', [pem, root.der.toString('base64')], /\[1\] must be the text of certificates in PEM/],
    [
      "a file's name",
      ['pid-anchors.pem'],
      /\[0\] must be the text of certificates in PEM, neither DER nor a file's name: readFileSync\('…', 'utf8'\)\.$/,
    ],
    ['a private key', [privateKey], /in PEM and nothing else/],
    ['a private key beside a certificate', [pem + privateKey], /in PEM and nothing else/],
    ['PEM that is cut off', [pem.slice(0, -30)], /\[0\] must be certificates in PEM/],
    ['PEM of something else', [pem.replace(/MII/, 'AAA')], /\[0\] has a certificate that cannot be read/],
    ['a key of an unknown kind', [pemOf({ ...root, der: ofUnknownKind })], /\[0\] has a certificate that/],
    ['a leaf', [pemOf(leaf)], /\[0\] cannot be an anchor: the certificate CN=PID Issuer, .* is not a CA/],
    ['a leaf behind a CA', [pemOf(root, leaf)], /\[0\] cannot be an anchor: the certificate CN=PID Issuer/],
    ['a CA that signs no certificates', only({ keyUsage: ['cRLSign'] }), /may not sign/],
    ['a CA of old, without extensions', only({ bare: true }), /is not a CA/],
    ['a CA without a name', only({ subject: '' }), /has no subject/],
    ['a weak key', only({ keys: rsa(1024) }), /neither EC P-256/],
    ['a foreign curve', only({ keys: brainpool() }), /neither EC P-256/],
    ['a critical extension', only({ more: [extension('1.2.3', '0500', true)] }), /is not supported/],
  ];

  describe('K16 anchors that could judge nothing are refused at construction', () => {
    refuseEach('K16 %s', wrong, withAnchors);
    refuseEach('K16 %s is told where', [['one', [], /^trust\['de-ausweis'\]\.keys\.x5c\.an/]], withAnchors);
    refuseEach(
      'K16 %s',
      [
        ['no anchors', { keys: { x5c: {} } }, /\.keys\.x5c\.anchors must be a list/],
        ['a text', { keys: { x5c: { anchors: pem } } }, /\.keys\.x5c\.anchors must be a list/],
        ['a list in its place', { keys: { x5c: [pem] } }, /\.keys\.x5c must be an object/],
        ['a near miss', { keys: { x5c: { anchor: [pem] } } }, /Unknown option anchor of .* mean anchors/],
        ['a profile', { profile: 'haip' }, "trust['de-ausweis'].profile must be 'sd-jwt-vc' or 'haip-1.0'."],
      ],
      (change) => createVerifiers(trustIn(change)),
    );

    test('K16 an expired anchor is no mistake of today', () => {
      expect(withAnchors([pemOf(expired)]).size).toBe(1);
    });
  });

  describe('trustFromPem', () => {
    test('makes anchors of one text or several, with anything written around the certificates', async () => {
      const text = `PID anchors of 2026\n\n${pem}\r\n# and:\n${pemOf(intermediate).replaceAll('\n', '\r\n')}`;
      for (const x5c of [trustFromPem(text, clock), trustFromPem([pem, pemOf(intermediate)], clock)]) {
        expect(x5c.anchors).toHaveLength(2);
        expect(await checkChain(good, anchoredIn([], { keys: { x5c } }))).toBe('valid');
        expect(await checkChain([leaf], anchoredIn([], { keys: { x5c } }))).toBe('valid');
      }
    });

    test('describes what it trusts, a line for each', () => {
      const { description, certificates } = trustFromPem([pem, pemOf(expired)], clock);
      const [first, second] = description.split('\n');
      expect(first).toMatch(
        /^CN=PID Root, O=Example, C=DE \| valid from 2025-08-12T12:00:00\.000Z until 2027-08-12T12:00:00\.000Z \| SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}$/,
      );
      expect(second).toMatch(
        /^CN=Expired, .*until 2026-08-12T11:59:00\.000Z: expired 60 seconds ago \| SHA-256/,
      );
      const early = trustFromPem(pemOf(caOf('Early', { notBefore: 1 })), clock);
      expect(early.description).toContain(': is not valid yet (valid in 1 second) | SHA-256');
      const year = 365 * 86_400_000;
      expect(certificates).toMatchObject([
        {
          subject: 'CN=PID Root, O=Example, C=DE',
          validFrom: new Date(now.getTime() - year),
          validUntil: new Date(now.getTime() + year),
        },
        { subject: 'CN=Expired, O=Example, C=DE' },
      ]);
      expect(first).toContain(certificates[0]?.fingerprint);
    });

    test('knows the time by itself', () => {
      const past = caOf('Past', { notBefore: -3e9, notAfter: -1.5e9 });
      expect(trustFromPem(pemOf(past)).description).toMatch(/: expired \d+ seconds ago/);
    });

    refuseEach('K16 %s', wrong, (anchors) => trustFromPem(anchors as string[]));
    refuseValues(
      'K16 %p',
      [undefined, 7, Buffer.from('PEM')],
      (value) => trustFromPem(value as never),
      "trustFromPem must be a list of at least one text in PEM: [readFileSync('…', 'utf8')].",
    );
  });
});

describe('x5c', () => {
  const x5c = x5cOf(...good);
  const [first = '', second = ''] = x5c;
  const checkX5c = (value: unknown) => checkOf(presentWith(good, { header: { x5c: value } }), anchoredIn());

  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe('K01 x5c is a list of certificates in standard base64', () => {
    const sized = (bytes: number) => [
      signerBelow(root, { more: [extension('1.2.3.4', '05'.repeat(bytes))] }),
    ];
    const more = Array.from({ length: 6 }, () => second);

    judgeEach(checkX5c, {
      'K01 a good chain': ['valid', [first, second]],
      'K01 null': ['K01', null],
      'K01 a text': ['K01', first],
      'K01 an empty list': ['K01', []],
      'K01 an object': ['K01', { 0: first, 1: second, length: 2 }],
      'K01 a number in the list': ['K01', [7, second]],
      'K01 an empty text': ['K01', ['', second]],
      'K01 PEM': ['K01', [pemOf(leaf), second]],
      'K01 PEM in base64': ['K01', [Buffer.from(pemOf(leaf)).toString('base64'), second]],
      'K01 base64url': ['K01', [leaf.der.toString('base64url'), second]],
      'K01 a line break': ['K01', [`${first.slice(0, 64)}\n${first.slice(64)}`, second]],
      'K01 no certificate': ['K01', [Buffer.from('certificate').toString('base64'), second]],
      'K01 a certificate that is cut off': ['K01', [leaf.der.subarray(0, -1).toString('base64'), second]],
      'K01 a byte behind one': ['K01', [Buffer.concat([leaf.der, Buffer.of(0)]).toString('base64'), second]],
      'K01 two certificates in one': [
        'K01',
        [Buffer.concat([leaf.der, intermediate.der]).toString('base64')],
      ],
      'K01 a certificate over the limit': ['K01', [Buffer.alloc(13_000, 0x30).toString('base64'), second]],
      'K01 more certificates than a chain needs': ['K01', [first, ...more]],
      'K01 the certificates joined': ['K01', [`${first},${second}`]],
      'K15 no x5c at all': ['key_not_found K15', undefined],
    });
    judgeEach(checkChain, {
      'K01 as many certificates as may be': ['valid', [...good, root, root, root, root]],
      'K01 as large certificates as may be': ['valid', sized(11_000)],
      'K01 larger certificates than may be': ['K01', sized(13_000)],
    });

    test('K01 a chain that was judged before is not found by less than its whole', async () => {
      const { verdict } = startVerifier(anchoredIn());
      const check = async (...sent: string[]) =>
        inShort(await verdict({ issuer: leaf.keys, header: { x5c: sent } }));
      expect(await check(first, second)).toBe('valid');
      expect(await check(`${first},${second}`)).toBe('K01');
      expect(await check(first)).toBe('key_not_found K03');
      expect(await check(first, second)).toBe('valid');
    });

    deep.test(
      'K01 any number of chains can be told apart, and a hundred of them are kept',
      async () => {
        const { verdict } = startVerifier(anchoredIn());
        const verify = jest.spyOn(X509Certificate.prototype, 'verify');
        /** How many signatures on certificates it costs to accept this chain, beside the two of the presentation. */
        const cost = async (chain: readonly Authority[]) => {
          const before = verify.mock.calls.length;
          expect(await verdict(signedWith(chain))).toMatchObject({ valid: true });
          return verify.mock.calls.length - before;
        };
        // What follows the anchor is not looked at.
        const chains = Array.from({ length: 101 }, (_, at) => [
          ...good,
          root,
          certify({ subject: `After ${at}`, keys: root.keys }),
        ]);
        const [one = [], last = []] = [chains[0], chains[100]];
        for (const chain of chains.slice(0, 100)) expect(await cost(chain)).toBe(2);
        expect(await cost(one)).toBe(0);
        expect([await cost(last), await cost(last), await cost(one)]).toEqual([2, 0, 2]);
        expect(await verdict(signedWith([leaf, root]))).toMatchObject({ check: 'K03' });
      },
      60_000,
    );
  });

  describe('the first certificate alone signs', () => {
    judgeEach((token: string) => checkOf(token, anchoredIn()), {
      'H07 x5c in the payload': ['key_not_found K15', present({ issuer: leaf.keys, payload: { x5c } })],
      'H07 x5c outside of it': ['P07', JSON.stringify({ payload: 'e30', header: { x5c }, signature: 'AA' })],
      'K02 the signature is of someone else': ['K02', presentWith(good, { issuer: newKeyPair() })],
      'K02 the signature is of the intermediate': ['K02', presentWith(good, { issuer: intermediate.keys })],
      'K02 the signature is of the anchor': ['K02', presentWith(good, { issuer: root.keys })],
    });

    const chain = withLeaf({ keys: newKeyPair('ES384') });
    const algorithms = anchoredIn([root], { algorithms: ['ES256', 'ES384'] });
    judgeEach((change: object) => checkOf(presentWith(chain, change), algorithms), {
      'H02 its algorithm fits that key': ['valid', {}],
      'H02 its algorithm does not fit that key': ['H02', { issuer: newKeyPair() }],
    });
  });

  const trusting = (profile: 'haip-1.0' | 'sd-jwt-vc' = 'sd-jwt-vc'): Trusting => ({
    issuer: { keys: leaf.keys, header: { x5c } },
    trust: { keys: { x5c: { anchors: [pemOf(root)] } } },
    profile,
  });

  /** Signed by the first of a chain, which stands in the header. */
  const signedBy = (...chain: readonly Authority[]): Fault => {
    const { issuer: keys, header } = signedWith(chain);
    return { keys, header };
  };
  const withX5c = (value: unknown): Fault => ({ header: { x5c: value } });
  const stranger = caOf(root.subject);

  describe.each(['credential', 'jwt', 'status list'] as const)(
    'the issuer of the %s is known by x5c',
    (kind) => {
      const check = (fault: Fault = {}, profile?: 'haip-1.0') => kinds[kind](fault, trusting(profile));
      const withAnchor = signedBy(...good, root);
      const strong = withLeaf({ keys: newKeyPair('ES384') });
      const attacker = newKeyPair();
      const forged = kind === 'status list' ? 'T06' : 'K02';

      judgeEach(check, {
        'without a fault it is accepted': ['valid'],
        'K01 where its x5c is empty': ['K01', withX5c([])],
        'K01 where its x5c holds PEM': ['K01', withX5c([pemOf(leaf), second])],
        'K03 where its chain ends at nobody of ours': ['K03', signedBy(signerBelow(stranger))],
        'K05 where its leaf signed itself': [
          'K05',
          signedBy(certify({ subject: 'PID Issuer' }), intermediate),
        ],
        'K06 where its leaf has expired': ['K06', signedBy(...withLeaf({ notAfter: -1 }))],
        'K07 where its leaf may not sign': ['K07', signedBy(...withLeaf({ keyUsage: ['keyAgreement'] }))],
        'K07 where its intermediate is no CA': ['K07', signedBy(...withIntermediate({ isCa: false }))],
        'K10 where its leaf names nobody': ['K10', signedBy(...withLeaf({ subject: '' }))],
        'K15 where its header has no x5c': ['K15', withX5c(undefined)],
        'H02 where its alg is of another key': ['H02', { ...signedBy(...strong), keys: leaf.keys }],
        'K02 where its key is not that of the leaf': [forged, { keys: newKeyPair() }],
        'H06 a key by other means': [
          'K15',
          { keys: attacker, header: { x5c: undefined, jwk: attacker.jwk } },
        ],
        'K04 where its x5c has the anchor, which is left out': ['valid', withAnchor],
        'K04 where its x5c has the anchor under HAIP': [
          kind === 'jwt' ? 'valid' : 'K04',
          withAnchor,
          'haip-1.0',
        ],
      });
    },
  );

  test.each([
    ['credential', 'K10'],
    ['status list', 'valid'],
    ['jwt', 'J04'],
  ] as const)('K10, F130 the iss of the %s is another than that of the entry: %s', async (kind, refusal) => {
    expect(await kinds[kind]({ payload: { iss } }, trusting())).toBe('valid');
    expect(await kinds[kind]({ payload: { iss: 'https://other.example' } }, trusting())).toBe(refusal);
  });

  const listSigner = signedBy(signerBelow(intermediate, { subject: 'Status Lists' }), intermediate);
  judgeEach((profile?: 'haip-1.0') => kinds['status list'](listSigner, trusting(profile)), {
    'T06 a list may have a certificate of its own that ends at the same anchor': ['valid'],
    'T06 a list may have a certificate of its own under HAIP': ['valid', 'haip-1.0'],
  });
});

describe('real certificates', () => {
  const cas = certificatesIn('eu-pid-issuer-cas.pem');
  const leaves = certificatesIn('eu-pid-leaves.pem');
  const isParty = (leaf: X509Certificate): boolean => leaf.keyUsage?.includes('1.0.18013.5.1.6') === true;

  /** A day on which a certificate is valid. */
  const dayOf = ({ validTo }: X509Certificate): Date => new Date(Date.parse(validTo) - 86_400_000);

  /** `accepted`, or what a token is told that has this leaf: nobody here has its key, so it ends at the signature. */
  async function judge(leaf: X509Certificate, anchors: readonly string[], profile: 'haip-1.0' | 'sd-jwt-vc') {
    const { wait, verdict: judgeToken } = startVerifier(trustIn({ keys: { x5c: { anchors } }, profile }));
    wait((dayOf(leaf).getTime() - now.getTime()) / 1000);
    const header = { x5c: [leaf.raw.toString('base64')] };
    const verdict = await judgeToken({ issuer: newKeyPair(), header, payload: { iss: undefined } });
    if (verdict.valid) throw new Error('Nobody signed this.');
    return verdict.check === 'K02' ? 'accepted' : verdict.reason;
  }

  describe('F79 the PID CAs of the EU reference issuers', () => {
    test('F79 there are eight, and seven leaves, two of which are of relying parties', () => {
      expect([cas.length, leaves.length]).toEqual([8, 7]);
      expect(leaves.filter(({ x509 }) => isParty(x509)).map(({ x509 }) => nameOf(x509))).toEqual([
        'CN=EUDI Remote Verifier, serialNumber=001, O=EUDI Wallet Reference Implementation, C=UT',
        'CN=Procivis AG, serialNumber=0, O=Procivis AG, C=UT',
      ]);
    });

    test.each(cas.map(({ x509, pem }) => [nameOf(x509), pem, x509] as const))(
      'F79 %s is an anchor, and nothing is said against it',
      (name, pem, x509) => {
        const { description, certificates } = trustFromPem(pem, () => dayOf(x509));
        expect(certificates).toMatchObject([{ subject: name, fingerprint: x509.fingerprint256 }]);
        expect(description.split(' | ')).toHaveLength(3);
        expect(description).not.toContain('expired');
      },
    );

    const anchors = cas.map(({ pem }) => pem);
    const rows = leaves.map(({ x509 }) => [nameOf(x509), x509] as const);

    test.each(rows.filter(([, leaf]) => !isParty(leaf)))(
      'F79 %s signs, below its own CA and below all, in both profiles',
      async (_, leaf) => {
        const own = cas.filter(({ x509 }) => leaf.checkIssued(x509)).map(({ pem }) => pem);
        expect(own).toHaveLength(1);
        for (const profile of ['sd-jwt-vc', 'haip-1.0'] as const) {
          expect(await judge(leaf, own, profile)).toBe('accepted');
          expect(await judge(leaf, anchors, profile)).toBe('accepted');
        }
      },
    );

    test.each(rows.filter(([, leaf]) => !isParty(leaf)))(
      'F79 %s does not sign below the others',
      async (_, leaf) => {
        const others = cas.filter(({ x509 }) => !leaf.checkIssued(x509)).map(({ pem }) => pem);
        expect(await judge(leaf, others, 'sd-jwt-vc')).toMatch(/^No configured anchor issued x5c\[0\], /);
      },
    );

    test.each(rows.filter(([, leaf]) => isParty(leaf)))('F79 %s signs no PID', async (_, leaf) => {
      expect(await judge(leaf, anchors, 'sd-jwt-vc')).toBe(
        'x5c[0] is for a relying party or TLS (extended key usage).',
      );
    });
  });

  /** The certificates of a German list as PEM, each once. */
  function germanCas(name: string): readonly string[] {
    const [, payload = ''] = material(name).split('.');
    const text = Buffer.from(payload, 'base64url').toString();
    const found = [...text.matchAll(/"val":"([^"]+)"/g)].map(([, der = '']) => der);
    return [...new Set(found)].map(
      (der) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
    );
  }

  describe('F79 the PID CAs of the German lists', () => {
    test.each(['german-pid-list.2026-06-28.jwt', 'german-pid-list.2026-07-12.jwt'])(
      'F79 both of %s are anchors, and nothing is said against them',
      (name) => {
        const { certificates, description } = trustFromPem(germanCas(name), () => new Date('2026-07-13'));
        expect(certificates.map(({ subject }) => subject)).toEqual([
          'C=DE, L=Berlin, O=Bundesdruckerei GmbH, OU=T CS IDE, CN=PIDP Preprod CA',
          'C=DE, L=Berlin, O=Bundesdruckerei GmbH, OU=T CS IDE, CN=PIDP Demo CA',
        ]);
        for (const line of description.split('\n')) {
          expect(line.split(' | ')).toHaveLength(3);
          expect(line).not.toMatch(/expired|only in/);
        }
      },
    );
  });
});
