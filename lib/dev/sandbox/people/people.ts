import type { AttributeId, PidAttributes, Variant } from '../../../contracts/attributes.js';
import { attributeIds } from '../../../protocol/attributes.js';
import { fromIsoDate } from '../../../protocol/dates.js';

/** The sandbox always returns this PID: the person on every German specimen card. */
const person: PidAttributes = {
  family_name: 'Mustermann',
  given_name: 'Erika',
  birth_date: '1964-08-12',
  nationality: ['DE'],
};

export const personName = `${person.given_name} ${person.family_name}`;

/** One claim of the person's credential. */
export interface Claim {
  readonly id: AttributeId;
  /** The PID rulebook's name for SD-JWT VC. */
  readonly name: string;
  readonly value: string | readonly string[];
}

const claimNames: Record<AttributeId, string> = {
  family_name: 'family_name',
  given_name: 'given_name',
  birth_date: 'birthdate',
  nationality: 'nationalities',
};

/** All that the credential holds, the birth date in the variant's form. */
export function claimsOf(variant: Variant): readonly Claim[] {
  return attributeIds.map((id) => ({
    id,
    name: claimNames[id],
    value: id === 'birth_date' ? fromIsoDate(person.birth_date, variant) : person[id],
  }));
}

/** The service's answers to the derived checks, as the interface writes them. */
export function derivedOf(asked: Readonly<Partial<Record<'nationality', string>>>): {
  nationality?: '0' | '1';
} {
  const { nationality } = asked;
  if (nationality === undefined) return {};
  return { nationality: person.nationality.includes(nationality) ? '1' : '0' };
}
