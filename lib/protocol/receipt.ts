import { hash } from 'node:crypto';
import { derive } from '../safe/derive.js';

/** The proof that a verification took place. It says nothing about the person. */
export interface Receipt {
  /** The same in every run of a flow's hooks: the idempotency key. */
  readonly id: string;
  readonly presentationSha256: string;
}

export function receiptFor(state: string, presentation: string): Receipt {
  return { id: receiptId(state), presentationSha256: hash('sha256', presentation, 'base64url') };
}

/** Derived from the state under a label of its own, so that it reveals neither the state nor the record. */
export function receiptId(state: string): string {
  return derive(state, 'pidgate/1 receipt').subarray(0, 16).toString('base64url');
}
