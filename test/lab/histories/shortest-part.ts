import { isLinearizable } from './checker.js';
import type { Call } from './history.js';

/** The calls that contradict one another, and how many more there were. */
export interface Part {
  readonly key: string;
  readonly calls: readonly Call[];
  readonly others: number;
}

/**
 * The shortest part of one key's history that is not linearizable. A call is left out only in ways that could not make
 * a sound history unsound: a read or a refused write goes, a write that took effect is one that may have.
 */
export function shortestPart(history: readonly Call[]): Part {
  let calls = shortestBeginning(history);
  for (const call of calls.toReversed()) {
    const without = calls.flatMap((it) => (it === call ? weakened(it) : [it]));
    if (isUnsound(without)) calls = without;
  }
  const values = calls.flatMap(({ work }) => (work.name === 'read' ? [work.found] : []));
  const isRead = ({ work }: Call): boolean =>
    'value' in work && values.some((found) => found.endsWith(`.${work.value}`));
  const refused = history.filter(
    (call) =>
      isRead(call) &&
      call.ended !== undefined &&
      'done' in call.work &&
      !call.work.done &&
      !calls.includes(call),
  );
  const part = [...calls.filter((call) => call.ended !== undefined || isRead(call)), ...refused];
  part.sort((a, b) => a.began - b.began);
  return { key: history[0]?.key ?? '', calls: part, others: history.length - part.length };
}

function shortestBeginning(history: readonly Call[]): Call[] {
  const ends = history.flatMap(({ ended }) => (ended === undefined ? [] : [ended])).toSorted((a, b) => a - b);
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isUnsound(until(history, ends[middle] ?? 0))) high = middle;
    else low = middle + 1;
  }
  return until(history, ends[low] ?? 0).toSorted((a, b) => a.began - b.began);
}

/** What was known at that time. */
function until(history: readonly Call[], time: number): Call[] {
  return history
    .filter(({ began }) => began <= time)
    .flatMap((call) => ((call.ended ?? 0) > time ? weakened(call) : [call]));
}

function weakened(call: Call): Call[] {
  const { work, ended } = call;
  if (ended === undefined || work.name === 'failover') return [call];
  if (work.name === 'read' || ('done' in work && !work.done)) return [];
  return [{ ...call, ended: undefined }];
}

/** A part that is too hard to judge is not called unsound. */
function isUnsound(calls: readonly Call[]): boolean {
  try {
    return !isLinearizable(calls);
  } catch {
    return false;
  }
}

/** The part as somebody reads it: times in milliseconds since its first call. */
export function printPart({ key, calls, others }: Part): string {
  const first = Math.min(...calls.map(({ began }) => began));
  const time = (at: number | undefined): string =>
    (at === undefined ? '' : ((at - first) / 1e6).toFixed(3)).padStart(10);
  const lines = calls.map(
    (call) => `${time(call.began)}${time(call.ended)}  ${call.actor.padEnd(10)} ${printCall(call)}`,
  );
  return [`${key} (of ${calls.length + others} calls these contradict one another):`, ...lines].join('\n');
}

function printCall({ work, ended }: Call): string {
  const answer =
    ended === undefined ? 'may have been done' : 'done' in work && !work.done ? 'refused' : 'done';
  switch (work.name) {
    case 'create':
      return `create ${work.value}: ${answer}`;
    case 'replace':
      return `replace version ${work.version} by ${work.value}: ${answer}`;
    case 'delete':
      return `delete: ${answer}`;
    case 'read':
      return `read: ${work.found === '' ? 'nothing' : work.found.replace(/^(\d+)\./, 'version $1, ')}`;
    case 'failover':
      return 'failover';
  }
}
