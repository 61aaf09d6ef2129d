declare module 'express-session' {
  interface SessionData {
    /** Who is logged in. */
    person: string;
  }
}

/** The accounts of this demonstration. Yours are in a database, and ask for a password. */
const people: Readonly<Record<string, string>> = {
  erika: 'Erika Mustermann',
  max: 'Max Mustermann',
};

/** The account of a proved name. The German identity card writes names in capitals. */
export function accountOf(proved: string): string | undefined {
  const same = (name: string): boolean => name.localeCompare(proved, 'de', { sensitivity: 'accent' }) === 0;
  return Object.keys(people).find((person) => same(people[person] ?? ''));
}

export function nameOf(person: unknown): string | undefined {
  return typeof person === 'string' && Object.hasOwn(people, person) ? people[person] : undefined;
}
