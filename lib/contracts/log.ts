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
  /** Says once what is of no effect, or wrong, in the app. `what` is of our own words; `detail` is for development. */
  once(what: string, detail?: string): void;
}
