import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { IdentityError } from '../errors.js';

const nonceBytes = 12;
const tagBytes = 16;

const noncesAtOnce = 256;
let nonces = Buffer.alloc(0);
let used = 0;

/** A nonce is no secret, and a call for random bytes costs as much as the sealing: many are made by one. */
function freshNonce(): Buffer {
  if (used === nonces.length) {
    nonces = randomBytes(noncesAtOnce * nonceBytes);
    used = 0;
  }
  const start = used;
  used += nonceBytes;
  return nonces.subarray(start, used);
}

/** AES-256-GCM with a fresh random nonce; `bound` is authenticated with it and must be the same at opening. */
export function seal(key: Buffer, bound: string, text: string): string {
  const nonce = freshNonce();
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
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-tagBytes));
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
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
