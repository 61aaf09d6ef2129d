import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { AttributeId } from '../../../lib/types/attributes.js';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import { erika } from '../../support/verify/issuer.js';
import { inShort, judge, present, trustIn } from './trusting.js';

const all: AttributeId[] = ['family_name', 'given_name', 'birth_date', 'nationality'];

/** The verdict on claims of these values. */
const on = async (
  sd: Record<string, unknown>,
  change: Partial<Expected> = {},
  trust: Partial<SdJwtVcTrust> = {},
) => inShort(await judge(present({ sd }), trustIn(trust), { reveal: all, ...change }));

describe('a good presentation', () => {
  test('gives the attributes that were asked for under their ids', async () => {
    expect(await judge(present(), trustIn(), { reveal: all })).toEqual({
      valid: true,
      attributes: {
        family_name: 'Mustermann',
        given_name: 'Erika',
        birth_date: '1964-08-12',
        nationality: ['DE'],
      },
      derived: {},
    });
  });

  test('hides their values from logs', async () => {
    const verdict = await judge(
      present({ payload: { derived: { nationality: '1' }, derived_for: { nationality: 'DE' } } }),
      trustIn(),
      {
        derived: { nationality: 'DE' },
      },
    );
    expect(inspect(verdict, { depth: 9 })).toBe(
      '{\n  valid: true,\n  attributes: { given_name: [hidden], birth_date: [hidden] },\n  derived: { nationality: [hidden] }\n}',
    );
    expect(JSON.stringify(verdict)).toContain('"given_name":"Erika"');
  });

  test('normalises birth dates by the variant', async () => {
    const verdict = await judge(present({ sd: { ...erika, birthdate: '12-08-1964' } }), trustIn(), {
      variant: 'base',
    });
    expect(verdict).toMatchObject({ attributes: { birth_date: '1964-08-12' } });
  });

  test('finds claims where the trust entry says that they lie', async () => {
    const claims = { birth_date: ['birth', 'date'], given_name: ['vorname'] };
    const sd = { ...erika, birthdate: undefined, birth: { date: '1964-08-12' }, vorname: 'Rika' };
    const verdict = await judge(present({ sd }), trustIn({ claims }));
    expect(verdict).toMatchObject({ attributes: { birth_date: '1964-08-12', given_name: 'Rika' } });
  });
});

