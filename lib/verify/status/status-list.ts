import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { checkFailed, enforce, passed } from '../jose/check-failed.js';

/**
 * A status list, kept inflated, because inflating a list of a million entries costs as much as both signatures of a
 * presentation, or more.
 */
export interface StatusList {
  readonly bits: number;
  readonly bytes: Uint8Array;
}

/** 134 million entries of one bit. */
const maxBytes = 16 * 1024 * 1024;
const inflateAside = promisify(inflate);

/** Inflates a list off the main thread, up to a limit: a kilobyte can hold a megabyte of zeros (T12). */
export async function inflateList(compressed: Uint8Array, bits: number): Promise<StatusList> {
  try {
    const bytes = await inflateAside(compressed, { maxOutputLength: maxBytes });
    passed('T12');
    return { bits, bytes };
  } catch {
    throw checkFailed('T12', `its lst is no ZLIB stream of at most ${maxBytes} bytes.`);
  }
}

/** Returns the status at an index, counted from the least significant bit of the first byte (T13, T14). */
export function readStatus({ bits, bytes }: StatusList, idx: number): number {
  const perByte = 8 / bits;
  const byte = bytes[Math.floor(idx / perByte)];
  enforce('T14', byte !== undefined, "The credential's status is beyond the end of its list.");
  return (byte >> ((idx % perByte) * bits)) & (2 ** bits - 1);
}

const reasons: ReadonlyMap<number, string> = new Map([
  [1, 'The credential was revoked: its status is INVALID.'],
  [2, 'The credential is suspended: its status is SUSPENDED.'],
]);

/** Only 0 (VALID) passes: the meaning of other values is private to the issuer (T15). */
export function refuseStatus(status: number): void {
  enforce('T15', status === 0, () => reasons.get(status) ?? 'The credential has a status other than VALID.');
}
