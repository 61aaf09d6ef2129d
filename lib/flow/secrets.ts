import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { derive } from '../internal/hkdf.js';

/** 256 random bits, as 43 base64url characters: a state, or the secret half of a code. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** True for what {@link newSecret} can have made: the last character has no spare bits set. */
export function isSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);
}

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
  return {
    id,
    key: derive(state, `pidgate/1 record key ${path}`),
  };
}

/** The key of the stored reply: only who brings the same body again can open it. */
export function replyKey(state: string, bodySha256: string): Buffer {
  return derive(state, `pidgate/1 reply ${bodySha256}`);
}

/** The key of the result: only the browser that brings the code can open it. */
export function resultKey(secret: string): Buffer {
  return derive(secret, 'pidgate/1 result');
}

/**
 * The name under which one session is claimed: it does not tell the session's id. It is the same for all factories on
 * one store, because they write into the same session.
 */
export function claimId(sessionId: string): string {
  return sha256(`pidgate/1 claim ${sessionId}`);
}

export function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}

export function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