describe('C13 every asked attribute is there, in its form', () => {
  test.each([
    ['family_name', 'family_name'],
    ['given_name', 'given_name'],
    ['birth_date', 'birthdate'],
    ['nationality', 'nationalities'],
  ])('C13 %s is missing', async (id, claim) => {
    const others = Object.fromEntries(Object.entries(erika).filter(([name]) => name !== claim));
    const verdict = await judge(present({ sd: others }), trustIn(), { reveal: all });
    expect(inShort(verdict)).toBe('attributes_missing C13');
    expect(verdict).toMatchObject({ reason: `The presentation does not hold ${id}.` });
  });

  test('C13 all that are missing are named', async () => {
    expect(await judge(present({ sd: {} }))).toMatchObject({
      reason: 'The presentation does not hold given_name, birth_date.',
    });
  });

  test.each([[''], [' '], [7], [null], [['Erika']], [{}], [false]])('C13 a name is %j', async (name) => {
    expect(await on({ ...erika, given_name: name })).toBe('attribute_invalid C13');
    expect(await on({ ...erika, family_name: name })).toBe('attribute_invalid C13');
  });

  test.each([
    ['a zero width space', '\u200b'],
    ['NUL', '\0'],
    ['half of a character', '\ud800'],
    ['wide spaces', '\u00a0\u2003'],
    ['marks of direction', '\u202e\u2066'],
    ['a byte order mark', '\ufeff'],
  ])('F78 a name of %s has no character that can be seen', async (_, name) => {
    expect(await on({ ...erika, given_name: name })).toBe('attribute_invalid C13');
    expect(await on({ ...erika, given_name: `${name}ẞ` })).toBe('valid');
  });

  test.each([
    ['12-08-1964'],
    ['1964-02-30'],
    ['1964-8-12'],
    ['12.08.1964'],
    [''],
    [-170_000_000],
    [null],
    [['1964-08-12']],
  ])('C13 the birth date is %j', async (birthdate) => {
    expect(await on({ ...erika, birthdate })).toBe('attribute_invalid C13');
  });

  test('C13 the birth date has the form of the other variant', async () => {
    expect(await on(erika, { variant: 'base' })).toBe('attribute_invalid C13');
  });

  test.each([
    ['DE'],
    [['de']],
    [['DEU']],
    [['DE', 7]],
    [[['DE']]],
    [[null]],
    [{ value: 'DE', countryName: 'Germany' }],
    [null],
  ])('C13 the nationality is %j', async (nationalities) => {
    expect(await on({ ...erika, nationalities })).toBe('attribute_invalid C13');
  });

  test('C13 the nationalities are a list without an element', async () => {
    expect(await on({ ...erika, nationalities: [] })).toBe('attributes_missing C13');
  });

  test('F81 a list without an element was not disclosed, and the operator reads that', async () => {
    const digest = 'x'.repeat(43);
    for (const nationalities of [
      [],
      [{ '...': digest }],
      [{ '...': digest }, { '...': `${digest.slice(1)}y` }],
    ]) {
      const verdict = await judge(present({ sd: { ...erika, nationalities } }), trustIn(), { reveal: all });
      expect(verdict).toEqual({
        valid: false,
        check: 'C13',
        code: 'attributes_missing',
        reason: 'nationality has no element: the wallet showed the list without any.',
      });
      expect(await on({ ...erika, nationalities }, { reveal: ['given_name'] })).toBe('valid');
    }
    expect(await on({ ...erika, given_name: [] })).toBe('attribute_invalid C13');
  });

  test('C13 unknown and stateless are nationalities', async () => {
    expect(await on({ ...erika, nationalities: ['QU', 'QS'] })).toBe('valid');
  });

  test('C13 a path that ends too early, or goes through something else than an object', async () => {
    const trust = { claims: { given_name: ['names', 'given'] } };
    for (const names of [{}, 'given', [['given', 'Erika']], null]) {
      expect(await on({ ...erika, names }, {}, trust)).toBe('attributes_missing C13');
    }
  });
});

test('C14 what was not asked for is dropped', async () => {
  const token = present({ payload: { derived: { nationality: '1' } } });
  const verdict = await judge(token, trustIn(), { reveal: ['given_name'] });
  expect(verdict).toEqual({ valid: true, attributes: { given_name: 'Erika' }, derived: {} });
  expect(await judge(token, trustIn(), { reveal: [] })).toMatchObject({ valid: true, attributes: {} });
});

describe('C15 derived results', () => {
  const derived = { nationality: 'DE' };
  const result = async (value: unknown) =>
    await judge(present({ payload: { derived: value, derived_for: derived } }), trustIn(), { derived });

  test('C15 only "1" and "0" are values', async () => {
    expect(await result({ nationality: '1' })).toMatchObject({ valid: true, derived: { nationality: true } });
    expect(await result({ nationality: '0' })).toMatchObject({
      valid: true,
      derived: { nationality: false },
    });
  });

  test.each([[1], [0], [true], ['true'], ['DE'], [''], ['01'], [null], [['1']], [{}]])(
    'C15 %j is none',
    async (value) => {
      expect(inShort(await result({ nationality: value }))).toBe('attribute_invalid C15');
    },
  );

  test.each([[undefined], [null], ['1'], [{}], [['1']]])(
    'C15 it is missing where derived is %j',
    async (value) => {
      expect(inShort(await result(value))).toBe('attributes_missing C15');
    },
  );

  test('C15 what is undefined was not asked for', async () => {
    const nothing = { derived: { nationality: undefined } } as unknown as Partial<Expected>;
    expect(await judge(present(), trustIn(), nothing)).toMatchObject({ valid: true, derived: {} });
  });
});
