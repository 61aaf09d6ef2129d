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
  /** Says once that something of the app's own code has no effect. `what` is of our own words; `detail` is for development. */
  noEffect(what: string, detail?: string): void;
}
