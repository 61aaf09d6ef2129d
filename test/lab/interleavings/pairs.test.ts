import { afterAll, expect, test } from '@jest/globals';
import type { Deed, Scenario } from './scenario.js';
import { virtualTime } from './virtual-time.js';

const time = virtualTime();
const { play } = await import('./play.js');
const { everyOrder } = await import('./every-order.js');

const callback = (body: string, process = 0): Deed => ({ kind: 'callback', body, process });
const back = (owner: boolean, process = 0): Deed => ({ kind: 'return', owner, fits: true, process });
const expiry: Deed = { kind: 'clock', by: 'to the deadline', after: 0 };
const hooks = { onVerified: [], onSuccess: [], onError: [] };
const good = callback('good');

const pairs: readonly (readonly [name: string, deeds: readonly Deed[], more?: Partial<Scenario>])[] = [
  ['the same body twice', [good, good]],
  ['the same body at two processes, with a hook', [good, callback('good', 1)], hooks],
  [
    "the same body twice, confirm 'callback'",
    [good, good],
    { ...hooks, onVerified: undefined, form: 'callback' },
  ],
  ['two good bodies, with a hook', [good, callback('good too')], hooks],
  ['a good body and a bad one, with hooks', [good, callback('bad 1')], hooks],
  ['a bad body twice', [callback('bad 1'), callback('bad 1', 1)], hooks],
  ['a hook that refuses, and the same body', [good, good], { ...hooks, onVerified: ['refuses'] }],
  ['a hook that fails, and the same body', [good, good], { ...hooks, onVerified: ['throws'] }],
  ['a good body and the deadline', [good, expiry], hooks],
  ['the owner twice', [good, back(true), back(true)]],
  ['the owner twice at two processes, with a hook', [good, back(true), back(true, 1)], hooks],
  ['the owner and a stranger', [good, back(true), back(false)], hooks],
  [
    'the owner and the deadline, and a session that has ended',
    [good, back(true), expiry],
    { onSuccess: [], saves: ['session_left'] },
  ],
  [
    'the owner and a stranger, and a session that cannot be saved',
    [good, back(true), back(false)],
    { onSuccess: [], saves: ['fails'] },
  ],
  [
    'the owner twice, and the first answer is lost',
    [good, back(true), back(true)],
    { onSuccess: [], lostAnswers: [true] },
  ],
  ['a stranger twice', [good, back(false), back(false, 1)], hooks],
  ['the owner and the deadline', [good, back(true), expiry], hooks],
];

const counts: number[] = [];
afterAll(() => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  console.log(
    `F37 pairs: ${all} interleavings, all that there are of ${counts.length} pairs: ${counts.join(' ')}`,
  );
});

test.each(pairs)(
  'F37 every order of %s',
  async (_name, deeds, more = {}) => {
    const scenario: Scenario = {
      form: 'return',
      onVerified: undefined,
      onSuccess: undefined,
      onError: undefined,
      saves: [],
      lostAnswers: [],
      twoSteps: false,
      early: false,
      storeIsLate: 0,
      serviceTakes: true,
      faults: [],
      deeds,
      choices: [],
      eager: false,
      still: undefined,
      ...more,
    };
    const orders = new Set<string>();
    await everyOrder(async (choose) => {
      const { trace, broken } = await play(scenario, time, choose);
      expect([broken, trace]).toEqual([[], trace]);
      orders.add(trace.join('\n'));
    });
    counts.push(orders.size);
  },
  600_000,
);
