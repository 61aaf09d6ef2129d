import type { IdentityEvent, Step } from '../types/events.js';
import type { FlowStatus } from './record.js';

/** What the person's browser, or the service, is told. */
export type AnswerKind =
  | 'wallet' // 303 to the wallet
  | 'reply' // 200 with a redirect_uri of this flow's own
  | 'error_reply' // 200 with the error page's address
  | 'closed_reply' // 200 with the one address that all closed flows share
  | 'later' // 503 with Retry-After
  | 'problem' // the error's own status, as JSON
  | 'released' // 303 into the app
  | 'try_again' // the page that says: the same address works again
  | 'start_again' // the page that says: start where you began
  | 'hop' // a page that goes on to the same address by itself, once or twice, without a session
  | 'error_page'; // the page, or JSON, that names the error

/** One thing that can happen to a flow, and all that follows from it. */
export interface Transition {
  /** What happens, in the words of docs/architecture.md. */
  readonly when: string;
  readonly step: Step;
  /** The status after it; absent where it stays, `none` where no record is left. */
  readonly to?: FlowStatus | 'none';
  /** The hook that runs before the answer. */
  readonly hook?: 'onVerified' | 'onSuccess' | 'onError';
  readonly answer: AnswerKind;
  readonly event?: IdentityEvent['type'];
}
