import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Expected, Verdict } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { inShort, judge, judgeValues, refuseValues, thrown } from '../../support/verify/verdicts.js';

/** What the kit makes of the answer of a customer's verifier. */
const on = async (answer: unknown, change: object = {}) =>
  await judge('any text', { 'de-ausweis': async () => await Promise.resolve(answer as Verdict) }, change);

const attributes = { given_name: 'Erika', birth_date: '1964-08-12' };

describe('a verifier of the customer', () => {
  test('hears what every presentation must fit, beside what its flow asked for', async () => {
    const seen: Expected[] = [];
    const refusing = async (_: string, expected: Expected): Promise<Verdict> => {
      seen.push(expected);
      return await Promise.resolve({ valid: false, reason: 'no' });
    };
    const verifiers = createVerifiers({ 'de-ausweis': refusing }, { expected: { variant: 'base' } });
    const asked = { issuer: 'de-ausweis', state: 'state-of-the-flow', reveal: [] };
    await verifiers.get('de-ausweis')?.('a presentation', asked);
    expect(seen).toEqual([{ ...asked, variant: 'base' }]);
  });

  test('gets the presentation and what is expected', async () => {
    const seen: unknown[] = [];
    const trust = {
      'de-ausweis': async (presentation: string, expected: Expected) => {
        seen.push(presentation, expected.state);
        return await Promise.resolve({ valid: true, attributes, derived: {} } as const);
      },
    };
    expect(await judge('a presentation', trust)).toEqual({ valid: true, attributes, derived: {} });
    expect(seen).toEqual(['a presentation', 'state-of-the-flow']);
  });

  test('its refusals are passed on, the reason capped', async () => {
    const refusal = { valid: false, reason: 'no', check: 'X1', code: 'keys_unavailable' };
    expect(await on(refusal)).toEqual(refusal);
    expect(await on({ valid: false, reason: 'a'.repeat(201) })).toEqual({
      valid: false,
      reason: 'a'.repeat(200),
      code: 'presentation_invalid',
    });
    for (const code of ['Not A Code', 'revoked by Erika', ' revoked', '']) {
      expect(await on({ valid: false, code, check: 7 })).toEqual({
        valid: false,
        reason: 'No reason was given.',
        code: 'presentation_invalid',
      });
    }
    expect(await on({ valid: false, check: 'X'.repeat(21) })).toMatchObject({ check: 'X'.repeat(20) });
  });

  test('what it throws is no verdict', async () => {
    const failure = new Error('the vault is closed');
    const trust = { 'de-ausweis': async () => await Promise.reject<Verdict>(failure) };
    expect(await thrown(async () => await judge('a', trust))).toBe(failure);
  });

  const answers = [undefined, null, true, {}, { valid: 1 }, { valid: 'true', attributes }, []];
  const message = "trust['de-ausweis'] returned something that is not a verdict.";
  refuseValues('the answer %j is config_invalid', answers, on, message);

  judgeValues('P01 it is not asked about %p', [undefined, 7, null], 'P01', async (presentation) =>
    inShort(await judge(presentation, { 'de-ausweis': () => Promise.reject(new Error('asked')) })),
  );
});

describe('what it finds valid must still hold what was asked for', () => {
  const finding = (flow: object) => async (given: unknown) =>
    inShort(await on({ valid: true, attributes: given, derived: {} }, flow));
  const few = [
    undefined,
    null,
    {},
    [attributes],
    Object.create(attributes),
    { given_name: 'Erika' },
    { ...attributes, birth_date: undefined },
  ];
  judgeValues('C13 %j lacks attributes', few, 'attributes_missing C13', finding({}));
  const others = [{ given_name: '' }, { birth_date: '12-08-1964' }, { birth_date: new Date(0) }];
  judgeValues('C13 %j has another form than the kit hands on', others, 'attribute_invalid C13', (change) =>
    finding({ variant: 'base' })({ ...attributes, ...change }),
  );

  test('C14 what was not asked for is dropped, and the values are hidden', async () => {
    const verdict = await on({
      valid: true,
      attributes: { ...attributes, nationality: ['DE'] },
      derived: { nationality: true },
    });
    expect(verdict).toEqual({ valid: true, attributes, derived: {} });
    expect(inspect(verdict)).not.toContain('Erika');
  });

  const asked = { derived: { nationality: 'DE' } };
  const result = (derived: unknown) => on({ valid: true, attributes, derived }, asked);
  test.each([true, false])('C15 derived results are booleans: %j', async (nationality) => {
    expect(await result({ nationality })).toMatchObject({ valid: true, derived: { nationality } });
  });
  judgeValues(
    'C15 derived results are booleans, not %j',
    ['1', 1, 'true', null],
    'attribute_invalid C15',
    async (nationality) => inShort(await result({ nationality })),
  );
  const none = [undefined, {}, Object.create({ nationality: true })];
  judgeValues('C15 derived results are there, not in %j', none, 'attributes_missing C15', async (derived) =>
    inShort(await result(derived)),
  );
});
