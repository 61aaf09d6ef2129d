import { type Actor, crashed, type Life, must } from './life.js';
import { ownReturn, refusedByHook } from './life-moves.js';

/** What a request was answered with, as far as the service or the browser can see. */
export type Answer =
  | { readonly kind: 'address'; readonly to: string }
  | { readonly kind: 'error'; readonly code: string }
  /** The browser is to come again by itself. */
  | { readonly kind: 'reload' };

/** The one address that all closed flows share. */
const closed = 'https://app.example/identity/return?error=state_unknown';

/** The code with which each kind of body is refused. */
const codes: Readonly<Record<string, string>> = {
  bad: 'presentation_invalid',
  error: 'declined',
  away: 'keys_unavailable',
};

export function answered(life: Life, by: Actor, answer: Answer): void {
  by.answered = true;
  must(life, by, by.session !== 'new', 'a new session that was neither saved nor thrown away');
  if (answer.kind === 'error' && answer.code === 'store_unavailable') {
    must(life, by, by.storeFailed, 'the store is called away, and was there');
  } else if (answer.kind === 'error' && answer.code === 'busy') judgeBusy(life, by);
  else if (by.task.kind === 'callback') judgeReply(life, by, by.task.body, answer);
  else if (by.task.kind === 'return') judgeArrival(life, by, answer);
}

/** One waits for the lease within its budget, more hear at once that they are to come later. */
function judgeBusy(life: Life, by: Actor): void {
  must(life, by, by.sawLease, 'told to come later, and no lease was there');
  const others = [...by.company].filter((it) => it.process === by.process && it !== life.lease?.by);
  const patience = life.now - by.began >= life.terms.hookTimeout;
  must(life, by, patience || others.length > 0, 'told to come later, and nobody else was waiting');
}

/** Of each process at most one waits for the lease; `kept` are busy with something else. */
export function waits(life: Life, kept: ReadonlySet<Actor>): void {
  const waiting = [...life.actors.values()].filter((it) => !it.answered && !kept.has(it));
  for (const by of waiting) {
    const others = waiting.filter((it) => it !== by && it.process === by.process);
    must(life, by, others.length === 0, 'it waits beside another one');
  }
}

function judgeReply(life: Life, by: Actor, body: string, answer: Answer): void {
  if (answer.kind !== 'address') {
    must(life, by, false, `a callback ended in ${answer.kind === 'reload' ? answer.kind : answer.code}`);
    return;
  }
  const { to } = answer;
  const error = new URL(to).searchParams.get('error');
  const remembered = life.remembered.has(body);
  if (to === closed) {
    // What was read while the flow was pending is judged by the deadline that stood there.
    const late = by.saw.has('pending') && life.now >= life.firstDeadline;
    const gone = late || by.saw.has('over') || by.saw.has('none') || by.saw.has('failed');
    const done = by.saw.has('verified') || by.saw.has('confirmed');
    const other = life.accepted !== body && !by.known;
    must(
      life,
      by,
      gone || (done && other),
      'the reply of a closed flow for one that is not closed to this body',
    );
    return;
  }
  const own = error === null && !to.endsWith('/by-error');
  if (own) {
    must(life, by, life.accepted === body, 'a reply that belongs to another body');
    const there = by.saw.has('verified') || by.saw.has('confirmed') || by.saw.has('failed');
    must(life, by, there, 'a reply of a flow that was over');
  } else {
    must(life, by, mayFail(life, by, body, error), `the error page ${error} for nothing`);
    must(life, by, isKept(life, by, body), `the error page ${error}, and nothing was written`);
  }
  if (!own && (!remembered || by.verdict === 'none')) return;
  // onError may ask for another page; who was there before it had answered gets the page of the closed list.
  const first = life.remembered.get(body);
  if (!own && error !== null && first !== undefined && by.company.has(first)) return;
  must(life, by, (life.replies.get(body) ?? to) === to, `another reply to the same body: ${to}`);
  life.replies.set(body, to);
}

function mayFail(life: Life, by: Actor, body: string, error: string | null): boolean {
  const { hookTimeout } = life.terms;
  const ends = life.runs.filter((run) => run.by === by).map((run) => run.end);
  const late = by.judgedFrom !== undefined && life.now - by.judgedFrom >= hookTimeout;
  const [kind = ''] = body.split(' ');
  const remembered = life.remembered.get(body);
  const why = new Set<string | undefined>();
  if (by.verdict === 'refused' || (by.verdict === 'none' && kind === 'away')) why.add(codes[kind]);
  if (late) why.add('verify_timeout');
  if (ends.includes('throws')) why.add('hook_failed');
  if (ends.includes('late')) why.add('hook_timeout');
  if (remembered !== undefined) why.add(refusedByHook(life, remembered) ? 'refused' : codes[kind]);
  return error === null ? why.size > 0 : why.has(error);
}

/** A refusal ends the flow, and a bad body is remembered, unless there are five; what was lost or overtaken apart. */
function isKept(life: Life, by: Actor, body: string): boolean {
  if (crashed(by) || by.overtaken || life.now >= life.firstDeadline) return true;
  if (refusedByHook(life, by)) return by.moved === 'pending > failed';
  return by.verdict !== 'refused' || life.remembered.has(body) || life.remembered.size >= 5;
}

function judgeArrival(life: Life, by: Actor, answer: Answer): void {
  if (answer.kind === 'reload') {
    const left = by.saw.has('confirmed') && !by.served;
    must(life, by, left || by.unsaved === 'session_left', 'sent on its way again for nothing');
    return;
  }
  const ends = life.runs.filter((run) => run.by === by).map((run) => run.end);
  const may: Record<string, boolean> = {
    hook_failed: ends.includes('throws') || by.unsaved === 'fails',
    subject_changed: by.unsaved === 'subject_changed',
    session_save_failed: by.unsaved === 'return_abandoned',
    hook_timeout: ends.includes('late'),
    refused: ends.includes('refuses') && (by.moved === 'verified > failed' || crashed(by) || by.overtaken),
    return_wrong_browser: by.moved === 'verified > failed' && !ownReturn(by),
    return_code_invalid: closedTo(by),
  };
  const code = answer.kind === 'error' ? answer.code : new URL(answer.to).searchParams.get('error');
  if (code !== null) must(life, by, may[code] ?? false, `a return ended in ${code}`);
  else if (answer.kind === 'address' && answer.to.endsWith('/by-error')) {
    must(life, by, may['refused'] === true, 'a way on that only a refusal has');
  } else {
    // The session that has the result goes where that led, whatever code it brings.
    const isOwner = by.task.kind === 'return' && by.task.owner;
    must(life, by, ownReturn(by) || (isOwner && by.served), 'a way into the app for somebody else');
    must(
      life,
      by,
      life.releases.includes(by) || by.served,
      'a way into the app for a session without the result',
    );
  }
}

/** Whether the code may have been no use; a stranger cannot spoil it while a return is under way, or was cut off. */
function closedTo({ task, saw, sawAnyLease }: Actor): boolean {
  if (task.kind !== 'return' || !task.fits) return true;
  if (!task.owner && (sawAnyLease || saw.has('confirmed'))) return true;
  return saw.has('over') || saw.has('none') || saw.has('failed') || saw.has('pending');
}
