import { describe, expect, test } from '@jest/globals';
import { Extension } from '@peculiar/asn1-x509';
import { OctetString } from '@peculiar/asn1-schema';
import { certify } from '../../support/verify/certificates.js';
import {
  anchoredIn,
  by,
  intermediate,
  leaf,
  root,
  told,
  verdictOn,
  withIntermediate,
  withLeaf,
} from '../../support/verify/chains.js';

const documents = '1.0.18013.5.1.2';
const pids = '1.3.130.2.0.0.1.2';
const reader = '1.0.18013.5.1.6';
const tlsServer = '1.3.6.1.5.5.7.3.1';
const any = '2.5.29.37.0';

describe('K07 what each certificate may do', () => {
  test.each([
    ['this and other things', withLeaf({ keyUsage: ['digitalSignature', 'nonRepudiation'] })],
    ['documents', withLeaf({ purposes: [documents] })],
    ['EU PIDs', withLeaf({ purposes: [pids] })],
    ['documents by RFC 9336', withLeaf({ purposes: ['1.3.6.1.5.5.7.3.36'] })],
    ['e-mail and documents', withLeaf({ purposes: ['1.3.6.1.5.5.7.3.4', documents] })],
    ['whatever marks that are not critical say', withIntermediate({ critical: false })],
  ])('K07 a leaf for %s is accepted', async (_, chain) => {
    expect(await told(chain)).toBe('valid');
  });

  test.each([
    ['a leaf that is a CA', withLeaf({ isCa: true, keyUsage: ['digitalSignature'] }), 'x5c[0] is a CA.'],
    ['a leaf without key usage', withLeaf({ keyUsage: 'absent' }), 'x5c[0] may not sign (key usage).'],
    [
      'a leaf for other things',
      withLeaf({ keyUsage: ['keyAgreement', 'nonRepudiation'] }),
      'x5c[0] may not sign (key usage).',
    ],
    [
      'an intermediate that is no CA',
      withIntermediate({ isCa: false, keyUsage: ['keyCertSign'] }),
      'x5c[1] is not a CA.',
    ],
    [
      'an intermediate for other things',
      withIntermediate({ keyUsage: ['digitalSignature'] }),
      'x5c[1] may not sign certificates (key usage).',
    ],
    [
      'an intermediate without key usage',
      withIntermediate({ keyUsage: 'absent' }),
      'x5c[1] has no key usage.',
    ],
  ])('K07 %s', async (_, chain, reason) => {
    expect(await told(chain)).toBe(`K07 ${reason}`);
  });

  test('K07 pathLen counts the CAs below, as far as it allows', async () => {
    const below = (pathLength: number, keyUsage?: 'absent') => {
      const anchor = certify({ subject: 'Anchor', isCa: true, pathLength, ...(keyUsage && { keyUsage }) });
      const first = certify({ subject: 'One', isCa: true, issuer: anchor });
      const second = certify({ subject: 'Two', isCa: true, issuer: first });
      const chain = [certify({ subject: 'PID Issuer', issuer: second }), second, first];
      return [chain, anchoredIn([anchor])] as const;
    };
    expect(await by(...below(2))).toBe('valid');
    expect(await by(...below(1))).toBe('presentation_invalid K07');
    expect(await by(...below(0))).toBe('presentation_invalid K07');
    expect(await by(...below(2, 'absent'))).toBe('valid');
    expect(await by(...below(1, 'absent'))).toBe('presentation_invalid K07');
    expect(await verdictOn(...below(1))).toMatchObject({
      reason: 'The anchor CN=Anchor, O=Example, C=DE has more CAs below it than its pathLen allows.',
    });
  });

  test('K07 pathLen of an intermediate', async () => {
    const chainBelow = (pathLength: number) => {
      const first = certify({ subject: 'One', isCa: true, issuer: root, pathLength });
      const second = certify({ subject: 'Two', isCa: true, issuer: first });
      return [certify({ subject: 'PID Issuer', issuer: second }), second, first];
    };
    expect(await by(chainBelow(1))).toBe('valid');
    expect(await by(chainBelow(0))).toBe('presentation_invalid K07');
  });

  test('K07 of a renewed anchor, the one that allows the path counts', async () => {
    const strict = certify({ subject: root.subject, keys: root.keys, isCa: true, pathLength: 0 });
    expect(await by([leaf, intermediate], anchoredIn([strict]))).toBe('presentation_invalid K07');
    expect(await by([leaf, intermediate], anchoredIn([strict, root]))).toBe('valid');
  });
});

