import type { IdentityError } from '../errors.js';

/** Which flow something happened to; absent where it is not known. */
export interface AboutFlow {
  /** The flow's public name. */
  readonly flow?: string;
  readonly request?: string;
}

/** What the operator hears. */
export interface Log {
  /** Writes a fault that the operator can mend, and no other error. */
  fault(error: IdentityError, about?: AboutFlow): void;
  /** A presentation of this request was good: what was wrong with earlier ones is not wrong with all. */
  accepted(request: string): void;
  /** In development, what was last told of this flow. */
  lastOf(flow: string): { readonly code: string; readonly sentence: string } | undefined;
  /** Says once what is of no effect, or wrong, in the app. `what` is of our own words; `detail` is for development. */
  once(what: string, detail?: string): void;
}
