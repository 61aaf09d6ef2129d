import { type Actor, crashed, type Life, leaseStands, must, type Run } from './life.js';
import { ownReturn } from './life-moves.js';

/** onVerified or onSuccess begins. */
export function hookBegins(life: Life, by: Actor, hook: Run['hook']): Run {
  const { runs, phase, terms } = life;
  const fenced = leaseStands(life) && life.lease?.by === by;
  must(life, by, fenced || by.overtaken, `${hook} without a lease`);
  const running = runs.filter((run) => run.end === undefined && !run.by.lostLease);
  must(life, by, running.length === 0, `${hook} beside another hook`);
  const again = runs.filter(
    (run) => run.hook === hook && run.end === 'ok' && !run.by.unsaved && !crashed(run.by),
  );
  must(life, by, again.length === 0, `${hook} a second time, though nothing was lost`);
  const refused = runs.some((run) => run.end === 'refuses' && !crashed(run.by));
  must(life, by, !refused, `${hook} after a refusal`);
  must(life, by, !by.served, `${hook} for a session that has the result`);
  if (hook === 'onVerified' || terms.form === 'callback') {
    const open = phase === 'pending' || by.overtaken;
    must(life, by, open && by.verdict === 'valid', `${hook} for no valid presentation`);
  } else {
    const open = phase === 'verified' || by.overtaken;
    must(life, by, open && ownReturn(by), `${hook} for nobody who may have the result`);
    must(life, by, by.session === 'new', `${hook} in the session that the browser came with`);
  }
  const run: Run = { by, hook, began: life.now };
  runs.push(run);
  return run;
}

/** What comes after its time counts for nothing. */
export function hookEnds(run: Run, end: NonNullable<Run['end']>): void {
  run.end ??= end;
}

/** onError begins: once for a body that is remembered, else for what this very request has met. */
export function errorTold(life: Life, by: Actor): void {
  const { task, verdict } = by;
  const failed = life.runs.some((run) => run.by === by && run.end !== undefined && run.end !== 'ok');
  if (task.kind === 'start') return;
  if (task.kind === 'return') {
    const unsaved = by.unsaved === 'fails' || by.unsaved === 'subject_changed';
    must(life, by, failed || unsaved || by.moved === 'verified > failed', 'onError for nothing');
  } else if (verdict === 'refused') {
    must(life, by, life.remembered.get(task.body) === by, 'onError for a body that it did not remember');
    must(life, by, !life.told.includes(task.body), 'onError twice for one body');
    life.told.push(task.body);
  } else must(life, by, failed || verdict !== 'valid', 'onError for nothing');
}

/** The request gets a session with a new id, of which nobody else knows. */
export function sessionOpened(life: Life, by: Actor): void {
  const fenced = life.lease?.by === by || by.overtaken;
  must(life, by, by.session === 'old' && fenced, 'a new session without a lease');
  by.session = 'new';
}

/** The request has its old session again. */
export function sessionUndone(life: Life, by: Actor): void {
  must(life, by, by.session === 'new', 'a session thrown away that was not new, or that was saved');
  by.session = 'old';
}

/** The result goes into a session of which the browser does not know yet. */
export function saved(life: Life, by: Actor): void {
  const { phase, releases } = life;
  must(life, by, ownReturn(by), 'a result for a session or a code that does not fit');
  must(life, by, phase === 'verified' || by.overtaken || by.lostLease, `a result out of ${phase}`);
  const again = releases.length > 0 && !by.lostLease && !releases.every(crashed);
  must(life, by, !again && !by.served, 'a second release, though nothing was lost');
  must(life, by, by.session === 'new', 'a result for the session that the browser came with');
  by.session = 'saved';
}

/** The browser has the session with the result. */
export function released(life: Life, by: Actor): void {
  must(life, by, by.session === 'saved', 'an answer before the session was saved');
  life.releases.push(by);
}
