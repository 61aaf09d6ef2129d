import { createHash } from 'node:crypto';

/** Somebody with an account here. A real shop has them in a database; this one, in the session. */
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

/** Two members from the time before the wallet, to try a log-in with. A real one asks for a password. */
const regulars: Readonly<Record<string, Member>> = {
  erika: { number: 'D-100001', name: 'Erika Mustermann' },
  max: { number: 'D-100002', name: 'Max Mustermann' },
};

export function regularOf(key: unknown): Member | undefined {
  return typeof key === 'string' && Object.hasOwn(regulars, key) ? regulars[key] : undefined;
}

/** The receipt is the same if a hook runs again, and so is the number: one account, not two. */
export function newMember(receiptId: string, name: string): Member {
  const digits = createHash('sha256').update(receiptId).digest().readUInt32BE() % 900_000;
  return { number: `D-${digits + 100_000}`, name };
}

/** Whether a proved name is the member's. The German identity card writes names in capitals. */
export function isName({ name }: Member, proved: string): boolean {
  return name.localeCompare(proved, 'de', { sensitivity: 'accent' }) === 0;
}
