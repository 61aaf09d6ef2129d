import type { Request } from 'express';
import type { Result } from 'pidgate';
import { type Member, type Person, fullName, isPerson, newMember } from '../members.js';
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

/**
 * Nobody is logged in: this opens an account and logs the person in. It never logs in to an account that exists, since
 * two people may share a name and a birthday. A logged-in member must be the person who was verified.
 */
export function openAccount(req: Request, receiptId: string, proved: Person): { refuse: string } | undefined {
  const { member } = req.session;
  if (member !== undefined) return refuseOthers(member, proved);
  req.session.member = newMember(receiptId, proved);
  return undefined;
}

/** All that the account says of its member must be proved: many people share a name. */
export function refuseOthers(member: Member | undefined, proved: Person): { refuse: string } | undefined {
  return member !== undefined && isPerson(member, proved) ? undefined : { refuse: 'other_person' };
}
