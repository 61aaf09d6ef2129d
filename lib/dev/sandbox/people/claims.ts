import type { PidAttributeId, PidAttributes, Variant } from '../../../types/attributes.js';

/** The PID rulebook's name of each attribute in an SD-JWT VC. */
export const claimNames = {
  family_name: 'family_name',
  given_name: 'given_name',
  birth_date: 'birthdate',
  nationality: 'nationalities',
} as const satisfies Record<PidAttributeId, string>;

/** The person's four claims, the birth date in the variant's form. */
export function pidClaims(person: Readonly<PidAttributes>, variant: Variant) {
  return {
    [claimNames.family_name]: person.family_name,
    [claimNames.given_name]: person.given_name,
    [claimNames.birth_date]: fromIsoDate(person.birth_date, variant),
    [claimNames.nationality]: person.nationality,
  };
}

/**
 * What the provider of the German PID writes: names in capitals, and more claims than the interface can ask for. The
 * card of somebody whose day of birth is not known has no place of birth either.
 */
export function germanClaims(person: Readonly<PidAttributes>, variant: Variant, today: Date) {
  const age = ageOn(person.birth_date, today);
  const claims = pidClaims(person, variant);
  return {
    ...claims,
    family_name: inCapitals(person.family_name),
    given_name: inCapitals(person.given_name),
    age_equal_or_over: Object.fromEntries([12, 14, 16, 18, 21, 65].map((years) => [years, age >= years])),
    birth_name: 'GABLER',
    title: 'DR.',
    also_known_as: 'ERIKA M.',
    date_of_expiry: `${today.getUTCFullYear() + 5}-07-31`,
    address: {
      street_address: 'HEIDESTRAẞE 17',
      postal_code: '51147',
      locality: 'KÖLN',
      region: 'NORDRHEIN-WESTFALEN',
      country: 'DE',
    },
    place_of_birth: person.birth_date.endsWith('-00')
      ? { no_place_info: 'UNBEKANNT' }
      : { locality: 'BERLIN' },
    issuing_authority: 'DE',
    issuing_country: 'DE',
    source_document_type: 'ID',
  };
}

/** How the German card writes a name. */
export function inCapitals(name: string): string {
  return name.replaceAll('ß', 'ẞ').toUpperCase();
}

function ageOn(birthDate: string, today: Date): number {
  const years = today.getUTCFullYear() - Number(birthDate.slice(0, 4));
  return birthDate.slice(5) > today.toISOString().slice(5, 10) ? years - 1 : years;
}

/** The service's answers to the derived checks, as the interface writes them. */
export function derivedOf(
  person: Pick<PidAttributes, 'nationality'>,
  asked: Readonly<Partial<Record<'nationality', string>>> = {},
): { nationality?: '0' | '1' } {
  const { nationality } = asked;
  if (nationality === undefined) return {};
  return { nationality: person.nationality.includes(nationality) ? '1' : '0' };
}

/** Returns a date of the kit (`YYYY-MM-DD`) in the form of the variant's presentations. */
export function fromIsoDate(date: string, variant: Variant): string {
  return variant === 'derived' ? date : date.split('-').toReversed().join('-');
}
