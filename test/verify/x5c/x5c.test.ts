import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Authority, certify, extension, pemOf, x5cOf } from '../../support/verify/certificates.js';
import { anchoredIn, caOf, checkChain, good, intermediate, leaf } from '../../support/verify/chains.js';
import { presentWith, root, signedWith, signerBelow, withIntermediate } from '../../support/verify/chains.js';
import { withLeaf } from '../../support/verify/chains.js';
import { iss, newKeyPair } from '../../support/verify/issuer.js';
import { checkOf, inShort, judgeEach, present, startVerifier } from '../../support/verify/verdicts.js';
import { type Fault, type Trusting, kinds } from '../jose/jws-kinds.js';

const x5c = x5cOf(...good);
const [first = '', second = ''] = x5c;
const checkX5c = (value: unknown) => checkOf(presentWith(good, { header: { x5c: value } }), anchoredIn());

afterEach(() => {
  jest.restoreAllMocks();
});

describe('K01 x5c is a list of certificates in standard base64', () => {
  const sized = (bytes: number) => [signerBelow(root, { more: [extension('1.2.3.4', '05'.repeat(bytes))] })];
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
    'K01 two certificates in one': ['K01', [Buffer.concat([leaf.der, intermediate.der]).toString('base64')]],
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

  test('K01 any number of chains can be told apart, and a hundred of them are kept', async () => {
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
  }, 60_000);
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
      'K05 where its leaf signed itself': ['K05', signedBy(certify({ subject: 'PID Issuer' }), intermediate)],
      'K06 where its leaf has expired': ['K06', signedBy(...withLeaf({ notAfter: -1 }))],
      'K07 where its leaf may not sign': ['K07', signedBy(...withLeaf({ keyUsage: ['keyAgreement'] }))],
      'K07 where its intermediate is no CA': ['K07', signedBy(...withIntermediate({ isCa: false }))],
      'K10 where its leaf names nobody': ['K10', signedBy(...withLeaf({ subject: '' }))],
      'K15 where its header has no x5c': ['K15', withX5c(undefined)],
      'H02 where its alg is of another key': ['H02', { ...signedBy(...strong), keys: leaf.keys }],
      'K02 where its key is not that of the leaf': [forged, { keys: newKeyPair() }],
      'H06 a key by other means': ['K15', { keys: attacker, header: { x5c: undefined, jwk: attacker.jwk } }],
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
  ['status list', 'K10'],
  ['jwt', 'J04'],
] as const)('K10 the iss of the %s must be that of the entry: %s', async (kind, refusal) => {
  expect(await kinds[kind]({ payload: { iss } }, trusting())).toBe('valid');
  expect(await kinds[kind]({ payload: { iss: 'https://other.example' } }, trusting())).toBe(refusal);
});

const listSigner = signedBy(signerBelow(intermediate, { subject: 'Status Lists' }), intermediate);
judgeEach((profile?: 'haip-1.0') => kinds['status list'](listSigner, trusting(profile)), {
  'T06 a list may have a certificate of its own that ends at the same anchor': ['valid'],
  'T06 a list may have a certificate of its own under HAIP': ['valid', 'haip-1.0'],
});
