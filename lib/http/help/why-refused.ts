import { queryOf, type Exchange } from '../context.js';
import type { StartAgainTopic } from '../pages/error-page.js';
import { namesSession } from '../session/session.js';

/**
 * Why a return was refused, as far as the visitor's own request tells. Of a flow that its session does not own nobody
 * learns anything: every code that comes there shows the same page.
 */
export type Refusal = keyof typeof refusals;

/** What the person reads, and what was seen, with what it may come from, for the developer and the operator. */
const refusals = {
  incomplete: [
    'broken',
    'a return came without its code: its address was opened by hand, or a firewall, CDN or redirect in front of the ' +
      'app drops or changes the query.',
  ],
  lower_case: [
    'broken',
    'a return came with its address in lower case: something in front of the app rewrites addresses.',
  ],
  no_cookie: [
    'elsewhere',
    'a return brought no session cookie: it is another browser, or the cookie is not sent (localhost mixed with ' +
      '127.0.0.1, a Secure cookie on http, "trust proxy" not set, a CDN that drops Set-Cookie).',
  ],
  other_session: [
    'elsewhere',
    'a return came to a session that has not started this verification: it is another browser.',
  ],
  unknown_session: [
    'session_over',
    'a return brought the cookie of a session that is not stored: the session has ended or got a new id ' +
      '(req.session.regenerate), or several processes have different session secrets, or sessions in memory.',
  ],
  used: [
    'used',
    'this session began the flow, but the code in the address is not its code: the code was changed or cut off, the ' +
      'verification has expired or ended, or it belongs to another factory or process (memoryStore keeps the flows of one, until it ' +
      'restarts).',
  ],
  finished: [
    'used',
    'a return came again to a session that has finished another verification since, and does not know this one any more.',
  ],
  subject_changed: [
    'changed',
    'a return came while somebody else was logged in than at the start, or nobody.',
  ],
} as const satisfies Record<string, readonly [topic: StartAgainTopic, sentence: string]>;

export const codeOf = (refusal: Refusal) => (refusal === 'subject_changed' ? refusal : 'return_code_invalid');

export const topicOf = (refusal: Refusal): StartAgainTopic => refusals[refusal][0];

/** `isOwn`: the session owns the flow, and its code does not fit. `hasFinished`: it has finished another one. */
export function refusalOf({ req }: Exchange, isOwn = false, hasFinished = false): Refusal {
  const code = queryOf(req, 'code');
  if (isOwn) return 'used';
  if (queryOf(req, 'error') === undefined) {
    if (typeof code !== 'string' || !codeForm.test(code)) return 'incomplete';
    if (code === code.toLowerCase()) return 'lower_case';
  }
  if (req.headers.cookie === undefined) return 'no_cookie';
  if (!namesSession(req)) return 'unknown_session';
  return hasFinished ? 'finished' : 'other_session';
}

/** Two names of 43 characters each: 86 random ones have a capital among them. */
const codeForm = /^[\w-]{43}\.[\w-]{43}$/;

/** One line a minute for each kind, and in development the same on the page. */
export async function tellRefusal(exchange: Exchange, refusal: Refusal): Promise<string[]> {
  exchange.kit.log.warn(refusals[refusal][1], codeOf(refusal));
  return await hintsOn(exchange, refusal);
}

export const hintsOn = async ({ kit, req }: Exchange, refusal: Refusal): Promise<string[]> =>
  await kit.help.whyRefused(req, refusals[refusal][1], concernsSession.has(refusal));

const concernsSession: ReadonlySet<Refusal> = new Set(['no_cookie', 'unknown_session', 'other_session']);
