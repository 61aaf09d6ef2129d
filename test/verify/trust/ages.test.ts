import { describe, expect, test } from '@jest/globals';
import { attributeIds } from '../../../lib/types/attributes.js';
import type { Trust, Verdict } from '../../../lib/types/trust.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { clock, erika, nonceOf, now } from '../../support/verify/issuer.js';
import { jwtTrust, signResult } from '../../support/verify/jwt-tokens.js';
import {
  checkOf,
  expectRefusal,
  inShort,
  judge,
  judgeEach,
  type Members,
  present,
  refuseEach,
  state,
  trustIn,
} from '../../support/verify/verdicts.js';

/** What a verdict makes of ages: the attributes, or the check that refused. */
const outcome = (verdict: Verdict): unknown => (verdict.valid ? verdict.attributes : inShort(verdict));

const { birthdate: _, ...undated } = erika;

/** What comes of a credential that shows these claims, at this moment. */
async function shown(
  sd: Members,
  reveal: readonly string[] = ['age_over_18'],
  at: Date = now,
): Promise<unknown> {
  const iat = at.getTime() / 1000;
  const token = present({
    sd: { ...undated, ...sd },
    payload: { iat, exp: iat + 3600 },
    binding: { payload: { iat, nonce: nonceOf(state) } },
  });
  return outcome(await judge(token, trustIn(), { reveal }, { clock: () => at }));
}

const ages = (claims: Readonly<Record<string, unknown>>) => ({ age_equal_or_over: claims });
const yes = { age_over_18: true };
const no = { age_over_18: false };

describe('an age, from whatever the wallet shows', () => {
  test.each<[what: string, sd: Members, result: unknown]>([
    ['the claim says yes', ages({ 18: true }), yes],
    ['the claim says no', ages({ 18: false }), no],
    ['the date is of an adult', { birthdate: '1964-08-12' }, yes],
    ['the date is of a minor', { birthdate: '2010-01-01' }, no],
    ['both, and they agree', { ...ages({ 18: true }), birthdate: '1964-08-12' }, yes],
    [
      'both, and the person came of age since the ID was issued',
      { ...ages({ 18: false }), birthdate: '2008-08-11' },
      yes,
    ],
    ['both, and the date is of a minor', { ...ages({ 18: false }), birthdate: '2010-01-01' }, no],
    ['another age alone', ages({ 16: true }), 'attributes_missing C13'],
    ['neither', {}, 'attributes_missing C13'],
    ['ages that are no object', { age_equal_or_over: true }, 'attributes_missing C13'],
    ['a claim that is a text', ages({ 18: 'true' }), 'attribute_invalid C13'],
    ['a claim that is a number', ages({ 18: 1 }), 'attribute_invalid C13'],
    [
      'a claim that is null, beside a date',
      { ...ages({ 18: null }), birthdate: '1964-08-12' },
      'attribute_invalid C13',
    ],
  ])('%s', async (_what, sd, result) => {
    expect(await shown(sd)).toEqual(result);
  });

  test.each<[born: unknown, result: unknown]>([
    ['1964-00-00', no],
    ['1964-08-00', no],
    ['1964-00-12', no],
    ['0001-01-01', no],
    ['2026-08-13', no],
    ['1964-13-00', 'attribute_invalid C13'],
    ['1964-02-30', 'attribute_invalid C13'],
    ['1964-00-32', 'attribute_invalid C13'],
    ['12-08-1964', 'attribute_invalid C13'],
    ['1964', 'attribute_invalid C13'],
    ['', 'attribute_invalid C13'],
    [19640812, 'attribute_invalid C13'],
    [null, 'attribute_invalid C13'],
  ])('a date that is incomplete is a no, and one that is impossible is refused: %j', async (born, result) => {
    expect(await shown({ birthdate: born })).toEqual(result);
    expect(await shown({ birthdate: born, ...ages({ 18: false }) })).toEqual(result);
  });

  test('a date without a day decides beside a claim too, and does not contradict it', async () => {
    expect(await shown({ ...ages({ 18: true }), birthdate: '1964-00-00' })).toEqual(no);
    expect(await shown({ ...ages({ 18: true }), birthdate: '0001-01-01' })).toEqual(no);
  });

  test('in the other variant of the interface', async () => {
    const asked = { reveal: ['age_over_18'], variant: 'base' };
    const of = async (birthdate: string) =>
      outcome(await judge(present({ sd: { birthdate } }), trustIn(), asked));
    expect([await of('12-08-1964'), await of('00-00-1964'), await of('1964-08-12')]).toEqual([
      yes,
      no,
      'attribute_invalid C13',
    ]);
  });

  test('the date decides all ages of a question, also those that a claim says', async () => {
    const reveal = ['age_over_18', 'given_name', 'age_over_21'];
    const born = { birthdate: '2006-01-01' };
    const result = { age_over_18: true, given_name: 'Erika', age_over_21: false };
    expect(await shown(born, reveal)).toEqual(result);
    expect(await shown({ ...born, ...ages({ 18: true }) }, reveal)).toEqual(result);
    expect(await shown(ages({ 18: true, 21: false }), reveal)).toEqual(result);
    expect(await shown(ages({ 18: true }), reveal)).toBe('attributes_missing C13');
  });

  test('the date is in the result only where it was asked for', async () => {
    const dated = { ...ages({ 12: true, 18: true }), birthdate: '1964-08-12' };
    expect(await shown(dated)).toEqual(yes);
    expect(await shown(dated, ['age_over_18', 'birth_date'])).toEqual({ ...yes, birth_date: '1964-08-12' });
    expect(await shown(ages({ 18: true }), ['age_over_18', 'birth_date'])).toBe('attributes_missing C13');
    const incomplete = { birthdate: '1964-00-00' };
    expect(await shown(incomplete, ['age_over_18', 'birth_date'])).toBe('attribute_invalid C13');
  });
});

