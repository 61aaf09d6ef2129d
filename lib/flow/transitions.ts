import type { IdentityEvent, Step } from '../contracts/events.js';
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

/**
 * A flow's life, whole. The types of the answers, the statuses that are written, who is told and
 * docs/architecture.md all come from here.
 */
export const transitions = {
  started: {
    when: 'the service accepts the start',
    step: 'start',
    to: 'pending',
    answer: 'wallet',
    event: 'flow.started',
  },
  start_failed: {
    when: 'the service refuses the start, or the start fails in the app',
    step: 'start',
    to: 'none',
    hook: 'onError',
    answer: 'error_page',
    event: 'start.failed',
  },
  verified: {
    when: "a valid presentation (confirm 'return')",
    step: 'callback',
    to: 'verified',
    hook: 'onVerified',
    answer: 'reply',
    event: 'flow.verified',
  },
  succeeded: {
    when: "a valid presentation (confirm 'callback', after onVerified)",
    step: 'callback',
    to: 'confirmed',
    hook: 'onSuccess',
    answer: 'reply',
    event: 'flow.confirmed',
  },
  body_refused: {
    when: 'an error callback or an invalid presentation: the first five are remembered',
    step: 'callback',
    hook: 'onError',
    answer: 'error_reply',
    event: 'callback.refused',
  },
  body_refused_past_limit: {
    when: 'a sixth or later bad body, which is not remembered',
    step: 'callback',
    answer: 'error_reply',
    event: 'callback.refused',
  },
  no_verdict: {
    when: 'keys or status list are unreachable, or the verification takes too long; nothing is remembered',
    step: 'callback',
    hook: 'onError',
    answer: 'error_reply',
    event: 'callback.refused',
  },
  callback_hook_failed: {
    when: 'onVerified or a callback onSuccess throws or takes too long; the same body runs it again',
    step: 'callback',
    hook: 'onError',
    answer: 'error_reply',
    event: 'hook.failed',
  },
  callback_hook_refused: {
    when: 'onVerified or a callback onSuccess refuses',
    step: 'callback',
    to: 'failed',
    hook: 'onError',
    answer: 'error_reply',
    event: 'flow.failed',
  },
  body_known: { when: 'a body that was answered before', step: 'callback', answer: 'reply' },
  closed: {
    when: 'any other body for a flow that is verified, confirmed, failed, unknown or expired',
    step: 'callback',
    answer: 'closed_reply',
    event: 'callback.unknown',
  },
  lease_held: { when: 'another delivery holds the lease', step: 'callback', answer: 'later' },
  callback_unavailable: {
    when: 'the store is down, or too many presentations are being verified at once',
    step: 'callback',
    answer: 'later',
    event: 'callback.refused',
  },
  callback_malformed: {
    when: 'a callback that does not follow the interface',
    step: 'callback',
    answer: 'problem',
    event: 'callback.refused',
  },
  body_consumed: {
    when: 'the app read the body before the kit, and nothing of it is left',
    step: 'callback',
    hook: 'onError',
    answer: 'problem',
    event: 'callback.refused',
  },
  confirmed: {
    when: 'the session owns the flow and the code is right',
    step: 'return',
    to: 'confirmed',
    hook: 'onSuccess',
    answer: 'released',
    event: 'flow.confirmed',
  },
  return_repeated: { when: 'the same return again', step: 'return', answer: 'released' },
  return_hook_failed: {
    when: 'onSuccess or keep throws, takes too long or ends the session, or the session cannot be saved; nothing is kept',
    step: 'return',
    hook: 'onError',
    answer: 'try_again',
    event: 'hook.failed',
  },
  return_hook_refused: {
    when: 'onSuccess refuses',
    step: 'return',
    to: 'failed',
    hook: 'onError',
    answer: 'error_page',
    event: 'flow.failed',
  },
  return_interrupted: {
    when: 'the store is unreachable at the return, or a function of the app throws',
    step: 'return',
    hook: 'onError',
    answer: 'try_again',
    event: 'return.refused',
  },
  session_left: {
    when: 'the session has ended or has been replaced, and the browser may have the new one by now; after two hops the page "start again"',
    step: 'return',
    answer: 'hop',
  },
  return_abandoned: {
    when: 'the browser closed the connection while onSuccess ran; nothing is kept',
    step: 'return',
    answer: 'try_again',
    event: 'return.refused',
  },
  return_lease_held: { when: 'another return holds the lease', step: 'return', answer: 'try_again' },
  return_elsewhere: {
    when: 'the code is right, but the session does not own the flow',
    step: 'return',
    to: 'failed',
    hook: 'onError',
    answer: 'start_again',
    event: 'flow.failed',
  },
  subject_changed: {
    when: 'another person is logged in than at the start',
    step: 'return',
    hook: 'onError',
    answer: 'start_again',
    event: 'return.refused',
  },
  return_unfit: {
    when: 'the code belongs to no flow',
    step: 'return',
    answer: 'start_again',
    event: 'return.refused',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The transitions that are answered in one of these ways. */
export type AnsweredBy<Kind extends AnswerKind> = {
  [Name in TransitionName]: (typeof transitions)[Name]['answer'] extends Kind ? Name : never;
}[TransitionName];
