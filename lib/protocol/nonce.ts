import { hash } from 'node:crypto';

/** The nonce `state-sha256`: the customer can compute it, and the wallet that sees it never learns the state. */
export function nonceOf(state: string): string {
  return hash('sha256', state, 'base64url');
}
