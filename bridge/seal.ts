import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** An id that nobody can guess. */
export const newId = (): string => randomBytes(24).toString('base64url');

/** Keeps what is stored from those who can read or write the store. */
export interface Seal {
  close(text: string, id: string): string;
  /** Throws for what was sealed under another secret or another id, or was changed. */
  open(sealed: string, id: string): string;
}

const [ivBytes, tagBytes] = [12, 16];

export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pidgate-bridge 1 jobs', 32));
  return {
    close(text, id) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    open(sealed, id) {
      const bytes = Buffer.from(sealed, 'base64url');
      const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(id)).setAuthTag(tag);
        const text = decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8');
        return text + decipher.final('utf8');
      } catch {
        throw new Error('a stored job was sealed under another BRIDGE_SECRET, or was changed');
      }
    },
  };
}
