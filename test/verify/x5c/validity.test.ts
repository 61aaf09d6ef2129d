import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { type CertificatePlan, certify } from '../../support/verify/certificates.js';
import { testClock } from '../../support/clock.js';
import { now } from '../../support/verify/issuer.js';
import {
  anchoredIn,
  by,
  intermediate,
  leaf,
  presentWith,
  root,
  told,
  verdictOn,
  withIntermediate,
  withLeaf,
} from '../../support/verify/chains.js';
import { expected } from '../trust/trusting.js';

describe('K06 every certificate is valid now', () => {
  const places = (validity: Partial<CertificatePlan>) => {
    const anchor = certify({ subject: 'Anchor', isCa: true, ...validity });
    return [
      ['x5c[0]', withLeaf(validity)],
      ['x5c[1]', withIntermediate(validity)],
      [
        'The anchor CN=Anchor, O=Example, C=DE',
        [certify({ subject: 'PID Issuer', issuer: anchor })],
        anchoredIn([anchor]),
      ],
    ] as const;
  };

  test.each([
    ['in its last second', { notAfter: 0 }],
    ['in its first second', { notBefore: 0 }],
    ['until 2050 and after', { notAfter: 40 * 365 * 86_400 }],
  ])('K06 %s: %j', async (_, validity) => {
    for (const [, chain, trust] of places(validity)) expect(await told(chain, trust)).toBe('valid');
  });

  test.each([
    ['a second late', { notAfter: -1 }, 'expired 1 second ago'],
    ['a day late', { notAfter: -86_400 }, 'expired 86400 seconds ago'],
    ['a second early', { notBefore: 1 }, 'is valid only in 1 second'],
    ['never valid', { notBefore: 10, notAfter: -10 }, 'expired 10 seconds ago'],
  ])('K06 %s: %j', async (_, validity, reason) => {
    for (const [place, chain, trust] of places(validity)) {
      expect(await told(chain, trust)).toBe(`K06 ${place} ${reason}.`);
    }
  });

  test('K06 a chain that was judged before expires all the same', async () => {
    const token = presentWith(withLeaf({ notAfter: 60 }));
    const clock = testClock(now.getTime());
    const verifier = createVerifiers(anchoredIn(), { clock }).get('de-ausweis');
    const shown = async () => await verifier?.(token, expected);
    expect(await shown()).toMatchObject({ valid: true });
    clock.forward(60_999);
    expect(await shown()).toMatchObject({ valid: true });
    clock.forward(1);
    expect(await shown()).toMatchObject({ check: 'K06' });
  });

  test('K06 one anchor of a renewed CA is enough', async () => {
    const expired = certify({ subject: root.subject, keys: root.keys, isCa: true, notAfter: -1 });
    const chain = [leaf, intermediate];
    expect(await by(chain, anchoredIn([expired]))).toBe('presentation_invalid K06');
    expect(await by(chain, anchoredIn([expired, root]))).toBe('valid');
    expect(await verdictOn(chain, anchoredIn([expired, expired]))).toMatchObject({
      reason: expect.stringMatching(/^The anchor .* expired 1 second ago; The anchor .*\.$/),
    });
  });
});
