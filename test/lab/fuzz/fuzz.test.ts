import { expect, test } from '@jest/globals';
import { nightly, seed } from '../../support/seed.js';
import { barrage, longest } from './barrage.js';
import { openTarget } from './target.js';

const count = nightly ? 100_000 : 3_000;
const orders = { seed, count, slowEvery: 150, atOnce: 32 };

/** What came back, how often; 0 stands for a connection that was closed, -1 for one that hangs. */
const list = (counts: ReadonlyMap<unknown, number>): string =>
  [...counts].map(([key, times]) => `${String(key)} × ${times}`).join(', ');

/** Bytes that the heap may have grown between half of the requests and all of them. */
const flat = 3_000_000;

test(
  `F16 ${count} generated requests at callback and return: each is answered as it should be, and the flows go on`,
  async () => {
    const target = await openTarget();
    try {
      const tally = await barrage(target, orders);
      const [half, end] = tally.heap;
      console.log(
        [
          `Fuzz seed ${seed}: ${count} requests in ${(tally.ms / 1000).toFixed(1)} s, heap ${half} and ${end} bytes`,
          `replies: ${list(tally.statuses)}; slow or broken off: ${list(tally.slow)}`,
          `events: ${list(target.events)}`,
          ...[...tally.kinds].map(([kind, counts]) => `  ${kind}: ${list(counts)}`),
        ].join('\n'),
      );
      expect(tally.wrong).toEqual([]);
      expect([...tally.statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
      const slow = [...tally.slow.values()].reduce((sum, some) => sum + some, 0);
      expect(slow).toBeGreaterThanOrEqual(count / 200);
      expect(end - half).toBeLessThan(flat);
      const home = [303, `${target.app.url}/`];
      expect(await target.complete()).toEqual([200, home, home]);
    } finally {
      await target.close();
    }
  },
  longest(count) + 60_000,
);
