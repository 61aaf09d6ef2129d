import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AppProcess } from './app-process.js';
import { duplicatedFlows, faultsOf } from './duplicates.js';
import { onEngines, stageFor } from './engines.js';
import { engineNames } from '../../support/engines/engine.js';

describe('F32 several processes on one engine', () => {
  onEngines(engineNames, (engine) => {
    const stage = stageFor(engine, 2);
    const flows = 30; // a thousand at night, in bench/crash
    let [one, two] = [] as unknown as [AppProcess, AppProcess];
    beforeAll(async () => {
      [one, two] = await Promise.all([stage().begin(), stage().begin()]);
    });

    test(`F32 callbacks and returns in duplicate at two processes, ${flows} flows: each hook once`, async () => {
      const done = await duplicatedFlows(flows, one, two);
      expect(await faultsOf(done, [one, two])).toEqual([]);
      expect(done).toHaveLength(flows);
      // Both had a part of it, or nothing was shown.
      for (const each of [one, two]) {
        const ran = (await each.hooks()).map(({ hook }) => hook);
        expect(new Set(ran)).toEqual(new Set(['onVerified', 'onSuccess']));
      }
    });
  });
});
