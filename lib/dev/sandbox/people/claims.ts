import { isAtLeast } from '../../../service/is-at-least.js';
import { claimNames, type PidAttributes, type Variant } from '../../../types/attributes.js';
import { peopleOn } from './people.js';

/** The person's four claims, the birth date in the variant's form. */
export function pidClaims(person: Readonly<PidAttributes>, variant: Variant) {
  return {
    [claimNames.family_name[0]]: person.family_name,
    [claimNames.given_name[0]]: person.given_name,
    [claimNames.birth_date[0]]: fromIsoDate(person.birth_date, variant),
    [claimNames.nationality[0]]: person.nationality,
  };
}

/**
 * What the provider of the German PID writes: names in capitals, and more claims than the interface can ask for. The
 * card of somebody whose day of birth is not known has no place of birth either.
 */
export function germanClaims(person: Readonly<PidAttributes>, variant: Variant, today: Date) {
  const claims = pidClaims(person, variant);
  return {
    ...claims,
    family_name: inCapitals(person.family_name),
    given_name: inCapitals(person.given_name),
    [claimNames.age_over[0]]: Object.fromEntries(
      [12, 14, 16, 18, 21, 65].map((years) => [years, isAtLeast(person.birth_date, years, today)]),
    ),
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

type ClaimPath = readonly (string | null)[];

/** Whether the German PID has a claim. Whose it is makes no difference. */
export function isOnCard(path: ClaimPath): boolean {
  const today = new Date();
  const holds = (claims: unknown, [name, ...inner]: ClaimPath): boolean => {
    if (name === undefined) return true;
    if (name === null) return Array.isArray(claims);
    const members = Object(claims) as Readonly<Record<string, unknown>>;
    return Object.hasOwn(members, name) && holds(members[name], inner);
  };
  return holds(germanClaims(peopleOn(today).erika.person, 'derived', today), path);
}

/** The ages among the claims that a wallet is asked for, in years. */
export function agesAmong(asked: readonly ClaimPath[] = []): number[] {
  return asked.flatMap(([name, years]) => (name === claimNames.age_over[0] && years ? [Number(years)] : []));
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
function fromIsoDate(date: string, variant: Variant): string {
  return variant === 'derived' ? date : date.split('-').toReversed().join('-');
}
