import { describe, expect, test } from '@jest/globals';
import { certify } from '../certificates.js';
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
} from './chains.js';

describe('K07 what each certificate may do', () => {
  const documents = '1.0.18013.5.1.2';
  const tlsServer = '1.3.6.1.5.5.7.3.1';
  const tlsClient = '1.3.6.1.5.5.7.3.2';

  test.each([
    ['this and other things', withLeaf({ keyUsage: ['digitalSignature', 'nonRepudiation'] })],
    ['documents', withLeaf({ purposes: [documents] })],
    ['TLS and documents', withLeaf({ purposes: [tlsServer, documents] })],
    ['whatever marks that are not critical say', withIntermediate({ critical: false })],
  ])('K07 a leaf for %s is accepted', async (_, chain) => {
    expect(await told(chain)).toBe('valid');
  });

  const forTls = 'x5c[0] is for TLS, code, e-mail, time stamps or OCSP only (extended key usage).';

  test.each(['1', '2', '3', '4', '8', '9'])('K07 a leaf for the purpose %s of PKIX alone', async (last) => {
    expect(await told(withLeaf({ purposes: [`1.3.6.1.5.5.7.3.${last}`] }))).toBe(`K07 ${forTls}`);
  });

  test.each([
    ['a leaf that is a CA', withLeaf({ isCa: true, keyUsage: ['digitalSignature'] }), 'x5c[0] is a CA.'],
    ['a leaf without key usage', withLeaf({ keyUsage: 'absent' }), 'x5c[0] may not sign (key usage).'],
    [
      'a leaf for other things',
      withLeaf({ keyUsage: ['keyAgreement', 'nonRepudiation'] }),
      'x5c[0] may not sign (key usage).',
    ],
    ['a leaf for TLS', withLeaf({ purposes: [tlsServer, tlsClient] }), forTls],
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
