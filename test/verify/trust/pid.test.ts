import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { erika } from '../../support/verify/issuer.js';
import { type Members, checkOf, inFull, judge, judgeEach } from '../../support/verify/verdicts.js';
import { judgeValues, present, trustIn } from '../../support/verify/verdicts.js';

const all = { reveal: ['family_name', 'given_name', 'birth_date', 'nationality'] };
const missing = 'attributes_missing C13';
const lacks = (what: string) => `${missing} The presentation does not hold ${what}.`;
const invalid = 'attribute_invalid C13';

/** The verdict on these claims in place of Erika's. */
const check = (claims: Members, flow: object = {}, trust: object = {}) =>
  checkOf(present({ sd: { ...erika, ...claims } }), trustIn(trust), { ...all, ...flow });

describe('a good presentation', () => {
  test('gives the attributes that were asked for under their ids', async () => {
    const { birthdate: birth_date, nationalities: nationality, ...names } = erika;
    const attributes = { ...names, birth_date, nationality };
    expect(await judge(present(), trustIn(), all)).toEqual({ valid: true, attributes, derived: {} });
  });

  test('hides their values from logs', async () => {
    const payload = { derived: { nationality: '1' }, derived_for: { nationality: 'DE' } };
    const verdict = await judge(present({ payload }), trustIn(), { derived: { nationality: 'DE' } });
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
  const explain = async (sd: Members, flow: object = all) =>
    inFull(await judge(present({ sd }), trustIn(), flow));
  const without = (claim: string) =>
    Object.fromEntries(Object.entries(erika).filter(([name]) => name !== claim));
  judgeEach(explain, {
    'C13 family_name is missing': [lacks('family_name'), without('family_name')],
    'C13 given_name is missing': [lacks('given_name'), without('given_name')],
    'C13 birth_date is missing': [lacks('birth_date'), without('birthdate')],
    'C13 nationality is missing': [lacks('nationality'), without('nationalities')],
    'C13 all that are missing are named': [lacks('given_name, birth_date'), {}, {}],
  });

  const names = ['', ' ', 7, null, ['Erika'], {}, false];
  judgeValues('C13 a name is %j', names, invalid, (given_name) => check({ given_name }));
  judgeValues('C13 a family name is %j', names, invalid, (family_name) => check({ family_name }));
  const dates = [
    '12-08-1964',
    '1964-02-30',
    '1964-8-12',
    '12.08.1964',
    '',
    -170_000_000,
    null,
    ['1964-08-12'],
  ];
  judgeValues('C13 the birth date is %j', dates, invalid, (birthdate) => check({ birthdate }));
  const countries = [
    'DE',
    ['de'],
    ['DEU'],
    ['DE', 7],
    [['DE']],
    [null],
    { value: 'DE', countryName: 'Germany' },
    null,
  ];
  judgeValues('C13 the nationality is %j', countries, invalid, (nationalities) => check({ nationalities }));

  test.each([
    ['a zero width space', '\u200b'],
    ['NUL', '\0'],
    ['half of a character', '\ud800'],
    ['wide spaces', '\u00a0\u2003'],
    ['marks of direction', '\u202e\u2066'],
    ['a byte order mark', '\ufeff'],
  ])('F78 a name of %s has no character that can be seen', async (_, name) => {
    expect(await check({ given_name: name })).toBe(invalid);
    expect(await check({ given_name: `${name}ẞ` })).toBe('valid');
  });

  const elsewhere = { claims: { given_name: ['names', 'given'] } };
  judgeValues(
    'C13 a path that ends too early, or goes through something else than an object: %j',
    [{}, 'given', [['given', 'Erika']], null],
    missing,
    (given) => check({ names: given }, {}, elsewhere),
  );
  judgeEach(check, {
    'C13 the birth date has the form of the other variant': [invalid, {}, { variant: 'base' }],
    'C13 the nationalities are a list without an element': [missing, { nationalities: [] }],
    'C13 unknown and stateless are nationalities': ['valid', { nationalities: ['QU', 'QS'] }],
    'F81 C13 a name that is a list without an element is of a wrong form': [invalid, { given_name: [] }],
  });

  const digest = 'x'.repeat(43);
  const kept = [[], [{ '...': digest }], [{ '...': digest }, { '...': `${digest.slice(1)}y` }]];
  const toldWhy = `${missing} nationality has no element: the wallet showed the list without any.`;
  judgeValues(
    'F81 a list without an element was not disclosed, and the operator reads that: %j',
    kept,
    toldWhy,
    (nationalities) => explain({ ...erika, nationalities }),
  );
  judgeValues('F81 nor does it matter where it was not asked for: %j', kept, 'valid', (nationalities) =>
    check({ nationalities }, { reveal: ['given_name'] }),
  );
});

test('C14 what was not asked for is dropped', async () => {
  const token = present({ payload: { derived: { nationality: '1' } } });
  const verdict = await judge(token, trustIn(), { reveal: ['given_name'] });
  expect(verdict).toEqual({ valid: true, attributes: { given_name: 'Erika' }, derived: {} });
  expect(await judge(token, trustIn(), { reveal: [] })).toMatchObject({ valid: true, attributes: {} });
});

describe('C15 derived results', () => {
  const derived = { nationality: 'DE' };
  const result = (value: unknown) =>
    judge(present({ payload: { derived: value, derived_for: derived } }), trustIn(), { derived });
  const told = async (value: unknown) =>
    inFull(await result(value))
      .split(' ')
      .slice(0, 2)
      .join(' ');

  test.each([
    ['1', true],
    ['0', false],
  ])('C15 only "1" and "0" are values: %j', async (nationality, value) => {
    expect(await result({ nationality })).toMatchObject({ valid: true, derived: { nationality: value } });
  });
  const others = [1, 0, true, 'true', 'DE', '', '01', null, ['1'], {}];
  judgeValues('C15 %j is none', others, 'attribute_invalid C15', (nationality) => told({ nationality }));
  judgeValues('C15 it is missing in %j', [undefined, '1', {}, ['1']], 'attributes_missing C15', told);

  test('C15 what is undefined was not asked for', async () => {
    const verdict = await judge(present(), trustIn(), { derived: { nationality: undefined } });
    expect(verdict).toMatchObject({ valid: true, derived: {} });
  });
});
