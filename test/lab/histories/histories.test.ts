import { expect, test } from '@jest/globals';
import { nightly, seed } from '../../support/seed.js';
import { partsOf, recordHistories } from './record.js';
import { setUps } from './set-ups.js';
import { printPart } from './shortest-part.js';

/** By day, each client on one server; settings of a client, and several servers, at night. */
const recorded = setUps.filter(({ name }) => nightly || !/ that |sentinel|cluster|standby/.test(name));

/** docs/evidence.md has what these show; `npm run histories` records longer ones. */
test.each(recorded)('$name: every history is linearizable, but for what its fault allows', async (setUp) => {
  for (const { fault, calls, amiss, wrong } of await recordHistories(setUp, { seconds: 3, seed })) {
    expect(partsOf(wrong).map(printPart).join('\n\n')).toBe('');
    expect(calls).toBeGreaterThanOrEqual(2_000);
    expect([fault.name, amiss.length > 0]).toEqual([fault.name, fault.isShown ?? amiss.length > 0]);
  }
});
