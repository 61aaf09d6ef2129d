import { beforeAll, describe, expect, test } from '@jest/globals';
import { namesOf } from '../../../lib/flow/secrets.js';
import type { AppProcess } from './app-process.js';
import { faultsOf, killPoints, killRound } from './kill-round.js';
import { deliver, newPerson } from './person.js';
import { killAt } from './stop-at.js';
import { present } from './wallet.js';
import { now } from '../../presentation/issuer.js';
import { onEngines, stageFor } from './engines.js';

const leaseOver = now.getTime() + 40_001;

describe('F33 kill -9', () => {
  onEngines(['node-redis', 'postgres'], (engine) => {
    const stage = stageFor(engine, 3);
    let survivor: AppProcess;

    beforeAll(async () => {
      // It waits as long for the lease of another as its own hooks may take.
      survivor = await stage().begin({ hookTimeout: 50 });
    });

    test.each(killPoints)('F33 in the $route, $when: the other process finishes the flow', async (point) => {
      stage().warmUp(2); // the next one loads meanwhile
      const victim = await stage().begin();
      expect(faultsOf(point, await killRound(point, victim, survivor))).toEqual([]);
    });

    test("F33 confirm 'callback', while onSuccess runs: both hooks run again, with the same receipt", async () => {
      const confirm = 'callback';
      const victim = await stage().begin({ confirm });
      const other = await stage().begin({ confirm, now: leaseOver });
      const person = newPerson();
      const state = await person.start(victim);
      const form = { state, presentation: present(state) };
      await killAt('onSuccess', victim, async () => await deliver(victim, form));
      const reply = await deliver(other, form);
      expect([reply.status, reply.redirectUri]).toEqual([200, 'https://app.example/']);
      const ran = [...(await victim.hooks()), ...(await other.hooks())];
      expect(ran.map(({ hook }) => hook)).toEqual(['onVerified', 'onSuccess', 'onVerified', 'onSuccess']);
      expect(new Set(ran.map(({ receipt }) => receipt)).size).toBe(1);
      expect(await person.statusOf(other, namesOf(state, '/identity').id)).toBe('confirmed');
      await other.end();
    });

    test('F33 after the last write, before the browser heard of its new session: the person starts again', async () => {
      const victim = await stage().begin();
      const person = newPerson();
      const state = await person.start(victim);
      const { redirectUri = '' } = await deliver(victim, { state, presentation: present(state) });
      await killAt('after replace 2', victim, async () => await person.open(victim, redirectUri));
      await survivor.setClock(leaseOver);
      const before = await survivor.hooks();
      const shown = await person.comeBack(survivor, redirectUri);
      expect(shown.status).toBe(403);
      expect(shown.text).toContain('href="/identity/start"');
      expect(await person.kept(survivor)).toBeNull();
      expect(await survivor.hooks()).toEqual(before);
      expect((await victim.hooks()).map(({ hook }) => hook)).toEqual(['onVerified', 'onSuccess']);
      await survivor.setClock(now.getTime());

      const again = await person.start(survivor);
      const reply = await deliver(survivor, { state: again, presentation: present(again) });
      expect((await person.comeBack(survivor, reply.redirectUri ?? '')).status).toBe(303);
      expect(await person.kept(survivor)).toBe('Erika');
    });
  });
});
