import { createHash } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nightly, seed } from '../../support/seed.js';
import type { Scenario } from './scenario.js';
import { virtualTime } from './virtual-time.js';

const time = virtualTime();
const { play } = await import('./play.js');
const { scenarios } = await import('./scenario.js');

const runs = nightly ? 50_000 : 3_000;
const orders = new Set<string>();
const ended: Record<string, number> = {};
let steps = 0;

afterAll(() => {
  const ends = Object.entries(ended).map(([phase, count]) => `${count} ${phase}`);
  console.log(
    `F37 seed ${seed}: ${orders.size} distinct interleavings, ${steps} steps; ended ${ends.join(', ')}`,
  );
});

async function holds(numRuns: number, values: fc.Arbitrary<Scenario>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(values, async (scenario) => {
      const { trace, broken, phase } = await play(scenario, time);
      orders.add(createHash('sha256').update(trace.join('\n')).digest('base64'));
      ended[phase] = (ended[phase] ?? 0) + 1;
      steps += trace.length;
      expect(broken).toEqual([]);
    }),
    { seed, numRuns },
  );
}

/** Many times what they need: time stands still in here, and nothing that hangs would see it pass. */
const longest = 240_000 + runs * 60;

test(
  'F37 start, callbacks, returns, faults and expiry in any order: the table allows what is seen',
  async () => {
    await holds(runs, scenarios);
    expect(orders.size).toBeGreaterThan(runs * 0.9);
  },
  longest,
);

test(
  'F37 a lease that runs out at any step: who had it writes nothing any more',
  async () => {
    const good = { kind: 'callback', body: 'good' } as const;
    const hooks = { onVerified: [], onError: [] };
    const scenario = ({ choices, ...rest }: Scenario): Scenario => {
      const lost = { kind: 'clock', by: 15_000, after: 10 + ((choices[0] ?? 0) % 12) } as const;
      return {
        ...rest,
        ...hooks,
        choices,
        faults: [],
        deeds: [{ ...good, process: 0 }, { ...good, process: 1 }, lost],
      };
    };
    await holds(Math.ceil(runs / 6), scenarios.map(scenario));
  },
  longest,
);
