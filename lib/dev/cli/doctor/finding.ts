import type { Facts } from './observe.js';

/** One thing that is wrong. Its sentences hold addresses, names and codes, never a key, a DSN or a secret. */
export interface Finding {
  readonly id: string;
  /** What was seen. */
  readonly observed: string;
  readonly cause: string;
  readonly fix: string;
}

/** Looks for one mistake. */
export type DoctorCheck = (facts: Facts) => Finding | undefined;

/** The interface's JSON of an answer, or nothing. */
export function jsonOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
