import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** An id that nobody can guess. */
export const newId = (): string => randomBytes(24).toString('base64url');

/** Keeps what is stored from those who can read or write the store. */
export interface Seal {
  /** Closes under the first secret. */
  close(text: string, id: string): string;
  /** Opens what any of the secrets has closed. Throws for another secret or another id, and for what was changed. */
  open(sealed: string, id: string): string;
}

const [ivBytes, tagBytes] = [12, 16];

export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const [first, ...older] = secrets.map(keyOf) as [Buffer, ...Buffer[]];
  return {
    close(text, id) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', first, iv).setAAD(Buffer.from(id));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    open(sealed, id) {
      const bytes = Buffer.from(sealed, 'base64url');
      for (const key of [first, ...older]) {
        try {
          return openWith(key, bytes, id);
        } catch {
          // another secret may have closed it
        }
      }
      throw new Error('a stored job was sealed under another BRIDGE_SECRET, or was changed');
    },
  };
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'pidgate-bridge 1 jobs', 32));

function openWith(key: Buffer, bytes: Buffer, id: string): string {
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(id)).setAuthTag(tag);
  const text = decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8');
  return text + decipher.final('utf8');
}
