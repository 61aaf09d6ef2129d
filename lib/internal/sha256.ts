import { hash } from 'node:crypto';

/** Returns SHA-256 in base64url. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url');
}
