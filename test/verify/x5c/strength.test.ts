import { describe, expect, test } from '@jest/globals';
import { ExtendedKeyUsage, Extension, id_ce_extKeyUsage } from '@peculiar/asn1-x509';
import { OctetString } from '@peculiar/asn1-schema';
import { certify, extension, signings, withUnknownKey } from '../../support/verify/certificates.js';
import { newKeyPair } from '../../support/verify/issuer.js';
import {
  anchoredIn,
  brainpool,
  by,
  intermediate,
  leaf,
  rsa,
  withIntermediate,
  withLeaf,
} from '../../support/verify/chains.js';

const raw = (extnID: string, hex: string, critical = false) =>
  new Extension({ extnID, critical, extnValue: new OctetString(Buffer.from(hex, 'hex')) });

describe('K08 how each certificate is signed, and with which keys', () => {
  const rsaKeys = rsa(2048);
  const rsaRoot = certify({ subject: 'RSA Root', isCa: true, keys: rsaKeys });
  const rsaTrust = anchoredIn([rsaRoot]);

  test.each(['rsaSha256', 'rsaSha384', 'rsaSha512', 'pssSha256', 'pssSha384', 'pssSha512'] as const)(
    'K08 %s is accepted',
    async (name) => {
      const signed = certify({ subject: 'PID Issuer', issuer: rsaRoot, signing: signings[name] });
      expect(await by([signed], rsaTrust)).toBe('valid');
    },
  );

  test.each(['rsaSha1', 'rsaMd5', 'pssSha1'] as const)('K08 %s', async (name) => {
    const signed = certify({ subject: 'PID Issuer', issuer: rsaRoot, signing: signings[name] });
    expect(await by([signed], rsaTrust)).toBe('presentation_invalid K08');
  });

  test('K08 ECDSA with SHA-1, on a leaf and on an intermediate', async () => {
    const signing = signings.ecdsaSha1;
    expect(await by(withLeaf({ signing }))).toBe('presentation_invalid K08');
    expect(await by(withIntermediate({ signing }))).toBe('presentation_invalid K08');
    for (const sound of [signings.ecdsaSha384, signings.ecdsaSha512]) {
      expect(await by(withLeaf({ signing: sound }))).toBe('valid');
    }
  });

  test('K08 how an anchor signed itself does not matter', async () => {
    const old = certify({ subject: 'Old Root', isCa: true, signing: signings.ecdsaSha1 });
    expect(await by([certify({ subject: 'PID Issuer', issuer: old })], anchoredIn([old]))).toBe('valid');
  });

  test.each([
    ['EC P-384', newKeyPair('ES384')],
    ['EC P-521', newKeyPair('ES512')],
    ['RSA 2048', rsaKeys],
  ])('K08 a CA with %s is accepted', async (_, keys) => {
    expect(await by(withIntermediate({ keys }))).toBe('valid');
  });

  test.each([
    ['brainpool', brainpool()],
    ['Ed25519', newKeyPair('EdDSA')],
    ['RSA 1024', rsa(1024)],
  ])('K08 a leaf with a key of %s', async (_, keys) => {
    const [signer, ...rest] = withLeaf({ keys });
    const chain = [{ ...leaf, der: signer?.der ?? leaf.der }, ...rest];
    expect(await by(chain)).toBe('presentation_invalid K08');
  });

  test('K08 a CA with a weak key', async () => {
    expect(await by(withIntermediate({ keys: rsa(1024) }))).toBe('presentation_invalid K08');
    expect(await by(withIntermediate({ keys: brainpool() }))).toBe('presentation_invalid K08');
  });

  test('K01 a key of a kind that Node does not know', async () => {
    expect(await by([withUnknownKey(leaf), intermediate])).toBe('presentation_invalid K01');
  });
});

describe('K08 malformed certificates that a CA signed all the same', () => {
  const replacing = (from: string, to: string) => (content: Buffer) =>
    Buffer.from(content.toString('latin1').replace(from, to), 'latin1');

  test.each(['270832120000Z', '271312120000Z', '2708121200000', '270812 20000Z'])(
    'K08 %s is no date',
    async (date) => {
      expect(await by(withLeaf({ tamper: replacing('270812120000Z', date) }))).toBe(
        'presentation_invalid K08',
      );
      expect(await by(withLeaf({ tamper: replacing('250812120000Z', date) }))).toBe(
        'presentation_invalid K08',
      );
    },
  );

  test('K08 another signature algorithm inside than outside', async () => {
    const [inside, outside] = ['2a8648ce3d040302', '2a8648ce3d040303'].map((hex) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    );
    const tamper = replacing(inside ?? '', outside ?? '');
    expect(await by(withLeaf({ tamper }))).toBe('presentation_invalid K08');
  });
});

describe('K08 extensions', () => {
  const keyUsage = raw('2.5.29.15', '03020780', true);
  const more: [what: string, extension: Extension, passes: boolean][] = [
    ['unknown', raw('1.2.3.4', '0500'), true],
    ['unknown and critical', raw('1.2.3.4', '0500', true), false],
    ['policies, critical', raw('2.5.29.32', '30053003060129', true), true],
    ['policy constraints, critical', raw('2.5.29.36', '3003800100', true), false],
    ['an alternative name, critical', raw('2.5.29.17', '3003820161', true), true],
    ['name constraints', raw('2.5.29.30', '3007a0053003820161', true), false],
    ['name constraints that are not critical', raw('2.5.29.30', '3007a0053003820161'), false],
    ['a second key usage', keyUsage, false],
    [
      'extended key usage, critical',
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage(['1.0.18013.5.1.2']), true),
      true,
    ],
    ['extended key usage that cannot be read', raw('2.5.29.37', '0500'), false],
  ];

  test.each(more)('K08 %s', async (_, added, passes) => {
    const answer = passes ? 'valid' : 'presentation_invalid K08';
    expect(await by(withLeaf({ more: [added] }))).toBe(answer);
  });

  test('K08 two unknown ones of one kind', async () => {
    const twice = [raw('1.2.3.4', '0500'), raw('1.2.3.4', '0101ff')];
    expect(await by(withLeaf({ more: twice }))).toBe('presentation_invalid K08');
  });

  test('K07 none at all', async () => {
    expect(await by(withLeaf({ bare: true }))).toBe('presentation_invalid K07');
    expect(await by(withIntermediate({ bare: true }))).toBe('presentation_invalid K07');
  });

  test('K08 critical and unknown on an intermediate', async () => {
    expect(await by(withIntermediate({ more: [raw('1.2.3.4', '0500', true)] }))).toBe(
      'presentation_invalid K08',
    );
  });
});
