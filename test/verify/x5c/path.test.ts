import { describe, expect, test } from '@jest/globals';
import type { Trust } from '../../../lib/index.js';
import { type Authority, type CertificatePlan, certify, x5cOf } from '../../support/verify/certificates.js';
import { anchoredIn, caOf, checkChain, explainChain, good, haip } from '../../support/verify/chains.js';
import { intermediate, leaf, presentWith, root, signedWith } from '../../support/verify/chains.js';
import { signerBelow, withIntermediate, withLeaf } from '../../support/verify/chains.js';
import { newKeyPair } from '../../support/verify/issuer.js';
import { checkOf, inShort, judgeEach, startVerifier } from '../../support/verify/verdicts.js';

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
    'K03 an intermediate CA can be one of the anchors': ['valid', [leaf], anchoredIn([other, intermediate])],
    'K03 the intermediate is missing': [stranger, [leaf]],
    'K03 the end of the chain is missing': [stranger, [belowOther]],
    'K03 a root of its own': [stranger, [belowOther, other]],
    'K03 names of the real chain': [stranger, [signerBelow(fakeIntermediate), fakeIntermediate]],
    'K03 and with its own root': [stranger, [signerBelow(fakeRoot), fakeRoot]],
    'K03 the real root behind a foreign chain': [stranger, [belowOther, other, root]],
    'K03 another configuration': [stranger, good, anchoredIn([other])],
    'K03 the last has another issuer name': [stranger, withIntermediate({ issuerName: 'Someone' })],
    'K03 the last has another signature': [stranger, withIntermediate({ signedBy: newKeyPair() })],
    'K03 the last has another key id': [stranger, withIntermediate({ authorityKeyId: Buffer.alloc(20, 7) })],
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
    'K04 is refused in the profile haip-1.0 beside another': ['K04', [...good, root], haipIn([other, root])],
    'K04 is left out in the plain profile': ['valid', [...good, root]],
    'K04 is left out in the plain profile when it was renewed': ['valid', [...good, renewed]],
    'K04 is left out in the plain profile, with what follows it': ['valid', [...good, root, other]],
    'K04 is left out in the plain one below another': ['valid', [...good, root], anchoredIn([intermediate])],
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
    'K08 the reason says which certificate it is': ['K08 x5c[0] was not issued by x5c[1].', [leaf, sibling]],
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
