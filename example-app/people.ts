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

export function nameOf(person: unknown): string | undefined {
  return typeof person === 'string' && Object.hasOwn(people, person) ? people[person] : undefined;
}
