import { type Call, type State, stateOf, versionOf } from './history.js';

/** What the call makes of the state, or undefined if it cannot have taken effect there with this outcome. */
function effectOf({ work, ended }: Call, state: State): State | undefined {
  const isUnknown = ended === undefined;
  switch (work.name) {
    case 'create':
      if (state === '') return isUnknown || work.done ? stateOf(1, work.value) : undefined;
      return isUnknown || work.done ? undefined : state;
    case 'replace':
      if (versionOf(state) === work.version) {
        return isUnknown || work.done ? stateOf(work.version + 1, work.value) : undefined;
      }
      return isUnknown || work.done ? undefined : state;
    case 'delete':
      return isUnknown && state === '' ? undefined : '';
    case 'read':
      return !isUnknown && state === work.found ? state : undefined;
    case 'failover':
      return undefined;
  }
}

interface Point {
  /** A byte for each call: 1 when it has taken effect. */
  readonly passed: Uint8Array;
  readonly state: State;
}

const maxPoints = 300_000;

/**
 * Wing and Gong's search for one key, with Lowe's memory of the points it has been at: is there an order of the calls
 * that fits every outcome, in which no call comes before one that had ended when it began? A key holds nothing first.
 */
export function isLinearizable(history: readonly Call[]): boolean {
  const calls = withUnreadAlike(history).toSorted((a, b) => a.began - b.began);
  const failover = calls.findIndex(({ work }) => work.name === 'failover');
  const been = new Map<string, Uint8Array[]>();
  let count = 0;
  const points: Point[] = [{ passed: new Uint8Array(calls.length), state: '' }];
  for (let point = points.pop(); point !== undefined; point = points.pop()) {
    const { passed, state } = point;
    const next = passWithoutEffect(calls, passed, state);
    if (next === 'all') return true;
    // A call without an outcome need not pass: with fewer of them passed, everything is possible that is with more.
    // But a failover to come brings back what they wrote.
    const counts = passed.map((byte, index) =>
      failover >= 0 && passed[failover] === 0 ? byte : byte && Number(calls[index]?.ended !== undefined),
    );
    const place = `${Buffer.from(counts).toString('latin1')}${state}`;
    const others = been.get(place) ?? [];
    if (others.some((other) => other.every((byte, index) => byte <= (passed[index] ?? 0)))) continue;
    been.set(place, [...others, passed]);
    count += 1;
    if (count > maxPoints) throw new Error(`More than ${maxPoints} points for ${calls[0]?.key}.`);
    // The last is looked at first: what ended first is likely to have been first.
    const endOf = (index: number): number => calls[index]?.ended ?? Number.MAX_VALUE;
    next.sort((a, b) => endOf(b) - endOf(a));
    for (const index of next) {
      const call = calls[index] as Call;
      const after = call.work.name === 'failover' ? heldBy(calls, passed) : [effectOf(call, state)];
      for (const it of after) {
        if (it === undefined) continue;
        const then = passed.slice();
        then[index] = 1;
        points.push({ passed: then, state: it });
      }
    }
  }
  return false;
}

/** Values that no read has seen need not be told apart. */
function withUnreadAlike(history: readonly Call[]): Call[] {
  const read = new Set(
    history.map(({ work }) => (work.name === 'read' ? work.found.replace(/^\d+\./, '') : '')),
  );
  return history.map((call) => {
    const { work } = call;
    return 'value' in work && !read.has(work.value) ? { ...call, work: { ...work, value: '' } } : call;
  });
}

/** True for a read and a refused write, which change nothing wherever they come. */
const onlyLooks = ({ work, ended }: Call): boolean =>
  ended !== undefined && (work.name === 'read' || ('done' in work && !work.done));

/**
 * Passes every call that may come now and only looks: it can only be harder to place later. Returns those that may come next, or `all` if every call with an outcome has passed.
 */
function passWithoutEffect(calls: readonly Call[], passed: Uint8Array, state: State): number[] | 'all' {
  for (;;) {
    let earliestEnd = Infinity;
    for (const [index, { began, ended = Infinity }] of calls.entries()) {
      if (began > earliestEnd) break;
      if (passed[index] === 0 && ended < earliestEnd) earliestEnd = ended;
    }
    if (earliestEnd === Infinity) return 'all';
    const next: number[] = [];
    const alike = new Set<string>();
    let hasPassed = false;
    for (const [index, call] of calls.entries()) {
      if (call.began > earliestEnd) break;
      if (passed[index] === 1) continue;
      if (onlyLooks(call) && effectOf(call, state) === state) {
        passed[index] = 1;
        hasPassed = true;
      } else if (call.ended !== undefined) next.push(index);
      else if (effectOf(call, state) !== undefined && !alike.has(JSON.stringify(call.work))) {
        // Of several without an outcome that do the same, the first may come whenever a later one may.
        alike.add(JSON.stringify(call.work));
        next.push(index);
      }
    }
    if (!hasPassed) return next;
  }
}

/** Everything that the key has held when these calls have passed. Versions tell where each write must have been. */
function heldBy(calls: readonly Call[], passed: Uint8Array): State[] {
  const states = new Set<State>(['']);
  for (const [index, { work, ended }] of calls.entries()) {
    if (passed[index] === 0) continue;
    const isWritten = ended === undefined || ('done' in work && work.done);
    if (work.name === 'create' && isWritten) states.add(stateOf(1, work.value));
    if (work.name === 'replace' && isWritten) states.add(stateOf(work.version + 1, work.value));
  }
  return [...states];
}
