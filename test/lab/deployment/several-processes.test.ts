import { beforeAll, describe, expect, test } from '@jest/globals';
import { namesOf } from '../../../lib/flow/secrets.js';
import type { AppProcess } from './app-process.js';
import { duplicatedFlows, faultsOf } from './duplicates.js';
import { deliver, newPerson } from './person.js';
import { stopAt } from './stop-at.js';
import { present } from './wallet.js';
import { onEngines, stageFor } from './engines.js';
import { engineNames } from '../../support/engines/engine.js';

describe('F32 several processes on one engine', () => {
  onEngines(engineNames, (engine) => {
    const stage = stageFor(engine, 3);
    // One client of Redis has them all here, and both have a thousand in bench/crash.
    const flows = engine.name === 'ioredis' ? 20 : 100;
    let [one, two, three] = [] as unknown as [AppProcess, AppProcess, AppProcess];
    beforeAll(async () => {
      [one, two, three] = await Promise.all([stage().begin(), stage().begin(), stage().begin()]);
    });

    const hooksOf = async (it: AppProcess, from = 0): Promise<string[]> =>
      (await it.hooks()).slice(from).map(({ hook }) => hook);
    const all = async (from: readonly number[] = []): Promise<string[][]> =>
      await Promise.all([one, two, three].map(async (it, index) => await hooksOf(it, from[index])));
    /** How many hooks each of them has run. */
    const until = async (): Promise<number[]> => (await all()).map(({ length }) => length);

    test('F32 start, callback and return on three processes, and all three know the person', async () => {
      const person = newPerson();
      const state = await person.start(one);
      const { status, redirectUri = '' } = await deliver(two, { state, presentation: present(state) });
      expect(status).toBe(200);
      const { status: shown, location } = await person.comeBack(three, redirectUri);
      expect([shown, location]).toEqual([303, 'https://app.example/']);
      expect(await all()).toEqual([[], ['onVerified'], ['onSuccess']]);
      for (const process of [one, two, three]) {
        expect(await person.kept(process)).toBe('Erika');
        expect(await person.statusOf(process, namesOf(state, '/identity').id)).toBe('confirmed');
      }
    });

    test(`F32 callbacks and returns in duplicate at two processes, ${flows} flows: each hook once`, async () => {
      const before = await until();
      const done = await duplicatedFlows(flows, one, two);
      expect(await faultsOf(done, [one, two])).toEqual([]);
      expect(done).toHaveLength(flows);
      // Both had a part of it, or nothing was shown.
      const [atOne, atTwo] = await all(before);
      expect(new Set(atOne)).toEqual(new Set(['onVerified', 'onSuccess']));
      expect(new Set(atTwo)).toEqual(new Set(['onVerified', 'onSuccess']));
    });

    test('F32 a second return, to another process, while the first gives the session a new id', async () => {
      const person = newPerson();
      const state = await person.start(one);
      const flow = namesOf(state, '/identity').id;
      const { redirectUri = '' } = await deliver(one, { state, presentation: present(state) });
      const first = await stopAt('after session set', one, async () => await person.open(one, redirectUri));
      // The browser still has the old cookie, and waits until the first one has ended.
      const second = await stopAt('before read 2', two, async () => await person.comeBack(two, redirectUri));
      await one.goOn();
      expect((await first.answer).status).toBe(303);
      await two.goOn();
      const { status, location } = await second.answer;
      expect([status, location]).toEqual([303, 'https://app.example/']);
      expect(await person.statusOf(two, flow)).toBe('confirmed');
      expect(await person.kept(two)).toBe('Erika');
      const told = [...(await one.events()), ...(await two.events())].filter((it) => it.flow === flow);
      expect(told.map(({ event }) => event).toSorted()).toEqual([
        'flow.confirmed',
        'flow.started',
        'flow.verified',
      ]);
      expect((await person.comeBack(two, redirectUri)).location).toBe('https://app.example/');
    });

    test('F32 each process is killed when its step is done: the next one goes on', async () => {
      const before = await until();
      const person = newPerson();
      const state = await person.start(one);
      await one.kill();
      const { redirectUri = '' } = await deliver(two, { state, presentation: present(state) });
      await two.kill();
      expect((await person.comeBack(three, redirectUri)).status).toBe(303);
      expect(await person.kept(three)).toBe('Erika');
      expect(await all(before)).toEqual([[], ['onVerified'], ['onSuccess']]);
    });
  });
});
