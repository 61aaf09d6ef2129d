import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { testClock } from '../../support/clock.js';
import { type Authority, certify } from '../../support/verify/certificates.js';
import { now } from '../../support/verify/issuer.js';
import { expected, inShort } from '../trust/trusting.js';
import { anchoredIn, by, presentWith, root, told } from '../../support/verify/chains.js';

/** A CA below the root, in two certificates of one name and key. */
const ca = certify({ subject: 'Issuing CA', issuer: root, isCa: true });
const renewedCa = (change: object = {}) => certify({ ...ca, issuer: root, isCa: true, ...change });
const expiredCa = renewedCa({ notAfter: -60 });
const pid = certify({ subject: 'PID Issuer', issuer: ca });
const expiredRoot = certify({ ...root, isCa: true, notAfter: -1 });
const other = certify({ subject: 'Other Root', isCa: true });

const rows: [what: string, anchors: readonly Authority[], chain: readonly Authority[], verdict: RegExp][] = [
  ['the CA, and not beyond it', [ca], [pid], /^valid$/],
  ['the root, by the CA that was sent', [root], [pid, ca], /^valid$/],
  ['either', [ca, root], [pid, ca], /^valid$/],
  ['the root, beside the old CA', [expiredCa, root], [pid, ca], /^valid$/],
  ['the root, beside the old CA, the order changed', [root, expiredCa], [pid, ca], /^valid$/],
  [
    'the root, beside a CA that may not certify this',
    [renewedCa({ purposes: ['1.0.18013.5.1.6'] }), root],
    [pid, ca],
    /^valid$/,
  ],
  ['the CA, beside the old root', [expiredRoot, ca], [pid, ca], /^valid$/],
  [
    'nothing: the CA is old wherever it is',
    [expiredCa, root],
    [pid, expiredCa],
    /^K06 The anchor CN=Issuing CA, .* expired 60 seconds ago\.$/,
  ],
  ['nothing: both are old', [expiredCa, expiredRoot], [pid, ca], /^K06 The anchor CN=Issuing CA, /],
  ['nothing: the other is a stranger', [expiredCa, other], [pid, ca], /^K06 The anchor CN=Issuing CA, /],
];

describe('F77 an expired anchor hides no path to another one', () => {
  test.each(rows)('F77 the path ends at %s', async (_, anchors, chain, verdict) => {
    expect(await told(chain, anchoredIn(anchors))).toMatch(verdict);
  });

  test.each(rows)(
    'F77 under HAIP too, where a CA below another anchor is none that was sent: %s',
    async (...row) => {
      const [, anchors, chain, verdict] = row;
      const isAlone = chain.length > 1 && !anchors.some(({ subject }) => subject === root.subject);
      const haip = anchoredIn(anchors, { profile: 'haip-1.0' });
      expect(await told(chain, haip)).toMatch(isAlone ? /^K04 / : verdict);
    },
  );

  test('F77 the root may be sent as well', async () => {
    expect(await by([pid, ca, root], anchoredIn([expiredCa, root]))).toBe('valid');
    expect(await by([pid, ca, root, other], anchoredIn([expiredCa, root]))).toBe('valid');
    const haip = anchoredIn([expiredCa, root], { profile: 'haip-1.0' });
    expect(await by([pid, ca, root], haip)).toBe('presentation_invalid K04');
    expect(await by([root], anchoredIn([root, other], { profile: 'haip-1.0' }))).toBe(
      'presentation_invalid K04',
    );
  });

  test('F77 a path that was checked before ends with its anchor, and another one begins', async () => {
    const [short, long] = [renewedCa({ notAfter: 60 }), root];
    const clock = testClock(now.getTime());
    const verdicts = async (anchors: readonly Authority[]) => {
      const verify = createVerifiers(anchoredIn(anchors), { clock }).get('de-ausweis');
      const shown = async () => {
        const verdict = await verify?.(presentWith([pid, ca]), expected);
        return verdict && inShort(verdict);
      };
      const first = await shown();
      clock.forward(61_000);
      const second = await shown();
      clock.forward(-61_000);
      return [first, second];
    };
    expect(await verdicts([short, long])).toEqual(['valid', 'valid']);
    expect(await verdicts([short])).toEqual(['valid', 'presentation_invalid K06']);
  });

  test('F77 the longer path is checked like any other', async () => {
    const noCa = certify({ ...ca, issuer: root, keyUsage: ['keyCertSign'] });
    const strict = certify({ ...root, isCa: true, pathLength: 0 });
    expect(await told([pid, noCa], anchoredIn([expiredCa, root]))).toMatch(/^K06 The anchor /);
    expect(await told([pid, ca], anchoredIn([expiredCa, strict]))).toMatch(/^K06 The anchor /);
  });
});
