import { afterAll, expect, test } from '@jest/globals';
import { nightly } from '../../support/seed.js';
import type { Deed, Pair } from './play.js';
import { everyOrder } from './steps.js';
import { virtualTime } from './virtual-time.js';

const time = virtualTime();
const { play } = await import('./play.js');

const callback = (body: string, process = 0): Deed => ({ kind: 'callback', body, process });
const back = (isOwner: boolean, process = 0): Deed => ({ kind: 'return', isOwner, process });
const deadline: Deed = { kind: 'deadline' };
const good = callback('good');
const hooks = { onVerified: 'well', onSuccess: 'well', onError: 'well' } as const;
const { onVerified: _none, ...plain } = hooks;
const atOnce = { confirm: 'callback', hooks: plain } as const;
const [owner, stranger] = [back(true), back(false)];

const pairs: readonly (readonly [name: string, deeds: readonly Deed[], more?: Omit<Pair, 'deeds'>])[] = [
  ['the same body twice', [good, good]],
  ['the same body at two processes, with a hook', [good, callback('good', 1)], { hooks }],
  ["the same body twice, confirm 'callback'", [good, good], atOnce],
  ["two good bodies at two processes, confirm 'callback'", [good, callback('good too', 1)], atOnce],
  ['two good bodies, with a hook', [good, callback('good too')], { hooks }],
  ['a good body and a bad one, with hooks', [good, callback('bad')], { hooks }],
  ['a bad body twice', [callback('bad'), callback('bad', 1)], { hooks }],
  ['a hook that refuses, and the same body', [good, good], { hooks: { ...hooks, onVerified: 'refuses' } }],
  ['a hook that fails, and the same body', [good, good], { hooks: { ...hooks, onVerified: 'throws' } }],
  ['a good body and the deadline', [good, deadline], { hooks }],
  ['the owner twice', [good, owner, owner]],
  ['the owner twice at two processes, with a hook', [good, owner, back(true, 1)], { hooks }],
  ['the owner and a stranger', [good, owner, stranger], { hooks }],
  [
    'the owner and the deadline, and a session that has ended',
    ...([[good, owner, deadline], { hooks: { onSuccess: 'well' }, unkept: 'session_left' }] as const),
  ],
  [
    'the owner and a stranger, and a session that cannot be saved',
    ...([[good, owner, stranger], { hooks: { onSuccess: 'well' }, unkept: 'fails' }] as const),
  ],
  [
    'the owner twice, and the first answer is lost',
    ...([[good, owner, owner], { hooks: { onSuccess: 'well' }, unkept: 'answer lost' }] as const),
  ],
  ['a stranger twice', [good, stranger, back(false, 1)], { hooks }],
  ['the owner and the deadline', [good, owner, deadline], { hooks }],
];

/** Each pair is all of its orders, so by day every second one is. */
const played = pairs.filter((_, at) => nightly || at % 2 === 0);

const counts: number[] = [];
afterAll(() => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  console.log(
    `F37 pairs: ${all} interleavings, all that there are of ${counts.length} pairs: ${counts.join(' ')}`,
  );
});

test.each(played)(
  'F37 every order of %s: the table allows what is seen',
  async (_name, deeds, more = {}) => {
    const orders = new Set<string>();
    await everyOrder(async (choose) => {
      const { trace, broken } = await play({ ...more, deeds }, time, choose);
      expect([broken, trace]).toEqual([[], trace]);
      orders.add(trace.join('\n'));
    });
    counts.push(orders.size);
  },
  600_000, // time stands still in here: nothing that hangs would see it pass
);
