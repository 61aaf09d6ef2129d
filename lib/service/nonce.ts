import { hash } from 'node:crypto';

/** Returns the nonce `state-sha256`: the app can compute it, and the wallet, which sees it, never learns the state. */
export function nonceOf(state: string): string {
  return hash('sha256', state, 'base64url');
}
