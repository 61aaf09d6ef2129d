import { describe, expect, test } from '@jest/globals';
import type { Trust } from '../../../lib/types/trust.js';
import { type Authority, certify, x5cOf } from '../../support/verify/certificates.js';
import { newKeyPair } from '../../support/verify/issuer.js';
import {
  anchoredIn,
  by,
  haip,
  intermediate,
  leaf,
  presentWith,
  root,
  told,
  verdictOn,
  withIntermediate,
  withLeaf,
} from '../../support/verify/chains.js';
import { inShort, judge } from '../trust/trusting.js';

const good = [leaf, intermediate];
const other = certify({ subject: 'Other Root', isCa: true });
/** The names of the real ones, and other keys. */
const fakeRoot = certify({ subject: root.subject, isCa: true });
const fakeIntermediate = certify({ subject: intermediate.subject, isCa: true, issuer: fakeRoot });

describe('K03 the path ends at an anchor of the configuration', () => {
  test('K03 with one intermediate, none and three', async () => {
    const chain = [root];
    for (const subject of ['One', 'Two', 'Three']) {
      chain.unshift(certify({ subject, isCa: true, issuer: chain[0] }));
    }
    const below = certify({ subject: 'PID Issuer', issuer: chain[0] });
    expect(await by(good)).toBe('valid');
    expect(await by([certify({ subject: 'PID Issuer', issuer: root })])).toBe('valid');
    expect(await by([below, ...chain.slice(0, -1)])).toBe('valid');
  });

  test('K03 an intermediate CA can be the anchor', async () => {
    expect(await by([leaf], anchoredIn([intermediate]))).toBe('valid');
    expect(await by([leaf], anchoredIn([other, intermediate]))).toBe('valid');
  });

  const strangers: [what: string, chain: readonly Authority[], trust?: Trust][] = [
    ['the intermediate is missing', [leaf]],
    ['the end of the chain is missing', [certify({ subject: 'PID Issuer', issuer: other })]],
    ['a root of its own', [certify({ subject: 'PID Issuer', issuer: other }), other]],
    [
      'names of the real chain',
      [certify({ subject: 'PID Issuer', issuer: fakeIntermediate }), fakeIntermediate],
    ],
    ['and with its own root', [certify({ subject: 'PID Issuer', issuer: fakeRoot }), fakeRoot]],
    [
      'the real root behind a foreign chain',
      [certify({ subject: 'PID Issuer', issuer: other }), other, root],
    ],
    ['another configuration', good, anchoredIn([other])],
  ];

  test.each(strangers)('K03 %s', async (_, chain, trust = anchoredIn()) => {
    expect(await by(chain, trust)).toBe('key_not_found K03');
  });

  test('K03 the reason names what is configured, and nothing of the token', async () => {
    const secret = certify({ subject: 'SECRET-VALUE', isCa: true });
    const chain = [certify({ subject: 'SECRET-LEAF', issuer: secret })];
    const many = ['A', 'B', 'C', 'D', 'E'].map((subject) => certify({ subject, isCa: true }));
    expect(await verdictOn(chain)).toMatchObject({
      reason:
        'No configured anchor issued x5c[0], the end of the chain. Configured: CN=PID Root, O=Example, C=DE.',
    });
    expect(await verdictOn(chain, anchoredIn(many))).toMatchObject({
      reason: expect.stringMatching(/Configured: CN=A, [^;]*; CN=B, [^;]*; CN=C, [^;]*; and 2 more\.$/),
    });
    expect(await verdictOn([certify({ subject: 'SECRET-LEAF', issuer: fakeRoot })])).toMatchObject({
      reason:
        'x5c[0] names the anchor CN=PID Root, O=Example, C=DE as its issuer, but was not issued with its key.',
    });
  });

  test('K03 a root that is signed by itself becomes no anchor by being sent first', async () => {
    const fake = certify({ subject: 'Fake', isCa: true, keyUsage: ['digitalSignature', 'keyCertSign'] });
    expect(await by([fake])).toBe('presentation_invalid K05');
    expect(await by([root])).toBe('presentation_invalid K05');
  });
});

