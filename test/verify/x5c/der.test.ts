import { describe, expect, test } from '@jest/globals';
import { contentOf, identifierOf, integerOf, readSequence, readValues } from '../../../lib/verify/x5c/der.js';
import { truthOf } from '../../../lib/verify/x5c/der.js';
import { extension } from '../../support/verify/certificates.js';
import { explainChain, withLeaf } from '../../support/verify/chains.js';
import { judgeEach } from '../../support/verify/verdicts.js';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const first = (hex: string) => readValues(bytes(hex))[0];

describe('K01 what is not DER', () => {
  test.each([
    ['a length of two bytes that fits in one', '30810100'],
    ['a length with a leading zero', `3082000130`],
    ['a length that is not there', '30'],
    ['an indefinite length', '30800000'],
    ['a length of seven bytes', '308700000000000001ff'],
    ['a content that ends early', '300201'],
    ['a tag of several bytes', '3f8100'],
    ['a tag of two bytes that looks like a tag and its length', '1f0100'],
  ])('K01 %s', (_, hex) => {
    expect(() => readValues(bytes(hex))).toThrow(/out of range|not DER/);
  });

  test('K01 a value after the one sequence', () => {
    expect(() => readSequence(bytes('30003000'))).toThrow('The certificate is not DER.');
  });

  test('K01 another tag, or nothing', () => {
    expect(() => contentOf(first('0400'), 0x30)).toThrow('The certificate is not DER.');
    expect(() => contentOf(undefined, 0x30)).toThrow('The certificate is not DER.');
  });

  test.each(['0600', '06022a80', '0602802a', '06032a8001'])('K01 the object identifier %s', (hex) => {
    expect(() => identifierOf(first(hex))).toThrow('The certificate is not DER.');
  });

  test.each([
    ['06012a', '1.2'],
    ['0603550403', '2.5.4.3'],
    ['06028837', '2.999'],
  ])('K01 the object identifier %s is %s', (hex, text) => {
    expect(identifierOf(first(hex))).toBe(text);
  });

  test('K01 a truth value of no byte or of two, and a number of none or of seven', () => {
    expect([truthOf(first('010100')), truthOf(first('0101ff')), integerOf(first('020105'))]).toEqual([
      false,
      true,
      5,
    ]);
    for (const hex of ['0100', '0102ffff', '010101', '010180'])
      expect(() => truthOf(first(hex))).toThrow(/out of range|not DER/);
    for (const hex of ['0200', '020701000000000000'])
      expect(() => integerOf(first(hex))).toThrow(/out of range|not DER/);
  });
});

/** Certificates whose extensions OpenSSL does not look into. */
const keyUsage = (hex: string) => withLeaf({ keyUsage: 'absent', more: [extension('2.5.29.15', hex, true)] });
const constraints = (hex: string) => withLeaf({ more: [extension('2.5.29.19', hex, true)] });
/** Version 1 is not written down. */
const withoutVersion = (content: Buffer): Buffer => {
  const rest = content.subarray(content.indexOf(Buffer.from('a003020102', 'hex')) + 5);
  return Buffer.concat([Buffer.of(0x30, 0x82, rest.length >> 8, rest.length & 0xff), rest]);
};
const policies = (hex: string) => withLeaf({ more: [extension('2.5.29.32', hex)] });

describe('K08 extensions that are not what they are called', () => {
  judgeEach(explainChain, {
    'K08 key usage in two bytes': ['valid', keyUsage('0303078080')],
    'K08 key usage without a byte': [/^K0[178] /, keyUsage('0301')],
    'K08 key usage with eight unused bits': [/^K0[178] /, keyUsage('03020880')],
    'K08 key usage and something after it': [/^K0[178] /, keyUsage('030207800500')],
    'K08 a policy with a third member': [/^K0[18] /, policies('300b300906032a030430003000')],
    'K08 basic constraints with a third member': [/^K0[178] /, constraints('30090101ff020100020100')],
    'K07 a certificate of version 1': [/^K0[178] /, withLeaf({ bare: true, tamper: withoutVersion })],
  });
});
