import { createHash } from 'node:crypto';

/** A person with an account here. A real shop has them in a database; this one, in the session. */
export interface Member {
  /** Who this is, for `subject`. Nobody sees it, and unlike a number it is never given again. */
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly born: string;
}

declare module 'express-session' {
  interface SessionData {
    /** Who is logged in. */
    member: Member;
  }
}

/** Two members from the time before the wallet, to try a log-in with. A real one asks for a password. */
const regulars: readonly Member[] = [
  { id: 'erika', number: 'D-100001', name: 'Erika Mustermann', born: '1964-08-12' },
  { id: 'max', number: 'D-100002', name: 'Max Mustermann', born: '2008-02-29' },
];

export function regularWith(id: unknown): Member | undefined {
  return regulars.find((regular) => regular.id === id);
}

/** What an ID says of a person. */
export interface Person {
  readonly given_name: string;
  readonly family_name: string;
  readonly birth_date: string;
}

/** The one member of this name and birthday: of two, neither could be told apart here. */
export function findRegular(proved: Person): Member | undefined {
  const found = regulars.filter((regular) => isPerson(regular, proved));
  return found.length === 1 ? found[0] : undefined;
}

/** The receipt is the same if a hook runs again, and so is the account: one, not two. */
export function newMember(receiptId: string, proved: Person): Member {
  const digits = createHash('sha256').update(receiptId).digest().readBigUInt64BE() % 10n ** 16n;
  const number = ['D', ...(`${digits}`.padStart(16, '0').match(/\d{4}/g) ?? [])].join('-');
  return { id: receiptId, number, name: fullName(proved), born: proved.birth_date };
}

/** A name in capitals, as the German identity card has it, in those that people write. What is written otherwise stays. */
export function writeName(name: string): string {
  if (name !== name.toLocaleUpperCase('de')) return name;
  const small = name.replaceAll('ẞ', 'ß').toLocaleLowerCase('de');
  return small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toLocaleUpperCase('de'));
}

/** Somebody with one name has a dash in place of the other. */
export function fullName({ given_name, family_name }: Omit<Person, 'birth_date'>): string {
  return [given_name, family_name].filter((name) => name !== '-').join(' ');
}

/** Whether what was proved is what the account says: all of it, since many people share a name. */
export function isPerson({ name, born }: Member, proved: Person): boolean {
  if (born !== proved.birth_date) return false;
  // The German identity card writes names in capitals.
  return name.localeCompare(fullName(proved), 'de', { sensitivity: 'accent' }) === 0;
}
