import { describe, expect, it } from '@jest/globals';
import { IdentityError, isAtLeast } from '../../../lib/index.js';
import { choosePerson } from '../../../lib/dev/sandbox/people/choose.js';
import { derivedOf, germanClaims } from '../../../lib/dev/sandbox/people/claims.js';
import { peopleOn } from '../../../lib/dev/sandbox/people/people.js';
import { sandbox } from './open.js';

const today = new Date('2026-05-04T12:00:00Z');

describe('The people', () => {
  it('each have a reason, and what a PID must have', () => {
    for (const { reason, person } of Object.values(peopleOn(today))) {
      expect(reason).toMatch(/^[A-Z]/);
      expect(person.given_name.trim()).not.toBe('');
      expect(person.family_name.length).toBeLessThanOrEqual(150);
      expect(person.birth_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(person.nationality.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
    }
    expect(peopleOn(today).long_names.person.given_name).toHaveLength(150);
  });

  it.each(['2026-05-04', '2026-02-28', '2028-02-28', '2026-12-31', '2027-02-28'])(
    'the minor of %s is 17, and 18 tomorrow',
    (day) => {
      const noon = new Date(`${day}T12:00:00Z`);
      const { birth_date } = peopleOn(noon).minor.person;
      const later = (days: number): Date => new Date(noon.getTime() + days * 24 * 60 * 60 * 1000);
      expect(isAtLeast(birth_date, 18, noon)).toBe(false);
      expect(isAtLeast(birth_date, 17, noon)).toBe(true);
      // A 29 February that its year does not have is celebrated on 1 March.
      expect(isAtLeast(birth_date, 18, later(day === '2028-02-28' ? 2 : 1))).toBe(true);
    },
  );

  it.each([
    ['erika', 'DE', '1'],
    ['erika', 'FR', '0'],
    ['dual', 'FR', '1'],
    ['stateless', 'DE', '0'],
    ['french', 'DE', '0'],
    ['french', 'ZW', '0'],
  ] as const)('%s holds %s: %s', (name, nationality, answer) => {
    expect(derivedOf(peopleOn(today)[name].person, { nationality })).toEqual({ nationality: answer });
  });

  it('the German provider writes capitals, and ages as of today', () => {
    const { umlauts, minor } = peopleOn(today);
    expect(germanClaims(umlauts.person, 'derived', today).family_name).toBe('GRÖẞMANN-ÜBELACKER');
    expect(germanClaims(minor.person, 'derived', today).age_equal_or_over).toMatchObject({
      16: true,
      18: false,
    });
  });
});

describe('The option person', () => {
  it('is a name from the list, or attributes; those left out are Erika’s', () => {
    expect(choosePerson('french', today, 'person').family_name).toBe('Dupont');
    expect(choosePerson({ birth_date: '2015-01-01' }, today, 'person')).toEqual({
      given_name: 'Erika',
      family_name: 'Mustermann',
      birth_date: '2015-01-01',
      nationality: ['DE'],
    });
  });

  it.each([
    ['ericka', 'Did you mean erika?'],
    ['constructor', 'Known: erika, minor,'],
    [7, 'person is not valid'],
    [{ birth_date: '12.8.1964' }, 'person.birth_date is not valid'],
    [{ nationality: 'DE' }, 'person.nationality is not valid'],
    [{ nationality: [] }, 'person.nationality is not valid'],
    [{ given_name: ' ' }, 'person.given_name is not valid'],
    [{ shoe_size: 42 }, 'person is not valid'],
    [null, 'person is not valid'],
  ])('%j: config_invalid', async (person, words) => {
    const thrown = await sandbox({ person: person as never }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(IdentityError);
    expect((thrown as IdentityError).code).toBe('config_invalid');
    expect((thrown as IdentityError).message).toContain(words);
  });
});
