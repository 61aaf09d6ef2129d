import type { ErrorCode, IdentityError } from '../errors.js';
import type { Way } from './ways.js';

/** Where in a flow an error was met. */
export type Step = 'start' | 'callback' | 'return';

/** The flow that something happened to. A member is absent where it is not known. */
export interface AboutFlow {
  /** The flow's public name, the same as in `/status?flow=`. */
  readonly flow?: string;
  /** What a page tells the person to say for this flow, such as `7F3K-9Q2M`. The log and the receipt have it, too. */
  readonly supportCode?: string;
  /** The name of the question, or `default` if it has none. */
  readonly question?: string;
}

/** What happened, for logs and metrics. It has no secret and no personal value. */
export interface IdentityEvent extends AboutFlow {
  readonly type:
    | 'flow.started'
    | 'flow.requested'
    | 'flow.verified'
    | 'flow.confirmed'
    | 'flow.failed'
    | 'start.failed'
    | 'callback.refused'
    | 'callback.unknown'
    | 'return.refused'
    | 'hook.failed';
  readonly at: Date;
  readonly code?: ErrorCode;
  readonly check?: string;
  /** Of `flow.requested`: by which way the wallet came. */
  readonly way?: Way;
}

/** What the operator hears. */
export interface Log {
  /** Writes a fault that the operator can fix, and no other error. */
  fault(error: IdentityError, about?: AboutFlow): void;
  /** Writes a sentence of ours, at most once a minute, and where its code is explained. */
  warn(sentence: string, code?: string): void;
  /** Says once what is of no effect, or wrong, in the app. `what` is a fixed string of ours; `detail` is for development. */
  once(what: string, detail?: string): void;
}
