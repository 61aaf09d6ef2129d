import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../internal/sha256.js';

/** The two halves of a return code: the flow's public name and the secret that fits it. */
export interface ReturnCode {
  readonly id: string;
  readonly secret: string;
}

/** The code, if it is one that we can have made. */
export function readReturnCode(text: unknown): ReturnCode | undefined {
  const parts = typeof text === 'string' ? text.split('.') : [];
  const [id = '', secret = ''] = parts;
  return parts.length === 2 && isSecret(id) && isSecret(secret) ? { id, secret } : undefined;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a fresh random nonce; `bound` is authenticated with it and must be the same at opening. */
export function seal(key: Buffer, bound: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
}

/** The text, or undefined where key, bound text or a single byte is another one. */
export function open(key: Buffer, bound: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.toString('base64url') !== sealed) return undefined; // spare bits of the last character
  const body = bytes.subarray(nonceBytes, -tagBytes);
  try {
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(body), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** Without a secret of the app's, what is stored is readable in this process alone, as with `memoryStore`. */
export const processSecret = randomBytes(32).toString('base64url');

/** 256 random bits, as 43 base64url characters: a state, or the secret half of a code. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** True for what {@link newSecret} can have made: the last character has no spare bits set. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);

/** What stands in front of a record: a change of it, or of anything below, makes the records before it unknown. */
export const format = '2';

/** The public name of a flow: a digest of its state. The factory's path is part of it, so two factories never meet. */
export const flowIdOf = (state: string, path: string): string => sha256(`pidgate/2 flow ${path} ${state}`);

/**
 * The key of a flow's record. Only who has the app's secret can make or open one, whatever else they know. The id comes
 * from an address at the return, so the path stands beside it: one factory never opens the flow of another.
 */
export const recordKey = (secret: string, path: string, id: string): Buffer =>
  createHmac('sha256', secret).update(`pidgate/2 record ${path} ${id}`).digest();

/** The key of all that a factory keeps in sessions. It is derived once: see {@link recordKey} for a key of its own. */
export const keptKey = (secret: string, path: string): Buffer =>
  createHmac('sha256', secret).update(`pidgate/2 kept ${path}`).digest();

/** What a session has in clear, and what each text in it is bound to: of no use by itself. */
export const newMark = (): string => randomBytes(16).toString('base64url');

/** The name of an owner's lock. It is the same for all factories on one store: they write into the same session. */
export const lockName = (owner: string): string => sha256(`pidgate/2 lock ${owner}`);

export const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
