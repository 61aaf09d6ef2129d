import type { Result } from 'pidgate';
import { fullName } from '../members.js';
import { en } from '../texts/en.js';

/** The question without a name: its members are at the top of the factory's options. */
export const account = {
  reveal: ['given_name', 'family_name', 'birth_date'],
  reasons: { counter: en.pidgate['reasons.counter'] }, // in other languages, pages.texts has it
  keep: ({ attributes }: Result<string, 'given_name' | 'family_name' | 'birth_date'>) => ({
    name: fullName(attributes),
    born: attributes.birth_date,
  }),
  successRedirect: '/membership',
} as const;
