import { createHmac } from 'node:crypto';
import { sha256 } from '../internal/sha256.js';

/** The proof that a verification took place. It says nothing about the person. */
export interface Receipt {
  /** The same whenever a hook of this flow runs again: use it as the idempotency key. */
  readonly id: string;
  readonly presentationSha256: string;
  /** The same as the flow's support code, for people who write it down. It is too short to be the key of anything. */
  readonly number: string;
}

export function receiptFor(state: string, presentation: string): Omit<Receipt, 'number'> {
  return { id: receiptId(state), presentationSha256: sha256(presentation) };
}

/**
 * Derived from the state under a label of its own, so that it reveals neither the state nor the record. The state is the
 * message of the HMAC and not its key: a caller's state has any form, and a key that is decoded or padded would be the
 * same for several of them.
 */
export function receiptId(state: string): string {
  return createHmac('sha256', 'pidgate/2 receipt')
    .update(state)
    .digest()
    .subarray(0, 16)
    .toString('base64url');
}

/** Returns the nonce `state-sha256`: the app can compute it, and nobody the state of it. A service's wallet learns only this. */
export const nonceOf = (state: string): string => sha256(state);
