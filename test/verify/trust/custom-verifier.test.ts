import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Expected, Verdict } from '../../../lib/types/verifier.js';
import { judge } from './trusting.js';
import { thrown } from '../../support/verify/verdicts.js';

/** What the kit makes of the answer of a customer's verifier. */
const on = async (answer: unknown, change: Partial<Expected> = {}) =>
  await judge('any text', { 'de-ausweis': async () => await Promise.resolve(answer as Verdict) }, change);

const attributes = { given_name: 'Erika', birth_date: '1964-08-12' };

describe('a verifier of the customer', () => {
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

  test.each([[undefined], [null], [true], [{}], [{ valid: 1 }], [{ valid: 'true', attributes }], [[]]])(
    'the answer %j is config_invalid',
    async (answer) => {
      expect(await thrown(async () => await on(answer))).toMatchObject({
        code: 'config_invalid',
        message: "trust['de-ausweis'] returned something that is not a verdict.",
      });
    },
  );

  test.each([[undefined], [7], [null]])('P01 it is not asked about %p', async (presentation) => {
    const trust = { 'de-ausweis': async () => await Promise.reject<Verdict>(new Error('asked')) };
    expect(await judge(presentation, trust)).toMatchObject({
      valid: false,
      check: 'P01',
      code: 'presentation_invalid',
    });
  });
});

describe('what it finds valid must still hold what was asked for', () => {
  test.each([
    [undefined],
    [null],
    [{}],
    [[attributes]],
    [Object.create(attributes)],
    [{ given_name: 'Erika' }],
    [{ ...attributes, birth_date: undefined }],
  ])('C13 %j lacks attributes', async (given) => {
    const verdict = await on({ valid: true, attributes: given, derived: {} });
    expect(verdict).toMatchObject({ valid: false, code: 'attributes_missing', check: 'C13' });
  });

  test.each([
    [{ ...attributes, given_name: '' }],
    [{ ...attributes, birth_date: '12-08-1964' }],
    [{ ...attributes, birth_date: new Date(0) }],
  ])('C13 %j has another form than the kit hands on', async (given) => {
    const verdict = await on({ valid: true, attributes: given, derived: {} }, { variant: 'base' });
    expect(verdict).toMatchObject({ valid: false, code: 'attribute_invalid', check: 'C13' });
  });

  test('C14 what was not asked for is dropped, and the values are hidden', async () => {
    const verdict = await on({
      valid: true,
      attributes: { ...attributes, nationality: ['DE'] },
      derived: { nationality: true },
    });
    expect(verdict).toEqual({ valid: true, attributes, derived: {} });
    expect(inspect(verdict)).not.toContain('Erika');
  });

  test('C15 derived results are booleans', async () => {
    const result = async (derived: unknown) =>
      await on({ valid: true, attributes, derived }, { derived: { nationality: 'DE' } });
    expect(await result({ nationality: true })).toMatchObject({
      valid: true,
      derived: { nationality: true },
    });
    expect(await result({ nationality: false })).toMatchObject({
      valid: true,
      derived: { nationality: false },
    });
    for (const value of ['1', 1, 'true', null]) {
      expect(await result({ nationality: value })).toMatchObject({ code: 'attribute_invalid', check: 'C15' });
    }
    for (const derived of [undefined, {}, Object.create({ nationality: true })]) {
      expect(await result(derived)).toMatchObject({ code: 'attributes_missing', check: 'C15' });
    }
  });
});
