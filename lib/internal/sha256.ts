import { hash } from 'node:crypto';

/** Returns SHA-256 in base64url. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'base64url');
