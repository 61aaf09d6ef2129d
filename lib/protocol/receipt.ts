import { createHmac, hash } from 'node:crypto';

/** What may be kept as the proof that a verification took place: it tells nothing about the person. */
export interface Receipt {
  /** The same over every run of a flow's hooks: the key for idempotent work. */
  readonly id: string;
  readonly presentationSha256: string;
}

/**
 * The id comes from the state by a one-way derivation of its own: it neither tells the state nor the record. It is
 * HKDF (RFC 5869) without salt, written out: two HMACs cost half of what hkdfSync costs.
 */
export function receiptFor(state: string, presentation: string): Receipt {
  const extracted = createHmac('sha256', noSalt).update(state).digest();
  const expanded = createHmac('sha256', extracted).update('pidgate/1 receipt\u0001').digest();
  return {
    id: expanded.subarray(0, 16).toString('base64url'),
    presentationSha256: hash('sha256', presentation, 'base64url'),
  };
}

const noSalt = Buffer.alloc(32);
