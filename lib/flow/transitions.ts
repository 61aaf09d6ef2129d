import { IdentityError, type KitErrorCode } from '../errors.js';
import type { IdentityEvent, Step } from '../types/events.js';
import type { Doing, FlowStatus } from './record.js';

/** What the person's browser, or the service, is told. */
export type AnswerKind =
  | 'wallet' // 303 to the wallet
  | 'reply' // 200 with a redirect_uri of this flow's own
  | 'error_reply' // 200 with the error page's address
  | 'closed_reply' // 200 with the one address that all closed flows share
  | 'later' // 503 with Retry-After
  | 'problem' // the error's own status, as JSON
  | 'release' // 303 into the app, with the new session's cookie
  | 'redirect' // 303 into the app, or to the page that names the error
  | 'try_again' // the page that says: the same address works again
  | 'start_again' // the page that says: start where you began
  | 'reload' // a page that opens the same address again by itself, once or twice, without a session
  | 'request' // 200 with the signed request for a wallet
  | 'error_page'; // the page, or JSON, that names the error

/** One thing that can happen to a flow in a step, and all that follows from it. */
export interface Transition {
  /** What happens, in the words of docs/architecture.md. */
  readonly when: string;
  /** The status after it; absent where it stays, `none` where no record is left. */
  readonly to?: FlowStatus | 'none';
  /** The answer, where it is another one to a wallet that posts by itself. */
  readonly toWallet?: AnswerKind;
  /** The hook that runs before the answer. */
  readonly hook?: 'onVerified' | 'onSuccess' | 'onError';
  readonly answer: AnswerKind;
  /** Without one nobody hears of it, the operator and `onError` included. */
  readonly event?: IdentityEvent['type'];
  /** The error, where it is always the same. */
  readonly code?: KitErrorCode;
}

/** How a start, a callback or a return ended: a row of the table, with what its answer needs. */
export interface End {
  readonly transition: TransitionName;
  readonly error?: IdentityError;
  /** Where the browser goes, now or by the service's word: an address, or a path of the app. */
  readonly location?: string;
  /** What the person was doing, where the flow is this session's own. */
  readonly own?: Doing;
  /** What the flow asked, where the code fitted in a browser that does not own it. */
  readonly question?: string;
}

/** How many refused bodies of a flow are remembered and told to `onError`. */
export const maxRefusedBodies = 5;

