import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Extension } from '@peculiar/asn1-x509';
import { OctetString } from '@peculiar/asn1-schema';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { type Authority, certify, pemOf, x5cOf } from '../../support/verify/certificates.js';
import { clock, newKeyPair } from '../../support/verify/issuer.js';
import {
  anchoredIn,
  by,
  intermediate,
  leaf,
  presentWith,
  root,
  withLeaf,
} from '../../support/verify/chains.js';
import { expected, inShort, judge, present } from '../trust/trusting.js';

const good = [leaf, intermediate];
const byX5c = async (x5c: unknown) =>
  inShort(await judge(presentWith(good, { header: { x5c } }), anchoredIn()));

afterEach(() => {
  jest.restoreAllMocks();
});

describe('K01 x5c is a list of certificates in standard base64', () => {
  const [first = '', second = ''] = x5cOf(leaf, intermediate);

  test('K01 a good chain', async () => {
    expect(await byX5c([first, second])).toBe('valid');
  });

  test.each([
    ['null', null],
    ['a text', first],
    ['an empty list', []],
    ['an object', { 0: first, 1: second, length: 2 }],
    ['a number in the list', [7, second]],
    ['an empty text', ['', second]],
    ['PEM', [pemOf(leaf), second]],
    ['PEM in base64', [Buffer.from(pemOf(leaf)).toString('base64'), second]],
    ['base64url', [first.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), second]],
    ['a line break', [`${first.slice(0, 64)}\n${first.slice(64)}`, second]],
    ['no certificate', [Buffer.from('certificate').toString('base64'), second]],
    ['a certificate that is cut off', [leaf.der.subarray(0, -1).toString('base64'), second]],
    ['something behind a certificate', [Buffer.concat([leaf.der, Buffer.of(0)]).toString('base64'), second]],
    ['two certificates in one', [Buffer.concat([leaf.der, intermediate.der]).toString('base64')]],
    ['a certificate over the limit', [Buffer.alloc(13_000, 0x30).toString('base64'), second]],
    ['more certificates than a chain needs', [first, ...Array.from({ length: 6 }, () => second)]],
    ['the certificates joined', [`${first},${second}`]],
  ])('K01 %s', async (_, x5c) => {
    expect(await byX5c(x5c)).toBe('presentation_invalid K01');
  });

  test('K01 a chain that was judged before is not found by less than its whole', async () => {
    const verifier = createVerifiers(anchoredIn(), { clock }).get('de-ausweis');
    const shown = async (x5c: unknown) => await verifier?.(presentWith(good, { header: { x5c } }), expected);
    expect(await shown([first, second])).toMatchObject({ valid: true });
    expect(await shown([`${first},${second}`])).toMatchObject({ check: 'K01' });
    expect(await shown([first])).toMatchObject({ check: 'K03' });
    expect(await shown([first, second])).toMatchObject({ valid: true });
  });

  test('K01 any number of chains can be told apart, and a hundred of them are kept', async () => {
    const verifier = createVerifiers(anchoredIn(), { clock }).get('de-ausweis');
    const verify = jest.spyOn(X509Certificate.prototype, 'verify');
    /** How many signatures on certificates it costs to accept this chain. */
    const cost = async (chain: readonly Authority[]) => {
      const before = verify.mock.calls.length;
      expect(await verifier?.(presentWith(chain), expected)).toMatchObject({ valid: true });
      return verify.mock.calls.length - before;
    };
    // What follows the anchor is not looked at.
    const chains = Array.from({ length: 101 }, (_, at) => {
      return [...good, root, certify({ subject: `After ${at}`, keys: root.keys })];
    });
    const [first = [], last = []] = [chains[0], chains[100]];
    for (const chain of chains.slice(0, 100)) expect(await cost(chain)).toBe(2);
    expect(await cost(first)).toBe(0);
    expect([await cost(last), await cost(last), await cost(first)]).toEqual([2, 0, 2]);
    expect(await verifier?.(presentWith([leaf, root]), expected)).toMatchObject({ check: 'K03' });
  }, 60_000);

  test('K01 as many and as large certificates as may be', async () => {
    const trust = anchoredIn();
    const sized = (bytes: number) => {
      const extnValue = new OctetString(Buffer.alloc(bytes, 5));
      const more = [new Extension({ extnID: '1.2.3.4', critical: false, extnValue })];
      return certify({ subject: 'PID Issuer', issuer: root, more });
    };
    expect(await by([leaf, intermediate, root, root, root, root], trust)).toBe('valid');
    expect(await by([sized(11_000)], trust)).toBe('valid');
    expect(await by([sized(13_000)], trust)).toBe('presentation_invalid K01');
  });

  test('K01 a chain that was judged before costs no signature but the two of the presentation', async () => {
    const verifier = createVerifiers(anchoredIn(), { clock }).get('de-ausweis');
    const verify = jest.spyOn(X509Certificate.prototype, 'verify');
    await verifier?.(presentWith(good), expected);
    expect(verify).toHaveBeenCalledTimes(2);
    expect(await verifier?.(presentWith(good), expected)).toMatchObject({ valid: true });
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('K15 no x5c at all', async () => {
    expect(await byX5c(undefined)).toBe('key_not_found K15');
  });
});

test('H07 x5c counts from the protected header alone', async () => {
  const x5c = x5cOf(...good);
  const token = present({ issuer: leaf.keys, payload: { x5c } });
  expect(inShort(await judge(token, anchoredIn()))).toBe('key_not_found K15');
  const json = JSON.stringify({ payload: 'e30', header: { x5c }, signature: 'AA' });
  expect(inShort(await judge(json, anchoredIn()))).toBe('presentation_invalid P07');
});

describe('K02 the signature is of the first certificate', () => {
  test.each([
    ['of someone else', newKeyPair()],
    ['of the intermediate', intermediate.keys],
    ['of the anchor', root.keys],
  ])('K02 %s', async (_, issuer) => {
    const verdict = await judge(presentWith(good, { issuer }), anchoredIn());
    expect(inShort(verdict)).toBe('presentation_invalid K02');
  });

  test('H02 its algorithm fits that key', async () => {
    const chain = withLeaf({ keys: newKeyPair('ES384') });
    const trust = anchoredIn([root], { algorithms: ['ES256', 'ES384'] });
    expect(await by(chain, trust)).toBe('valid');
    expect(inShort(await judge(presentWith(chain, { issuer: newKeyPair() }), trust))).toBe(
      'presentation_invalid H02',
    );
  });
});