describe('K04 the anchor inside x5c', () => {
  const renewed = certify({ subject: root.subject, keys: root.keys, isCa: true, notAfter: 7 });

  test('K04 is refused in the profile haip-1.0', async () => {
    expect(await by(good, haip)).toBe('valid');
    expect(await by([...good, root], haip)).toBe('presentation_invalid K04');
    expect(await by([...good, renewed], haip)).toBe('presentation_invalid K04');
    expect(await by([root], haip)).toBe('presentation_invalid K04');
    const two = anchoredIn([other, root], { profile: 'haip-1.0' });
    expect(await by([...good, root], two)).toBe('presentation_invalid K04');
  });

  test('K04 is left out in the plain profile, with what follows it', async () => {
    expect(await by([...good, root])).toBe('valid');
    expect(await by([...good, renewed])).toBe('valid');
    expect(await by([...good, root, other])).toBe('valid');
    expect(await by([leaf, intermediate, root], anchoredIn([intermediate]))).toBe('valid');
  });

  test('K04 is about name and key: one of them alone makes no anchor', async () => {
    const newKey = certify({ subject: root.subject, isCa: true, issuer: root });
    const newName = certify({ subject: 'New Name', isCa: true, issuer: root, keys: root.keys });
    for (const issuer of [newKey, newName]) {
      const chain = [certify({ subject: 'PID Issuer', issuer }), issuer];
      expect(await by(chain, haip)).toBe('valid');
      expect(await by(chain)).toBe('valid');
    }
  });

  test('K04 is no excuse for the rest of the chain', async () => {
    expect(await by([leaf, root])).toBe('key_not_found K03');
    expect(await by([certify({ subject: 'PID Issuer', issuer: other }), root])).toBe('key_not_found K03');
  });
});

describe('K05 a self-signed leaf', () => {
  const self = certify({ subject: 'PID Issuer' });

  test('K05 alone and before a chain, in both profiles', async () => {
    for (const trust of [anchoredIn(), haip]) {
      expect(await by([self], trust)).toBe('presentation_invalid K05');
      expect(await by([self, intermediate], trust)).toBe('presentation_invalid K05');
    }
  });

  test('K05 of a name of the chain', async () => {
    expect(await by([certify({ subject: intermediate.subject }), intermediate])).toBe(
      'presentation_invalid K05',
    );
  });
});

describe('K19 a leaf that bears the name of its CA', () => {
  const renamed = (issuer: Authority) => certify({ subject: issuer.subject, issuer });

  test('K19 is accepted with a key of its own, below an anchor and below an intermediate', async () => {
    expect(await by([renamed(root)])).toBe('valid');
    expect(await by([renamed(intermediate), intermediate])).toBe('valid');
    expect(await by([renamed(root)], haip)).toBe('valid');
  });

  test('K03 is refused where another key signed it', async () => {
    const fake = certify({ subject: root.subject, isCa: true });
    expect(await by([renamed(fake)])).toBe('key_not_found K03');
  });
});

describe('K08 each certificate was issued by the next', () => {
  const sibling = certify({ subject: 'Sibling', isCa: true, issuer: root });

  test.each<[string, readonly Authority[]]>([
    ['another intermediate of the anchor', [leaf, sibling]],
    ['a certificate between that has no part in it', [leaf, sibling, intermediate]],
    ['one certificate twice', [leaf, intermediate, intermediate]],
    ['another name of the issuer', withLeaf({ issuerName: 'Someone' })],
    ['another signature', withLeaf({ signedBy: newKeyPair() })],
    ['the key of another CA', withLeaf({ signedBy: root.keys })],
    ['another authority key identifier', withLeaf({ authorityKeyId: Buffer.alloc(20, 7) })],
  ])('K08 %s', async (_, chain) => {
    expect(await by(chain)).toBe('presentation_invalid K08');
  });

  test('K08 the reason says which certificate it is', async () => {
    expect(await told([leaf, sibling])).toBe('K08 x5c[0] was not issued by x5c[1].');
  });

  test('K03 at the end of the chain the next is the anchor', async () => {
    expect(await by(withIntermediate({ issuerName: 'Someone' }))).toBe('key_not_found K03');
    expect(await by(withIntermediate({ signedBy: newKeyPair() }))).toBe('key_not_found K03');
    expect(await by(withIntermediate({ authorityKeyId: Buffer.alloc(20, 7) }))).toBe('key_not_found K03');
    expect(await by([intermediate, leaf])).toBe('key_not_found K03');
  });

  test('K08 one byte of a certificate is changed', async () => {
    const trust = anchoredIn();
    const [first = '', second = ''] = x5cOf(...good);
    for (const at of [100, 200, 300, leaf.der.length - 10]) {
      const der = Buffer.from(leaf.der);
      der.writeUInt8(der.readUInt8(at) ^ 1, at);
      const header = { x5c: [der.toString('base64'), second] };
      expect(inShort(await judge(presentWith(good, { header }), trust))).toMatch(/ K0[138]$/);
    }
    expect(inShort(await judge(presentWith(good, { header: { x5c: [first, second] } }), trust))).toBe(
      'valid',
    );
  });
});
