/**
 * A flow's life as docs/architecture.md tells it ("A flow's life"), without a line of lib: what the interleavings are
 * judged against. It is told what is seen from outside, and notes each thing that the table does not allow.
 */
export type Phase = 'none' | 'pending' | 'verified' | 'confirmed' | 'failed';

export type Task =
  | { readonly kind: 'start' }
  | { readonly kind: 'callback'; readonly body: string }
  | { readonly kind: 'return'; readonly owner: boolean; readonly fits: boolean };

/** What the app has chosen. */
export interface Terms {
  readonly form: 'return' | 'callback';
  readonly onVerified: boolean;
  readonly onSuccess: boolean;
  readonly onError: boolean;
  readonly hookTimeout: number;
  readonly flowTtl: number;
}

/** One request under way, and what it can have met so far. */
export interface Actor {
  readonly name: string;
  readonly task: Task;
  readonly process: number;
  readonly began: number;
  /** The phases since it began; `over` where the deadline had passed. */
  readonly saw: Set<Phase | 'over'>;
  /** Requests that were worked at meanwhile, here or in the other process. */
  readonly company: Set<Actor>;
  /** Its body was remembered before it began. */
  readonly known: boolean;
  /** The session had the result before it began. */
  readonly served: boolean;
  sawLease: boolean;
  /** It met a lease, be it one that has run out: whoever held it may have been cut off. */
  sawAnyLease: boolean;
  judgedFrom?: number;
  verdict?: 'valid' | 'refused' | 'none';
  storeFailed: boolean;
  /** Which session its request has: a new one from before the hook on, until that is saved or thrown away. */
  session: 'old' | 'new' | 'saved';
  /** Why what its hook did was not kept. */
  unsaved?: 'fails' | 'session_left' | 'subject_changed' | 'return_abandoned';
  lostLease: boolean;
  /** A hook of it was about to run, or ran, when another request ended the flow. */
  overtaken: boolean;
  moved?: string;
  answered: boolean;
}

/** One run of onVerified or onSuccess. */
export interface Run {
  readonly by: Actor;
  readonly hook: 'onVerified' | 'onSuccess';
  readonly began: number;
  end?: 'ok' | 'throws' | 'refuses' | 'late';
}

export interface Lease {
  readonly by: Actor;
  readonly holder: string;
  readonly until: number;
}

export interface Life {
  readonly terms: Terms;
  now: number;
  phase: Phase;
  deadline: number;
  /** The deadline as it was before the way back was granted its time. */
  firstDeadline: number;
  lease: Lease | undefined;
  accepted: string | undefined;
  readonly remembered: Map<string, Actor>;
  readonly told: string[];
  readonly replies: Map<string, string>;
  readonly runs: Run[];
  readonly releases: Actor[];
  readonly actors: Map<string, Actor>;
  readonly broken: string[];
}

export function newLife(terms: Terms, now: number): Life {
  return {
    terms,
    now,
    phase: 'none',
    deadline: 0,
    firstDeadline: 0,
    lease: undefined,
    accepted: undefined,
    remembered: new Map(),
    told: [],
    replies: new Map(),
    runs: [],
    releases: [],
    actors: new Map(),
    broken: [],
  };
}

/** Notes a breach of the table. */
export function must(life: Life, { name }: Actor, holds: boolean, what: string): void {
  if (!holds) life.broken.push(`${name}: ${what}`);
}

export function begins(life: Life, name: string, task: Task, process: number): Actor {
  const known = task.kind === 'callback' && life.remembered.has(task.body);
  const together = [...life.actors.values()].filter((it) => !it.answered);
  const actor: Actor = {
    name,
    task,
    process,
    began: life.now,
    saw: new Set(),
    company: new Set(together),
    known,
    served: life.releases.length > 0,
    sawLease: false,
    sawAnyLease: false,
    storeFailed: false,
    session: 'old',
    lostLease: false,
    overtaken: false,
    answered: false,
  };
  for (const other of together) other.company.add(actor);
  life.actors.set(name, actor);
  seenByAll(life);
  return actor;
}

export function clockMoves(life: Life, now: number): void {
  life.now = now;
  const { lease, runs, terms } = life;
  if (lease !== undefined && lease.until <= now) lease.by.lostLease = true;
  for (const run of runs) if (run.end === undefined && run.began + terms.hookTimeout <= now) run.end = 'late';
  for (const actor of life.actors.values()) {
    if (actor.judgedFrom !== undefined && actor.judgedFrom + terms.hookTimeout <= now)
      actor.verdict ??= 'none';
  }
  seenByAll(life);
}

/** Every request under way can meet what is there now. */
export function seenByAll(life: Life): void {
  const over = life.phase !== 'none' && life.deadline <= life.now;
  for (const actor of life.actors.values()) {
    if (actor.answered) continue;
    actor.saw.add(over ? 'over' : life.phase);
    if (life.lease === undefined || life.lease.by === actor) continue;
    actor.sawAnyLease = true;
    if (leaseStands(life)) actor.sawLease = true;
  }
}

export function leaseStands({ lease, now }: Life): boolean {
  return lease !== undefined && lease.until > now;
}

/** Whether something was lost on the way, so that a hook may have to run again. */
export function crashed({ storeFailed, lostLease }: Actor): boolean {
  return storeFailed || lostLease;
}
