import { createHmac } from 'node:crypto';

/**
 * 256 bits derived from a secret under a label, by the second step of HKDF-SHA-256 (RFC 5869). The extract step
 * turns a non-uniform secret into a key; ours are 256 random bits already (section 3.3). Only for those: of a
 * text that is not canonical base64url, decoding drops what it does not understand.
 */
export const derive = (secret: string, label: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${label}\u0001`).digest();
