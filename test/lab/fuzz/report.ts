import type { Orders, Tally } from './barrage.js';
import { closed, hangs } from './shot.js';
import type { Target } from './target.js';

const list = <Key>(counts: ReadonlyMap<Key, number>, name: (key: Key) => string): string =>
  [...counts]
    .toSorted((a, b) => (name(a[0]) < name(b[0]) ? -1 : 1))
    .map(([key, count]) => `${name(key)} × ${count}`)
    .join(', ');

const names = new Map([
  [closed, 'closed'],
  [hangs, 'hangs'],
]);
const status = (code: number): string => names.get(code) ?? String(code);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;

/** The figures: what was sent, what came back, what it cost. */
export function figures({ seed, count }: Orders, tally: Tally, { events }: Target): string {
  const { statuses, kinds, slow, wrong, heap, ms } = tally;
  const [half, end] = heap;
  const slowly = [...slow.values()].reduce((sum, some) => sum + some, 0);
  const rate = Math.round((count / ms) * 1000);
  const rows = [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `Fuzz seed ${seed}: ${count} requests in ${(ms / 1000).toFixed(1)} s, ${rate} a second`,
    `not as they should be: ${wrong.length}`,
    `replies: ${list(statuses, status)}`,
    `slow or broken off: ${slowly} (${list(slow, String)})`,
    `heap after collection: ${megabytes(half)} at half, ${megabytes(end)} at the end`,
    `events: ${list(events, String)}`,
    'by kind:',
    ...rows.map(([kind, counts]) => `  ${kind}: ${list(counts, status)}`),
  ].join('\n');
}
