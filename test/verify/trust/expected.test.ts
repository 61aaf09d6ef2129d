import { describe, expect, test } from '@jest/globals';
import type { Expected } from '../../../lib/types/verifier.js';
import { IdentityError, isInOwnWords } from '../../../lib/errors.js';
import { verdictOf } from '../../../lib/verify/trust/verdict.js';
import { entry, expected, judge, present, trustIn } from './trusting.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { thrown } from '../../support/verify/verdicts.js';

describe('what is expected is judged as well', () => {
  test.each([
    ['no state', { state: undefined }],
    ['an empty state', { state: '' }],
    ['nothing to reveal', { reveal: undefined }],
    ['an unknown attribute', { reveal: ['birthdate'] }],
    ['an unknown derived attribute', { derived: { age: '18' } }],
    ['a derived attribute without a value', { derived: { nationality: '' } }],
    ['a derived attribute for a list', { derived: { nationality: ['DE'] } }],
    ['an unknown variant', { variant: 'other' }],
    ['an invalid Date', { startedAt: new Date('soon') }],
  ])('%s is config_invalid', async (_, change) => {
    const run = async () => await judge(present(), trustIn(), change as unknown as Partial<Expected>);
    expect(await thrown(run)).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/^expected\.[\w.]+ .*\w\.$/),
    });
  });

  test('a nonce function that returns nothing is config_invalid, and what it throws comes through', async () => {
    const failure = new Error('no');
    const failing = (asked: Expected) => {
      if (asked.state === expected.state) throw failure;
      return nonceOf(asked.state);
    };
    const empty = (asked: Expected) => (asked.state === expected.state ? '' : nonceOf(asked.state));
    const by = async (nonce: (asked: Expected) => string) =>
      await thrown(
        async () => await judge(present(), trustIn({ keyBinding: { ...entry.keyBinding, nonce } })),
      );
    expect(await by(empty)).toMatchObject({
      code: 'config_invalid',
      message: "What trust['de-ausweis'].keyBinding.nonce returns must be a non-empty string.",
    });
    expect(await by(failing)).toBe(failure);
  });

  test("F67 a check of the app's own is a verdict, in words that are not the kit's", async () => {
    const verdict = await verdictOf(() => {
      throw new IdentityError('presentation_invalid', { check: 'mine', message: 'words of the app' });
    });
    expect(verdict).toMatchObject({ valid: false, check: 'mine' });
    expect(isInOwnWords(verdict)).toBe(false);
  });

  test('a clock that stands nowhere is no verdict', async () => {
    const clock = () => new Date(Number.NaN);
    expect(await thrown(async () => await judge(present(), trustIn(), {}, { clock }))).toMatchObject({
      code: 'config_invalid',
    });
  });
});
