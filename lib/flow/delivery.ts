import type { IdentityError } from '../errors.js';
import type { AnsweredBy } from './transitions.js';

/** How a delivery ended. The table in transitions.ts says what each end is answered with. */
export type Delivery = Replied | Unanswered;

/** The service hears where to send the browser. */
export interface Replied {
  readonly transition: AnsweredBy<'reply' | 'error_reply' | 'closed_reply'>;
  readonly redirectUri: string;
}

/** The service hears of an error, and may come back. */
export interface Unanswered {
  readonly transition: AnsweredBy<'later' | 'problem'>;
  readonly error: IdentityError;
}
