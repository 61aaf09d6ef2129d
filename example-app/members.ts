import { createHash } from 'node:crypto';

/** A person with an account here. A real shop has them in a database; this one, in the session. */
export interface Member {
  readonly number: string;
  readonly name: string;
}

declare module 'express-session' {
  interface SessionData {
    /** Who is logged in. */
    member: Member;
  }
}

interface Regular extends Member {
  readonly born: string;
}

/** Two members from the time before the wallet, to try a log-in with. A real one asks for a password. */
const regulars: Readonly<Record<string, Regular>> = {
  erika: { number: 'D-100001', name: 'Erika Mustermann', born: '1964-08-12' },
  max: { number: 'D-100002', name: 'Max Mustermann', born: '2008-02-29' },
};

export function regularNumbered(number: string | undefined): Member | undefined {
  return Object.values(regulars).find((regular) => regular.number === number);
}

/** The one member of this name and birthday: of two, neither could be told apart here. */
export function findRegular(proved: Names & { readonly birth_date: string }): Member | undefined {
  const found = Object.values(regulars).filter(
    (regular) => regular.born === proved.birth_date && isName(regular, fullName(proved)),
  );
  return found.length === 1 ? found[0] : undefined;
}

export function regularOf(key: unknown): Member | undefined {
  const regular = typeof key === 'string' && Object.hasOwn(regulars, key) ? regulars[key] : undefined;
  return regular && { number: regular.number, name: regular.name };
}

/** The receipt is the same if a hook runs again, and so is the number: one account, not two. */
export function newMember(receiptId: string, name: string): Member {
  const digits = createHash('sha256').update(receiptId).digest().readUInt32BE() % 900_000;
  return { number: `D-${digits + 100_000}`, name };
}

/** A name in capitals, as the German identity card has it, in those that people write. What is written otherwise stays. */
export function writeName(name: string): string {
  if (name !== name.toLocaleUpperCase('de')) return name;
  const small = name.replaceAll('ẞ', 'ß').toLocaleLowerCase('de');
  return small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toLocaleUpperCase('de'));
}

export interface Names {
  readonly given_name: string;
  readonly family_name: string;
}

/** Somebody with one name has a dash in place of the other. */
export function fullName({ given_name, family_name }: Names): string {
  return [given_name, family_name].filter((name) => name !== '-').join(' ');
}

/** Whether a proved name is the member's. The German identity card writes names in capitals. */
export function isName({ name }: Member, proved: string): boolean {
  return name.localeCompare(proved, 'de', { sensitivity: 'accent' }) === 0;
}
