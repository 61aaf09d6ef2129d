import { createHash } from 'node:crypto';

export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