judgeEach(
  async (sd: Members) =>
    await checkOf(present({ sd: { ...undated, ...sd } }), trustIn(), { reveal: ['age_over_18'] }),
  {
    'C13 an age is true or false': ['attribute_invalid C13', ages({ 18: 'true' })],
    'C13 what an age is counted from is a date': ['attribute_invalid C13', { birthdate: '1964-02-30' }],
  },
);

describe('the day of an age', () => {
  /** Hours from the midnight in UTC at which the birthday begins. */
  const at = (hours: number): Date => new Date(Date.UTC(2026, 7, 12) + hours * 60 * 60 * 1000);
  const born = '2008-08-12';

  test.each([
    ['the day before, everywhere', -14.01, 'C17', no],
    ['the birthday has begun in UTC+14', -14, no, no],
    ['in UTC', 0, no, no],
    ['a moment before it begins in UTC-12', 11.99, no, no],
    ['it has begun in UTC-12 too', 12, yes, yes],
  ])('%s', async (_, hours, withYes, dated) => {
    expect(await shown({ ...ages({ 18: true }), birthdate: born }, undefined, at(hours))).toEqual(withYes);
    expect(await shown({ birthdate: born }, undefined, at(hours))).toEqual(dated);
    expect(await shown({ ...ages({ 18: false }), birthdate: born }, undefined, at(hours))).toEqual(dated);
  });

  test.each([
    ['2026-02-28', no],
    ['2026-03-01', yes],
  ])('somebody born on 29 February, on %s', async (day, result) => {
    const noon = new Date(`${day}T12:00:00Z`);
    expect(await shown({ birthdate: '2008-02-29' }, undefined, noon)).toEqual(result);
  });
});

describe('C17 an age and a date that contradict each other', () => {
  judgeEach(
    async (sd: Members, reveal: readonly string[] = ['age_over_18']) =>
      await checkOf(present({ sd: { ...undated, ...sd } }), trustIn(), { reveal }),
    {
      'C17 the claim says yes, and the date is of a minor': [
        'C17',
        { ...ages({ 18: true }), birthdate: '2010-01-01' },
      ],
      'C17 one of two ages': [
        'C17',
        { ...ages({ 18: true, 21: true }), birthdate: '2006-01-01' },
        ['age_over_18', 'age_over_21'],
      ],
      'C17 an age that was not asked for': [
        'valid',
        { ...ages({ 18: true, 65: true }), birthdate: '1990-01-01' },
      ],
      'C17 beside the date itself': [
        'C17',
        { ...ages({ 18: true }), birthdate: '2010-01-01' },
        ['birth_date', 'age_over_18'],
      ],
      'C17 a claim that says no never contradicts': [
        'valid',
        { ...ages({ 18: false }), birthdate: '1964-08-12' },
      ],
    },
  );

  test('C17 tells no value of the presentation', async () => {
    const verdict = await judge(
      present({ sd: { ...ages({ 18: true }), birthdate: '2010-01-01' } }),
      trustIn(),
      { reveal: ['age_over_18'] },
    );
    expect(verdict).toEqual({
      valid: false,
      check: 'C17',
      code: 'presentation_invalid',
      reason: 'age_over_18 is true, and the date of birth is later.',
    });
  });
});

