import type { VerificationRequest } from '../service/contract.js';
import type { Json } from '../types/json.js';
import { open, seal } from './secrets.js';
import type { FlowStatus } from './transitions.js';

/** All that is known of one run. It is only ever stored sealed under the key of its state. */
export interface FlowRecord extends VerificationRequest {
  readonly status: FlowStatus;
  readonly request: string;
  /** A digest of what was asked, of whom: what is kept counts for this question only. */
  readonly question: string;
  readonly startedAt: number;
  /** The deadline, judged here and not by the store. */
  readonly expiresAt: number;
  readonly origin: string;
  readonly returnTo?: string;
  /** The name of the reason that the start page showed. */
  readonly reason?: string;
  /** A digest of who was logged in at the start. */
  readonly subject?: string;
  readonly context?: Json;
  /** Who may run a hook and write after it, and until when. */
  readonly lease?: { readonly holder: string; readonly until: number };
  /** The first distinct bodies that were refused, and where each reply sent the browser. */
  readonly refused: readonly { readonly body: string; readonly to: string }[];
  /** Set once the hook before the next transition has run and only the write after it is missing. */
  readonly hookDone?: true;
  readonly redirectTo?: string;
  /** The app's own word, once a hook has refused. */
  readonly refusal?: string;
  /** The reply to the accepted body, sealed under the state and that body. */
  readonly reply?: string;
  /** The result, sealed under the code. */
  readonly result?: string;
  /** Digest of the code's secret; while the flow is verified and no return is under way, also beside the ciphertext. */
  readonly code?: string;
}

/** A stored value, split: `revoked` is what is left of a flow whose code turned up in another session. */
export type StoredValue =
  | { readonly kind: 'revoked' }
  | { readonly kind: 'sealed'; readonly sealCount: number; readonly code: string; readonly sealed: string };

const format = '1';
export const revokedMarker = `${format}.revoked`;

/** Writes the record: `sealCount` counts its sealings and is bound into it, as are the format, the id and the code. */
export function sealRecord(key: Buffer, id: string, sealCount: number, record: FlowRecord): string {
  // A return that is under way may have ended the session by whose cookie the same browser comes to another process.
  const revocable = record.status === 'verified' && record.lease === undefined;
  const code = revocable ? record.code : undefined;
  const head = `${format}.${sealCount}.${code ?? ''}`;
  return `${head}.${seal(key, `${head}.${id}`, JSON.stringify(record))}`;
}

/** Splits a stored value, without a key; undefined where it is not one of ours. */
export function splitValue(value: string): StoredValue | undefined {
  if (value === revokedMarker) return { kind: 'revoked' };
  const [read, sealCount, code, sealed, more] = value.split('.');
  if (read !== format || sealCount === undefined || code === undefined || more !== undefined)
    return undefined;
  return sealed === undefined ? undefined : { kind: 'sealed', sealCount: Number(sealCount), code, sealed };
}

/** Opens the record, or answers undefined where anything about it was changed. */
export function openRecord(
  key: Buffer,
  id: string,
  parts: StoredValue & { kind: 'sealed' },
): FlowRecord | undefined {
  const head = `${format}.${parts.sealCount}.${parts.code}`;
  const text = open(key, `${head}.${id}`, parts.sealed);
  return text === undefined ? undefined : (JSON.parse(text) as FlowRecord);
}
