import { describe, expect, test } from '@jest/globals';
import { type Authority, certify, pemOf, x5cOf } from '../../support/verify/certificates.js';
import { iss, newKeyPair } from '../../support/verify/issuer.js';
import { intermediate, leaf, root, withIntermediate, withLeaf } from '../../support/verify/chains.js';
import { type Fault, type Trusting, kinds } from '../jose/jws-kinds.js';

const trusting = (profile: 'haip-1.0' | 'sd-jwt-vc'): Trusting => ({
  issuer: { keys: leaf.keys, header: { x5c: x5cOf(leaf, intermediate) } },
  trust: { keys: { x5c: { anchors: [pemOf(root)] } } },
  profile,
});

/** Signed by the first of a chain, which stands in the header. */
const signedBy = (chain: readonly Authority[], more: Fault = {}): Fault => {
  const [signer = leaf] = chain;
  return { keys: signer.keys, header: { x5c: x5cOf(...chain) }, ...more };
};
const withX5c = (x5c: unknown): Fault => ({ header: { x5c } });
const stranger = certify({ subject: root.subject, isCa: true });
const [first = '', second = ''] = x5cOf(leaf, intermediate);

const faults: [check: string, what: string, fault: Fault][] = [
  ['K01', 'x5c is empty', withX5c([])],
  ['K01', 'x5c is a text', withX5c(first)],
  ['K01', 'x5c holds PEM', withX5c([pemOf(leaf), second])],
  ['K01', 'x5c holds base64url', withX5c([leaf.der.toString('base64url'), second])],
  ['K03', 'chain ends at nobody of ours', signedBy([certify({ subject: 'PID Issuer', issuer: stranger })])],
  ['K03', 'chain has lost its intermediate', signedBy([leaf])],
  ['K05', 'leaf is self-signed', signedBy([certify({ subject: 'PID Issuer' }), intermediate])],
  ['K06', 'leaf has expired', signedBy(withLeaf({ notAfter: -1 }))],
  ['K06', 'leaf is not valid yet', signedBy(withLeaf({ notBefore: 1 }))],
  ['K06', 'intermediate has expired', signedBy(withIntermediate({ notAfter: -1 }))],
  ['K07', 'leaf may not sign', signedBy(withLeaf({ keyUsage: ['keyAgreement'] }))],
  ['K07', 'intermediate is no CA', signedBy(withIntermediate({ isCa: false, keyUsage: ['keyCertSign'] }))],
  ['K08', 'leaf has another signature', signedBy(withLeaf({ signedBy: newKeyPair() }))],
  ['K10', 'leaf names nobody', signedBy(withLeaf({ subject: '' }))],
  ['K15', 'header has no x5c', withX5c(undefined)],
  [
    'H02',
    'alg is not that of the leaf',
    signedBy(withLeaf({ keys: newKeyPair('ES384') }), { keys: leaf.keys }),
  ],
];

describe.each(['credential', 'jwt', 'status list'] as const)(
  'the issuer of the %s is known by x5c',
  (kind) => {
    const judge = async (fault: Fault = {}, profile: 'haip-1.0' | 'sd-jwt-vc' = 'sd-jwt-vc') =>
      await kinds[kind](fault, trusting(profile));

    test('without a fault it is accepted', async () => {
      expect(await judge()).toBe('valid');
      expect(await judge({}, 'haip-1.0')).toBe('valid');
    });

    test.each(faults)('%s where its %s', async (check, _, fault) => {
      expect(await judge(fault)).toBe(check);
    });

    test('K02 where its key is not that of the leaf', async () => {
      const refused = kind === 'status list' ? 'T06' : 'K02';
      expect(await judge({ keys: newKeyPair() })).toBe(refused);
      expect(await judge({ keys: intermediate.keys })).toBe(refused);
    });

    test('H06 a key by another mechanism does not help', async () => {
      const { keys } = certify({ subject: 'Attacker' });
      expect(await judge({ keys, header: { x5c: undefined, jwk: keys.jwk, kid: 'one' } })).toBe('K15');
    });

    test('K04 where its x5c has the anchor: under HAIP alone, which signed JWTs have nothing to do with', async () => {
      const fault = signedBy([leaf, intermediate, root]);
      expect(await judge(fault)).toBe('valid');
      expect(await judge(fault, 'haip-1.0')).toBe(kind === 'jwt' ? 'valid' : 'K04');
    });
  },
);

test.each([
  ['credential', 'K10'],
  ['status list', 'K10'],
  ['jwt', 'J04'],
] as const)('K10 where the iss of the %s is of someone else: %s', async (kind, check) => {
  expect(await kinds[kind]({ payload: { iss } }, trusting('sd-jwt-vc'))).toBe('valid');
  expect(await kinds[kind]({ payload: { iss: 'https://other.example' } }, trusting('sd-jwt-vc'))).toBe(check);
});

test('T06 a list may have a certificate of its own that ends at the same anchor', async () => {
  const listLeaf = certify({ subject: 'Status Lists', issuer: intermediate });
  const fault = signedBy([listLeaf, intermediate]);
  expect(await kinds['status list'](fault, trusting('sd-jwt-vc'))).toBe('valid');
  expect(await kinds['status list'](fault, trusting('haip-1.0'))).toBe('valid');
});
