import type { AnswerKind, Transition } from './transition.js';

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
    when: 'the service refuses the start, or a store does',
    step: 'start',
    to: 'none',
    hook: 'onError',
    answer: 'error_page',
    event: 'start.failed',
  },
  start_impossible: {
    when: 'a start fails before there is a flow: its origin is unknown, there is no session, or a function of the app throws',
    step: 'start',
    to: 'none',
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
    when: 'onVerified or a callback onSuccess throws, takes too long or returns what it may not; the same body runs it again',
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
  state_malformed: {
    when: 'a callback whose state this kit cannot have made: a scanner, or pidgate doctor',
    step: 'callback',
    answer: 'problem',
  },
  body_consumed: {
    when: 'the app read the body before the kit, and nothing of it is left',
    step: 'callback',
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
  close_failed: {
    when: 'the flow store fails at the last write, after the answer: the browser has what was kept',
    step: 'return',
    answer: 'released',
    event: 'return.refused',
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
    when: 'a store is unreachable at the return, or a function of the app throws',
    step: 'return',
    hook: 'onError',
    answer: 'try_again',
    event: 'return.refused',
  },
  return_unavailable: {
    when: 'a store is unreachable at the return, and the session does not own the flow',
    step: 'return',
    answer: 'try_again',
    event: 'return.refused',
  },
  session_left: {
    when: 'the session has ended or has been replaced, and the browser may have the new one by now; after two hops the page "start again"',
    step: 'return',
    answer: 'hop',
  },
  return_abandoned: {
    when: 'the browser closed the connection, or the answer could not tell it of its new session; nothing is kept',
    step: 'return',
    answer: 'try_again',
    event: 'return.refused',
  },
  return_lease_held: {
    when: 'another return holds the lease, or the session is claimed for another flow',
    step: 'return',
    answer: 'try_again',
  },
  return_wrong_browser: {
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