/** A flow's life, whole: who is told, how it is answered and what is written come from here, and docs/architecture.md. */
const steps = {
  start: {
    started: {
      when: 'the service accepts the start',
      to: 'pending',
      answer: 'wallet',
      event: 'flow.started',
    },
    start_failed: {
      when: 'the service or a store refuses the start, `apiKey` fails, or too many starts are in progress',
      to: 'none',
      hook: 'onError',
      answer: 'error_page',
      event: 'start.failed',
    },
    start_impossible: {
      when: 'unknown origin, no session, or `subject`, `context` or `sameDevice` throws',
      to: 'none',
      answer: 'error_page',
      event: 'start.failed',
    },
  },
  callback: {
    verified: {
      when: "a valid presentation (confirm 'return')",
      to: 'verified',
      hook: 'onVerified',
      answer: 'reply',
      event: 'flow.verified',
    },
    confirmed_at_once: {
      when: "a valid presentation (confirm 'callback')",
      to: 'confirmed',
      hook: 'onSuccess',
      answer: 'reply',
      event: 'flow.confirmed',
    },
    body_refused: {
      when: `an error callback or an invalid presentation; the first ${maxRefusedBodies} are stored`,
      hook: 'onError',
      answer: 'error_reply',
      event: 'callback.refused',
    },
    body_refused_past_limit: {
      when: `a bad body after the first ${maxRefusedBodies}, which is not stored`,
      answer: 'error_reply',
      event: 'callback.refused',
    },
    no_verdict: {
      when: 'keys or status list are unreachable, or the verification takes too long; nothing is stored',
      answer: 'error_reply',
      toWallet: 'later',
      event: 'callback.refused',
    },
    callback_hook_failed: {
      when: 'the hook throws, times out or returns something invalid; the same body runs it again',
      hook: 'onError',
      answer: 'error_reply',
      toWallet: 'later',
      event: 'hook.failed',
    },
    callback_hook_refused: {
      when: 'the hook refuses',
      to: 'failed',
      hook: 'onError',
      answer: 'error_reply',
      event: 'flow.failed',
    },
    body_known: { when: 'a body that was answered before', answer: 'reply' },
    closed: {
      when: 'any other body for a flow that is verified, over or unknown',
      answer: 'closed_reply',
      event: 'callback.unknown',
    },
    lease_held: { when: 'another delivery holds the lease', answer: 'later', code: 'busy' },
    callback_unavailable: {
      when: 'the store is down, the stored flow does not open, or too many presentations are being verified',
      answer: 'later',
      event: 'callback.refused',
    },
    callback_malformed: {
      when: 'a callback that does not follow the interface',
      answer: 'problem',
      event: 'callback.refused',
    },
    state_malformed: {
      when: 'the state cannot be one of pidgate: a scanner, or `pidgate doctor`',
      answer: 'problem',
    },
    body_consumed: { when: 'the app consumed the body first', answer: 'problem', event: 'callback.refused' },
    requested: {
      when: 'a wallet fetches the request, in a way that the flow allows; nothing is stored',
      answer: 'request',
      event: 'flow.requested',
    },
    request_unknown: {
      when: 'a wallet fetches that of a flow that is verified, over or unknown, or in a way that it does not allow',
      answer: 'problem',
      code: 'state_unknown',
    },
    request_malformed: {
      when: 'a wallet asks with a nonce or a body that cannot be read',
      answer: 'problem',
    },
    request_unavailable: {
      when: 'the store is down, the certificate that asks is gone, or it cannot be signed',
      answer: 'later',
    },
    cancelled: {
      when: 'the person cancels on the wallet page, and no hook runs',
      to: 'failed',
      hook: 'onError',
      answer: 'redirect',
      event: 'flow.failed',
      code: 'declined',
    },
  },
  return: {
    confirmed: {
      when: 'the session owns the flow and the code is right',
      to: 'confirmed',
      hook: 'onSuccess',
      answer: 'release',
      event: 'flow.confirmed',
    },
    close_failed: {
      when: 'the flow store fails at the last write, after the response: the browser has what was kept',
      answer: 'release',
      event: 'return.refused',
    },
    return_repeated: { when: 'the same return again', answer: 'redirect' },
    return_hook_failed: {
      when: 'onSuccess or keep fails, or the session cannot be saved; nothing is kept',
      hook: 'onError',
      answer: 'try_again',
      event: 'hook.failed',
    },
    return_hook_refused: {
      when: 'onSuccess refuses',
      to: 'failed',
      hook: 'onError',
      answer: 'redirect',
      event: 'flow.failed',
    },
    return_interrupted: {
      when: 'a store is unreachable, or a function of the app throws',
      hook: 'onError',
      answer: 'try_again',
      event: 'return.refused',
    },
    return_unavailable: {
      when: 'the same, and the session is not known to own the flow; or the stored flow does not open',
      answer: 'try_again',
      event: 'return.refused',
    },
    session_left: {
      when: 'the session has ended or was replaced; after two redirect pages "start again"',
      answer: 'reload',
    },
    return_abandoned: {
      when: 'the client disconnected, or the response could not set the new session; nothing is kept',
      answer: 'try_again',
      event: 'return.refused',
      code: 'session_save_failed',
    },
    return_lock_held: {
      when: "another return holds the lock of the session's owner, or this return took too long under it",
      answer: 'try_again',
    },
    return_wrong_browser: {
      when: 'the code is right, but the session does not own the flow',
      to: 'failed',
      hook: 'onError',
      answer: 'start_again',
      event: 'flow.failed',
      code: 'return_wrong_browser',
    },
    subject_changed: {
      when: 'a different person is logged in than at the start',
      answer: 'start_again',
      event: 'return.refused',
      code: 'subject_changed',
    },
    return_unfit: {
      when: 'the code was changed, or its flow is unknown, has expired or has failed',
      answer: 'start_again',
      event: 'return.refused',
      code: 'return_code_invalid',
    },
  },
} as const satisfies Record<Step, Record<string, Transition>>;

/** One row for each thing that can happen, whatever the step. */
export const transitions = { ...steps.start, ...steps.callback, ...steps.return };

export type TransitionName = keyof typeof transitions;

/** The row of a name, with the members that only some rows have. */
export const rowOf = (name: TransitionName): Transition => transitions[name];

export function stepOf(name: TransitionName): Step {
  return name in steps.start ? 'start' : name in steps.callback ? 'callback' : 'return';
}

/** An end with the error of its row, where it has no other. */
export function endOf(transition: TransitionName, more: Omit<End, 'transition'> = {}): End {
  const { code } = rowOf(transition);
  return { transition, ...(code !== undefined && { error: new IdentityError(code) }), ...more };
}

/** Thrown wherever a start or a return stops, with its end: nothing is kept. */
export class Stop extends Error {
  readonly end: End;

  constructor(transition: TransitionName, more?: Omit<End, 'transition'>) {
    super(transition);
    this.end = endOf(transition, more);
  }

  /** A trace of the step is told this. */
  get error(): IdentityError | undefined {
    return this.end.error;
  }
}
