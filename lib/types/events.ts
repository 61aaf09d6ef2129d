import type { ErrorCode } from '../errors.js';

/** Where in a flow an error was met. */
export type Step = 'start' | 'callback' | 'return';

/** What happened, without a secret or a personal value: for logs and metrics. */
export interface IdentityEvent {
  readonly type:
    | 'flow.started'
    | 'flow.verified'
    | 'flow.confirmed'
    | 'flow.failed'
    | 'start.failed'
    | 'callback.refused'
    | 'callback.unknown'
    | 'return.refused'
    | 'hook.failed';
  readonly at: Date;
  /** The flow's public name, the same as in `/status?flow=`. */
  readonly flow?: string;
  /** The named request, `default` where none was named. */
  readonly request?: string;
  readonly code?: ErrorCode;
  readonly check?: string;
}
