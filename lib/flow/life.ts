import type { IdentityEvent, Step } from '../ports.js';
import type { FlowStatus } from './record.js';

/** What the person's browser, or the service, is told. */
export type AnswerKind =
  | 'wallet' // 303 to the wallet
  | 'reply' // 200 with a redirect_uri of this flow's own
  | 'error_reply' // 200 with the error page's address
  | 'closed_reply' // 200 with the one address that all closed flows share
  | 'later' // 503 with Retry-After
  | 'released' // 303 into the app
  | 'try_again' // the page that says: the same address works again
  | 'start_again' // the page that says: start where you began
  | 'error_page'; // the page, or JSON, that names the error

interface Row {
  /** What it says of the flow: the status after it, or `same`. */
  readonly to: FlowStatus | 'same' | 'none';
  /** The hook that runs before the answer. */
  readonly hook?: 'onVerified' | 'onSuccess' | 'onError';
  readonly answer: AnswerKind;
  readonly step: Step;
  readonly event?: IdentityEvent['type'];
}

/**
 * A flow's life, whole: each thing that can happen to it, what becomes of it, which hook runs and what is answered.
 * The answers, the events and docs/architecture.md come from here.
 */
export const life = {
  started: { to: 'pending', answer: 'wallet', step: 'start', event: 'flow.started' },
  start_failed: { to: 'none', hook: 'onError', answer: 'error_page', step: 'start', event: 'start.failed' },

  verified: { to: 'verified', hook: 'onVerified', answer: 'reply', step: 'callback', event: 'flow.verified' },
  succeeded: {
    to: 'confirmed',
    hook: 'onSuccess',
    answer: 'reply',
    step: 'callback',
    event: 'flow.confirmed',
  },
  body_refused: {
    to: 'same',
    hook: 'onError',
    answer: 'error_reply',
    step: 'callback',
    event: 'callback.refused',
  },
  body_refused_past_limit: { to: 'same', answer: 'error_reply', step: 'callback', event: 'callback.refused' },
  no_verdict: {
    to: 'same',
    hook: 'onError',
    answer: 'error_reply',
    step: 'callback',
    event: 'callback.refused',
  },
  callback_hook_failed: {
    to: 'same',
    hook: 'onError',
    answer: 'error_reply',
    step: 'callback',
    event: 'hook.failed',
  },
  callback_hook_refused: {
    to: 'failed',
    hook: 'onError',
    answer: 'error_reply',
    step: 'callback',
    event: 'flow.failed',
  },
  body_known: { to: 'same', answer: 'reply', step: 'callback' },
  closed: { to: 'same', answer: 'closed_reply', step: 'callback', event: 'callback.unknown' },
  lease_held: { to: 'same', answer: 'later', step: 'callback' },

  confirmed: {
    to: 'confirmed',
    hook: 'onSuccess',
    answer: 'released',
    step: 'return',
    event: 'flow.confirmed',
  },
  return_repeated: { to: 'same', answer: 'released', step: 'return' },
  return_hook_failed: {
    to: 'same',
    hook: 'onError',
    answer: 'try_again',
    step: 'return',
    event: 'hook.failed',
  },
  return_hook_refused: {
    to: 'failed',
    hook: 'onError',
    answer: 'error_page',
    step: 'return',
    event: 'flow.failed',
  },
  return_lease_held: { to: 'same', answer: 'try_again', step: 'return' },
  return_elsewhere: {
    to: 'failed',
    hook: 'onError',
    answer: 'start_again',
    step: 'return',
    event: 'flow.failed',
  },
  subject_changed: {
    to: 'same',
    hook: 'onError',
    answer: 'start_again',
    step: 'return',
    event: 'return.refused',
  },
  return_unfit: { to: 'same', answer: 'start_again', step: 'return', event: 'return.refused' },
} as const satisfies Record<string, Row>;

/** Something that can happen to a flow. */
export type Occasion = keyof typeof life;
