import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AppProcess } from './app-process.js';
import { answeredPoints, faultsOf, killPoints, killRound, allOver } from './kill-round.js';
import { type Person, deliver, newPerson } from './person.js';
import { killAt, killWhenAnswered } from './stop-at.js';
import { present } from './wallet.js';
import { now } from '../../support/verify/issuer.js';
import { onEngines, stageFor } from './engines.js';
import { oneOfEach } from '../../support/engines/engine.js';
import { nightly } from '../../support/seed.js';

describe('F33 kill -9', () => {
  // By day on one engine; bench/crash has all, at night.
  onEngines(nightly ? oneOfEach : oneOfEach.slice(0, 1), (engine) => {
    const stage = stageFor(engine, 3);
    let survivor: AppProcess;

    beforeAll(async () => {
      // It waits as long for the lease or the lock of another as its own hooks may take.
      survivor = await stage().begin({ hookTimeout: 50 });
    });

    test.each(killPoints)('F33 in the $route, $when: the other process finishes the flow', async (point) => {
      stage().warmUp(2); // the next one loads meanwhile
      const victim = await stage().begin();
      expect(faultsOf(point, await killRound(point, victim, survivor))).toEqual([]);
    });

    test("F33 confirm 'callback', while onSuccess runs: it runs again, with the same receipt", async () => {
      const confirm = 'callback';
      const victim = await stage().begin({ confirm });
      const other = await stage().begin({ confirm, now: allOver });
      const person = newPerson();
      const { state, flow } = await person.start(victim);
      const form = { state, presentation: present(state) };
      await killAt('onSuccess', victim, async () => await deliver(victim, form));
      const reply = await deliver(other, form);
      expect([reply.status, reply.redirectUri]).toEqual([200, 'https://app.example/']);
      const ran = [...(await victim.hooks()), ...(await other.hooks())];
      expect(ran.map(({ hook }) => hook)).toEqual(['onSuccess', 'onSuccess']);
      expect(new Set(ran.map(({ receipt }) => receipt)).size).toBe(1);
      expect(await person.statusOf(other, flow)).toBe('confirmed');
      await other.end();
    });

    test.each(answeredPoints)(
      'F65 in the return, $when: the person has it, and the old cookie only what SECURITY.md says',
      async ({ halt, oldLeads }) => {
        const victim = await stage().begin();
        const [person, old] = [newPerson(), newPerson()];
        const { state, flow } = await person.start(victim);
        const { redirectUri = '' } = await deliver(victim, { state, presentation: present(state) });
        for (const [name, value] of person.browser.cookies) old.browser.cookies.set(name, value);
        const before = (await survivor.hooks()).length;
        const answer = await killWhenAnswered(
          halt,
          victim,
          async () => await person.open(victim, redirectUri),
        );
        expect([answer.status, answer.location]).toEqual([303, 'https://app.example/']);

        const has = async (it: Person): Promise<unknown> => await it.kept(survivor);
        expect([await has(person), await has(old)]).toEqual(['Erika', null]);
        await survivor.setClock(allOver);
        const again = await person.comeBack(survivor, redirectUri);
        expect([again.status, again.location]).toEqual([303, 'https://app.example/']);
        expect([await person.statusOf(survivor, flow), (await survivor.hooks()).length]).toEqual([
          'confirmed',
          before,
        ]);
        const late = await old.comeBack(survivor, redirectUri);
        expect([late.status, await has(old)]).toEqual(oldLeads ? [303, 'Erika'] : [403, null]);
        const receipts = [...(await victim.hooks()), ...(await survivor.hooks()).slice(before)];
        expect(new Set(receipts.map(({ receipt }) => receipt)).size).toBe(1);
        await survivor.setClock(now.getTime());
      },
    );
  });
});
