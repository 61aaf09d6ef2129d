import { type Actor, type Life, leaseStands, must, type Phase, seenByAll } from './life.js';

/** What stands in the record after a write. */
export interface Written {
  /** When the write was sent off; the store may have taken its time. */
  readonly sent: number;
  readonly phase: Phase;
  /** Undefined where nothing of the flow is left but its end. */
  readonly deadline: number | undefined;
  readonly remembered: number;
  readonly lease: { readonly holder: string; readonly until: number } | undefined;
  readonly holdsResult: boolean;
}

const wayBack = 2 * 60_000;
const grace = 10_000;
const mostRemembered = 5;

/** The arrows of the table; none is not there. */
const arrows: Readonly<Record<string, (life: Life, by: Actor) => boolean>> = {
  'none > pending': (_, { task }) => task.kind === 'start',
  'pending > verified': (life, by) =>
    life.terms.form === 'return' && accepts(by) && hookDone(life, 'onVerified') && fenced(life, by),
  'pending > confirmed': (life, by) =>
    life.terms.form === 'callback' &&
    accepts(by) &&
    hookDone(life, 'onVerified') &&
    hookDone(life, 'onSuccess') &&
    fenced(life, by),
  'pending > failed': (life, by) => accepts(by) && refusedByHook(life, by) && fenced(life, by),
  'verified > confirmed': (life, by) =>
    ownReturn(by) && hookDone(life, 'onSuccess') && life.releases.length > 0,
  'verified > failed': (life, by) =>
    ownReturn(by) ? refusedByHook(life, by) && fenced(life, by) : strangersReturn(by),
};

/** A write was seen: is it an arrow of the table, in time, by who may, and does it change nothing else? */
export function wrote(life: Life, by: Actor, now: Written): void {
  const arrow = `${life.phase} > ${now.phase}`;
  if (now.phase === 'none') must(life, by, by.task.kind === 'start', 'only a start takes a record away');
  else if (now.phase !== life.phase) {
    must(life, by, arrows[arrow]?.(life, by) ?? false, `the table has no such ${arrow}`);
    by.moved = arrow;
    if (arrow === 'pending > verified' || arrow === 'pending > confirmed') life.accepted = bodyOf(by);
  }
  const end = Math.max(life.deadline, life.lease?.until ?? 0);
  const unjudged = life.phase === 'none' || now.phase === 'none' || strangersReturn(by);
  must(life, by, unjudged || now.sent < end, 'a write after the end');
  must(life, by, now.holdsResult === (now.phase === 'verified'), 'a result lies only in a verified flow');
  if (now.deadline !== undefined) judgeDeadline(life, by, arrow, now.deadline);
  if (now.phase !== 'none' && now.deadline !== undefined) judgeMemory(life, by, now.remembered);
  judgeLease(life, by, now);
  life.phase = now.phase;
  by.saw.add(now.phase);
  seenByAll(life);
}

function judgeDeadline(life: Life, by: Actor, arrow: string, deadline: number): void {
  if (arrow === 'pending > verified') {
    must(
      life,
      by,
      deadline >= Math.max(life.deadline, by.began + wayBack),
      'too little time for the way back',
    );
    must(life, by, deadline <= Math.max(life.deadline, life.now + wayBack), 'too much time for the way back');
  } else if (arrow === 'none > pending') {
    const { flowTtl } = life.terms;
    const right = deadline >= by.began + flowTtl && deadline <= life.now + flowTtl;
    must(life, by, right, 'another deadline than flowTtl');
    life.firstDeadline = deadline;
  } else must(life, by, deadline === life.deadline, 'the deadline was moved');
  life.deadline = deadline;
}

function judgeMemory(life: Life, by: Actor, count: number): void {
  if (count === life.remembered.size) return;
  const body = bodyOf(by);
  const bad = by.verdict === 'refused' && life.phase === 'pending' && life.remembered.size < mostRemembered;
  must(life, by, bad || by.moved === 'pending > failed', 'this body is not one to remember');
  must(life, by, count === life.remembered.size + 1 && !life.remembered.has(body), 'a body remembered twice');
  life.remembered.set(body, by);
}

function judgeLease(life: Life, by: Actor, { lease: now, phase, sent }: Written): void {
  const before = life.lease;
  if (now?.holder === before?.holder) return;
  const free = !leaseStands(life) || before?.by === by;
  if (now === undefined) {
    const may = strangersReturn(by) || by.task.kind === 'start';
    must(life, by, free || may, 'it took the lease of another');
    if (before !== undefined && !free) before.by.overtaken = true;
    life.lease = undefined;
    return;
  }
  must(life, by, free && before?.by !== by, 'two leases at once');
  must(life, by, phase === life.phase && sent < life.deadline, 'no lease on a flow that is over');
  must(life, by, claims(life, by), 'this request has no hook to run');
  const { hookTimeout } = life.terms;
  must(life, by, now.until >= by.began + hookTimeout + grace, 'the lease is too short for a hook');
  must(life, by, now.until <= life.now + 4 * hookTimeout + grace, 'the lease is too long');
  life.lease = { by, ...now };
}

function claims(life: Life, by: Actor): boolean {
  const { form, onVerified, onSuccess } = life.terms;
  if (accepts(by)) return life.phase === 'pending' && (onVerified || (form === 'callback' && onSuccess));
  return ownReturn(by) && life.phase === 'verified';
}

/** Who runs a hook writes under its own lease, and nobody writes under that of another. */
function fenced({ lease, terms }: Life, by: Actor): boolean {
  const hooks =
    terms.onVerified || (terms.onSuccess && terms.form === 'callback') || by.task.kind === 'return';
  return hooks ? lease?.by === by : lease === undefined;
}

function accepts({ task, verdict }: Actor): boolean {
  return task.kind === 'callback' && verdict === 'valid';
}

export function ownReturn({ task }: Actor): boolean {
  return task.kind === 'return' && task.owner && task.fits;
}

function strangersReturn({ task }: Actor): boolean {
  return task.kind === 'return' && !task.owner && task.fits;
}

function hookDone({ terms, runs }: Life, hook: 'onVerified' | 'onSuccess'): boolean {
  return !terms[hook] || runs.some((run) => run.hook === hook && run.end === 'ok');
}

export function refusedByHook({ runs }: Life, by: Actor): boolean {
  return runs.some((run) => run.by === by && run.end === 'refuses');
}

function bodyOf({ task }: Actor): string {
  return task.kind === 'callback' ? task.body : '';
}