describe('where the ages of a credential are', () => {
  const check = async (sd: Members, age_over: unknown): Promise<unknown> =>
    outcome(
      await judge(present({ sd: { ...undated, ...sd } }), trustIn({ claims: { age_over } }), {
        reveal: ['age_over_18'],
      }),
    );

  test('is said by the trust entry, or they are nowhere', async () => {
    const elsewhere = { person: { over: { 18: true } } };
    expect(await check(elsewhere, ['person', 'over'])).toEqual(yes);
    expect(await check(elsewhere, undefined)).toBe('attributes_missing C13');
    expect(await check(ages({ 18: true }), false)).toBe('attributes_missing C13');
    expect(await check({ ...ages({ 18: true }), birthdate: '2010-01-01' }, false)).toEqual(no);
  });

  const notAPath = /\.claims\.age_over must be the path below which the ages stand, such as \['age_equal/;
  refuseEach(
    'K16 an entry: %s',
    [
      ['a name alone', { age_over: 'age_equal_or_over' }, notAPath],
      ['true', { age_over: true }, notAPath],
      ['no name', { age_over: [] }, /\.claims\.age_over must be a list that is not empty/],
      [
        'one age',
        { age_over_18: ['a'] },
        /Unknown option age_over_18 of .*\.claims\. Did you mean age_over\?/,
      ],
    ],
    async (claims) => await judge(present(), trustIn({ claims })),
  );
});

describe('a JWT of a service', () => {
  const asked = { reveal: ['age_over_18'] };
  const person = { born: '1964-08-12', over: { 18: true } };
  const of = async (claims: object, change: object = {}) =>
    outcome(await judge(signResult({ person: { ...person, ...change } }), jwtTrust({ claims }), asked));

  test('has no ages by itself, and they are counted from the date', async () => {
    expect(await of({ birth_date: ['person', 'born'] })).toEqual(yes);
    expect(await of({ birth_date: ['person', 'born'] }, { born: '2010-01-01' })).toEqual(no);
  });

  test('has them where its entry says', async () => {
    const age_over = ['person', 'over'];
    expect(await of({ age_over })).toEqual(yes);
    expect(await of({ age_over }, { over: {} })).toBe('attributes_missing C13');
    expect(await of({ age_over, birth_date: ['person', 'born'] }, { born: '2010-01-01' })).toBe('C17');
  });

  test('K16 an entry that has neither is told', async () => {
    await expectRefusal(
      async () => await of({ given_name: ['person', 'given_name'], age_over: false }),
      "trust['de-ausweis'].claims does not say where age_over_18 is, which is asked for. Add age_over or birth_date.",
    );
    await expectRefusal(
      async () =>
        await judge(signResult(), jwtTrust({ claims: { age_over: ['a'] } }), { reveal: ['given_name'] }),
      "trust['de-ausweis'].claims does not say where given_name is, which is asked for.",
    );
  });
});

describe('a verifier function of the app', () => {
  const asks: unknown[] = [];
  const answering = (attributes: object): Trust => ({
    'de-ausweis': async (_presentation, { reveal }) => {
      asks.push(reveal);
      return await Promise.resolve({ valid: true, attributes, derived: {} });
    },
  });

  test.each([
    [{ age_over_18: true }, yes],
    [{ age_over_18: false }, no],
    [{ birth_date: '1964-08-12' }, yes],
    [{ birth_date: '2010-01-01' }, no],
    [{ birth_date: '1964-00-00' }, no],
    [{ age_over_18: false, birth_date: '1964-08-12' }, yes],
    [{ age_over_18: true, birth_date: '2010-01-01' }, 'C17'],
    [{ age_over_18: 'yes' }, 'attribute_invalid C13'],
    [{ birth_date: '1964-02-30' }, 'attribute_invalid C13'],
    [{ birth_date: new Date(0) }, 'attribute_invalid C13'],
    [{ age: 62 }, 'attributes_missing C13'],
  ])('is asked for the age, and may return %j', async (attributes, result) => {
    expect(outcome(await judge('a', answering(attributes), { reveal: ['age_over_18'] }))).toEqual(result);
    expect(asks.at(-1)).toEqual(['age_over_18']);
  });

  test('a clock that gives no time gives no verdict', async () => {
    const broken = { clock: () => new Date(Number.NaN) };
    await expectRefusal(
      async () =>
        await judge('a', answering({ birth_date: '1964-08-12' }), { reveal: ['age_over_18'] }, broken),
      'clock must return a valid Date.',
    );
  });
});

describe('verifyPresentation', () => {
  test('returns the boolean, and no date', async () => {
    const expected = { issuer: 'de-ausweis', state, reveal: ['age_over_18'] } as const;
    const verdict = await verifyPresentation(present(), expected, trustIn(), { clock });
    expect(verdict).toMatchObject({ valid: true, attributes: yes });
    expect(JSON.stringify(verdict)).not.toContain('1964');
  });

  test('asks for no attribute that there is not', async () => {
    for (const reveal of [
      'age_over_0',
      'age_over_151',
      'age_over_018',
      'age_over_1e3',
      'age_over_18 ',
      'age_over',
    ]) {
      await expectRefusal(
        async () => await judge(present(), trustIn(), { reveal: [...attributeIds, reveal] }),
        'expected.reveal must be a list of attribute ids.',
      );
    }
  });
});