describe('K18 the extended key usage of each role', () => {
  const forParty = 'K18 x5c[0] is for a relying party or TLS (extended key usage).';
  const notSigning = 'K18 x5c[0] is not for signing credentials (extended key usage).';
  const anchorWith = (purposes: readonly string[]) =>
    certify({ subject: root.subject, keys: root.keys, isCa: true, purposes });

  test.each([[reader], ['1.3.130.2.0.0.1.6'], ['1.0.23220.4.1.6'], [tlsServer], ['1.3.6.1.5.5.7.3.2']])(
    'K18 a leaf of a relying party, %s, also beside another purpose',
    async (purpose) => {
      expect(await told(withLeaf({ purposes: [purpose] }))).toBe(forParty);
      expect(await told(withLeaf({ purposes: [documents, purpose] }))).toBe(forParty);
    },
  );

  test.each(['1.3.6.1.5.5.7.3.3', '1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.9', '1.2.3', any])(
    'K18 a leaf for %s alone',
    async (purpose) => {
      expect(await told(withLeaf({ purposes: [purpose] }))).toBe(notSigning);
    },
  );

  const below = (ca: readonly string[], purposes?: readonly string[]) => {
    const issuer = certify({ subject: 'PID Intermediate', issuer: root, isCa: true, purposes: ca });
    return [certify({ subject: 'PID Issuer', issuer, ...(purposes && { purposes }) }), issuer];
  };

  test('K18 a CA has the purpose of the leaf, or any', async () => {
    expect(await told(below([documents], [documents]))).toBe('valid');
    expect(await told(below([reader, documents], [documents]))).toBe('valid');
    expect(await told(below([any], [documents]))).toBe('valid');
    expect(await told(below([pids]))).toBe('valid');
    const reason = 'K18 x5c[1] may not certify the purpose of x5c[0] (extended key usage).';
    expect(await told(below([pids], [documents]))).toBe(reason);
    expect(await told(below([reader], [documents]))).toBe(reason);
    expect(await told(below([reader]))).toBe(reason);
  });

  test('K18 an anchor too, and one purpose goes the whole way', async () => {
    const chain = below([documents], [documents, pids]);
    expect(await told(chain, anchoredIn([anchorWith([documents])]))).toBe('valid');
    expect(await told(chain, anchoredIn([anchorWith([any])]))).toBe('valid');
    const reason =
      'K18 The anchor CN=PID Root, O=Example, C=DE may not certify the purpose of x5c[0] (extended key usage).';
    expect(await told(chain, anchoredIn([anchorWith([pids])]))).toBe(reason);
    expect(await told(chain, anchoredIn([anchorWith([reader])]))).toBe(reason);
    expect(await told(chain, anchoredIn([anchorWith([reader]), anchorWith([documents])]))).toBe('valid');
  });

  test('F56 a relying party below the PID CA signs no PID, by its own purpose or by that of its CA', async () => {
    expect(await told(withLeaf({ purposes: [reader] }))).toBe(forParty);
    expect(await told(below([reader]))).toMatch(/^K18 x5c\[1\] /);
    expect(await told([leaf, intermediate], anchoredIn([anchorWith([reader])]))).toMatch(/^K18 The anchor /);
  });

  test('F56 an unknown critical extension refuses in every role', async () => {
    const extnValue = new OctetString(Buffer.from('0500', 'hex'));
    const more = [new Extension({ extnID: '1.2.3.4', critical: true, extnValue })];
    expect(await told(withLeaf({ more }))).toMatch(/^K08 x5c\[0\] has an extension/);
    expect(await told(withIntermediate({ more }))).toMatch(/^K08 x5c\[1\] has an extension/);
    const anchor = certify({ subject: root.subject, keys: root.keys, isCa: true, more });
    await expect(told([leaf, intermediate], anchoredIn([anchor]))).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/has an extension that limits its use and is not supported/),
    });
  });
});
