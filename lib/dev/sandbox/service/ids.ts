import { randomBytes } from 'node:crypto';

/** An id that nobody can guess. */
export function newId(): string {
  return randomBytes(24).toString('base64url');
}
