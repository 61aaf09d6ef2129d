import { createHash, hkdfSync } from 'node:crypto';

/** What may be kept as the proof that a verification took place: it tells nothing about the person. */
export interface Receipt {
  /** The same over every run of a flow's hooks: the key for idempotent work. */
  readonly id: string;
  readonly presentationSha256: string;
}

/** The id comes from the state by a one-way derivation of its own: it neither tells the state nor the record. */
export function receiptFor(state: string, presentation: string): Receipt {
  const id = Buffer.from(hkdfSync('sha256', state, '', 'pidgate/1 receipt', 16)).toString('base64url');
  return { id, presentationSha256: createHash('sha256').update(presentation).digest('base64url') };
}
