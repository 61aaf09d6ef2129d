import { beforeAll, describe, expect, test } from '@jest/globals';
import { namesOf } from '../../../lib/flow/secrets.js';
import type { AppProcess } from './app-process.js';
import { type Person, type Reply, deliver, newPerson } from './person.js';
import { killAt, stopAt } from './stop-at.js';
import { present } from './wallet.js';
import { now } from '../../support/verify/issuer.js';
import { onEngines, stageFor } from './engines.js';
import { oneOfEach } from '../../support/engines/engine.js';

const minute = 60_000;
const noon = now.getTime();
const closed = 'https://app.example/identity/return?error=state_unknown';

describe('F32 clocks that are five minutes apart', () => {
  onEngines(oneOfEach, (engine) => {
    const stage = stageFor(engine, 2);
    let right: AppProcess;
    let wrong: AppProcess;

    beforeAll(async () => {
      const hookTimeout = 10_000;
      [right, wrong] = await Promise.all([
        stage().begin({ hookTimeout: 50 }),
        stage().begin({ hookTimeout }),
      ]);
    });

    async function clocks(atRight: number, atWrong: number): Promise<void> {
      await Promise.all([right.setClock(noon + atRight), wrong.setClock(noon + atWrong)]);
    }
    async function started(at: AppProcess) {
      const person = newPerson();
      const state = await person.start(at);
      const form = { state, presentation: present(state) };
      const flow = namesOf(state, '/identity').id;
      const called = async (target: AppProcess): Promise<Reply> => await deliver(target, form);
      return { person, flow, called };
    }
    const back = async (person: Person, target: AppProcess, { redirectUri = '' }: Reply): Promise<number> =>
      (await person.comeBack(target, redirectUri)).status;

    test.each([-5, 5])(
      'F32 one that is %i minutes off takes part in a flow as the other does',
      async (off) => {
        await clocks(0, off * minute);
        for (const [start, callback, end] of [
          [right, wrong, right],
          [wrong, right, wrong],
        ] as const) {
          const { person, flow, called } = await started(start);
          expect(await back(person, end, await called(callback))).toBe(303);
          expect(await person.statusOf(right, flow)).toBe('confirmed');
          expect(await person.statusOf(wrong, flow)).toBe('confirmed');
        }
      },
    );

    test('F32 a flow is over where the clock says so: five minutes earlier for the one that is ahead', async () => {
      await clocks(0, 5 * minute);
      const { person, flow, called } = await started(right);
      await clocks(5 * minute, 10 * minute);
      expect(await called(wrong)).toMatchObject({ status: 200, redirectUri: closed });
      expect(await person.statusOf(wrong, flow)).toBe('expired');
      expect(await person.statusOf(right, flow)).toBe('pending');
      const reply = await called(right);
      expect(reply.status).toBe(200);
      expect(await back(person, wrong, reply)).toBe(403);
      expect(await back(person, right, reply)).toBe(303);
    });

    test('F32 one that is six minutes behind refuses what the wallet signs now, and that verdict stands', async () => {
      await clocks(0, -6 * minute);
      const { person, flow, called } = await started(right);
      const refused = `https://app.example/identity/return?error=presentation_invalid&flow=${flow}`;
      expect(await called(wrong)).toMatchObject({ status: 200, redirectUri: refused });
      expect(await called(right)).toMatchObject({ status: 200, redirectUri: refused });
      expect(await person.statusOf(right, flow)).toBe('pending');
    });

    test('F32 the lease of one that is behind protects nothing: the hook runs in both, one of them writes', async () => {
      await clocks(0, -5 * minute);
      const { person, flow, called } = await started(right);
      const before = [(await right.hooks()).length, (await wrong.hooks()).length];
      const { answer } = await stopAt('onVerified', wrong, async () => await called(wrong));
      const second = await called(right);
      await wrong.goOn();
      const first = await answer;
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.redirectUri).toBe(second.redirectUri);
      const ran = [(await right.hooks()).slice(before[0]), (await wrong.hooks()).slice(before[1])].flat();
      expect(ran.map(({ hook }) => hook)).toEqual(['onVerified', 'onVerified']);
      expect(new Set(ran.map(({ receipt }) => receipt)).size).toBe(1);
      const told = [...(await right.events()), ...(await wrong.events())].filter((it) => it.flow === flow);
      expect(told.filter(({ event }) => event === 'flow.verified')).toHaveLength(1);
      expect(await back(person, right, second)).toBe(303);
    });

    test('F32 the lease of a dead one that was ahead stands five minutes longer', async () => {
      await clocks(0, 5 * minute);
      const { person, called } = await started(right);
      await killAt('onVerified', wrong, async () => await called(wrong));
      await right.setClock(noon + minute);
      expect(await called(right)).toMatchObject({ status: 503, retryAfter: '1' });
      await right.setClock(noon + 6 * minute);
      const reply = await called(right);
      expect(reply.status).toBe(200);
      expect(await back(person, right, reply)).toBe(303);
    });
  });
});
