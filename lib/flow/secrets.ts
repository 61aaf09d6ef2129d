import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import { IdentityError } from '../errors.js';
import { derive } from '../internal/hkdf.js';
import { sha256 } from '../internal/sha256.js';

export { sha256 } from '../internal/sha256.js';

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

/** The text of what must open: anything else means that the store gave back what was never put there. */
export function openSure(key: Buffer, bound: string, sealed: string | undefined): string {
  const text = sealed === undefined ? undefined : open(key, bound, sealed);
  if (text === undefined) throw new IdentityError('store_unavailable');
  return text;
}

/** 256 random bits, as 43 base64url characters: a state, or the secret half of a code. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** True for what {@link newSecret} can have made: the last character has no spare bits set. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);

/**
 * The public name of a flow and the key of its record. Each is a derivation of the state under a label of its own,
 * and the factory's path is part of it: neither tells the other, and two factories never meet. Who knows the name already
 * may bring it: under a wrong one, nothing opens.
 */
export function namesOf(
  state: string,
  path: string,
  id = derive(state, `pidgate/1 record id ${path}`).toString('base64url'),
): { readonly id: string; readonly key: Buffer } {
  return { id, key: derive(state, `pidgate/1 record key ${path}`) };
}

/** The key of the stored reply: only who brings the same body again can open it. */
export const replyKey = (state: string, bodySha256: string): Buffer =>
  derive(state, `pidgate/1 reply ${bodySha256}`);

/** The key of the result: only the browser that brings the code can open it. */
export const resultKey = (secret: string): Buffer => derive(secret, 'pidgate/1 result');

/**
 * The name under which one session is claimed: it does not tell the session's id. It is the same for all factories on
 * one store, because they write into the same session.
 */
export const claimId = (sessionId: string): string => sha256(`pidgate/1 claim ${sessionId}`);

export const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
