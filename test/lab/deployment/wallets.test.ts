import { beforeAll, describe, expect, test } from '@jest/globals';
import { leaseMs } from '../../../lib/flow/lease.js';
import { oneOfEach } from '../../support/engines/engine.js';
import { nightly } from '../../support/seed.js';
import { now } from '../../support/verify/issuer.js';
import { accessOf, linksOn, type TestAccess } from '../../support/wallets.js';
import type { AppProcess } from './app-process.js';
import { answerTo, fetchRequest, walletTrust } from './asked-wallet.js';
import { onEngines, stageFor } from './engines.js';
import { allOver } from './kill-round.js';
import { deliver, newPerson, type Person, type Reply, walletPage } from './person.js';
import { killAt } from './stop-at.js';

// An app that asks wallets itself, in several processes: nothing about a request stays in one of them, and of what one
// has said before it is killed nothing is lost.

const ways = ['link', 'code'] as const;
type Way = (typeof ways)[number];

/** No lease lasts longer, under the default of limits.hookTimeout: half a minute. */
const leaseOver = now.getTime() + leaseMs(10_000) + 1;
const minute = 60_000;

/** What the page of an accepted answer is. */
const answered = {
  link: { status: 'verified', page: /Your wallet has answered[^]*href="\/identity\/start"/ },
  code: { status: 'over', page: /\/identity\/return\?code=/ },
};

const done = { status: 200, retryAfter: null };
const kept = 'Erika';

describe('wallets and several processes', () => {
  // By day on one engine, as the other rounds of kill -9.
  onEngines(nightly ? oneOfEach : oneOfEach.slice(0, 1), (engine) => {
    const stage = stageFor(engine, 3);
    let access: TestAccess;
    let one: AppProcess;
    let survivor: AppProcess;

    const begin = async (more = {}): Promise<AppProcess> =>
      await stage().begin({ wallets: access.entry, trust: walletTrust, ...more });

    beforeAll(async () => {
      access = await accessOf(now);
      [one, survivor] = await Promise.all([begin(), begin({ hookTimeout: 50 })]);
    });

    /** The flow of somebody, whose every step may be made at another process. */
    async function startAt(target: AppProcess) {
      const person = newPerson();
      const { state, flow } = await person.start(target);
      const open = async (at: AppProcess) => await person.open(at, walletPage(state));
      return {
        person,
        state,
        flow,
        open,
        poll: async (at: AppProcess) => await person.poll(at, state),
        /** The page at a process, and the request that its link or code leads to at another. */
        async asked(way: Way, shownAt: AppProcess, fetchedAt: AppProcess) {
          const { text } = await open(shownAt);
          return await answerTo(await fetchRequest(fetchedAt, linksOn(text)[way]));
        },
        /** Where the person goes on after an accepted answer: as the wallet says, or the page. */
        async onwards(way: Way, reply: Pick<Reply, 'redirectUri'>, at: AppProcess): Promise<string> {
          if (way === 'link') return reply.redirectUri ?? '';
          expect([await person.poll(at, state), reply.redirectUri]).toEqual([{ status: 'over' }, undefined]);
          return (await open(at)).location ?? '';
        },
      };
    }

    /** The person gets in at a process, and all know it. */
    async function getsIn(person: Person, flow: string, address: string, at: AppProcess): Promise<void> {
      expect(address).toMatch(/^https:\/\/app\.example\/identity\/return\?code=/);
      const { status, location } = await person.comeBack(at, address);
      expect([status, location]).toEqual([303, 'https://app.example/']);
      expect([await person.statusOf(survivor, flow), await person.kept(survivor)]).toEqual([
        'confirmed',
        kept,
      ]);
    }

    describe.each(ways)('by the %s', (way) => {
      test.each(['first', 'second'])('F32 each step at another process, the %s one begins', async (which) => {
        const [here, there] = which === 'first' ? [one, survivor] : [survivor, one];
        const [flow, bystander] = [await startAt(here), await startAt(there)];
        const answer = await flow.asked(way, there, here);
        const reply = await deliver(there, answer);
        expect(reply).toMatchObject(done);
        expect([await flow.poll(here), await flow.poll(there)]).toEqual(
          Array(2).fill({ status: answered[way].status }),
        );
        const address = await flow.onwards(way, reply, here);
        expect(await bystander.poll(here)).toEqual({ status: 'pending' });
        await getsIn(flow.person, flow.flow, address, there);
        expect((await bystander.person.comeBack(there, address)).status).toBe(403);
        expect(await bystander.person.kept(here)).toBeNull();
        expect(await deliver(here, answer)).toEqual(reply); // once more, at the other one: known
      });

      test('F33 killed after the start: all the rest goes on at the other', async () => {
        const victim = await begin();
        const flow = await startAt(victim);
        await victim.kill();
        expect(await flow.poll(survivor)).toEqual({ status: 'pending' });
        const reply = await deliver(survivor, await flow.asked(way, survivor, survivor));
        await getsIn(flow.person, flow.flow, await flow.onwards(way, reply, survivor), survivor);
      });

      test('F33 killed after the request was fetched: the answer is taken by the other', async () => {
        const victim = await begin();
        const flow = await startAt(victim);
        const answer = await flow.asked(way, victim, victim);
        await victim.kill();
        expect(await flow.poll(survivor)).toEqual({ status: 'pending' });
        const reply = await deliver(survivor, answer);
        await getsIn(flow.person, flow.flow, await flow.onwards(way, reply, survivor), survivor);
      });

      test('F33 killed while onVerified runs: the same answer is taken once the lease is over', async () => {
        const victim = await begin();
        const flow = await startAt(victim);
        const answer = await flow.asked(way, victim, victim);
        const before = (await survivor.hooks()).length;
        await killAt('onVerified', victim, async () => await deliver(victim, answer));
        expect(await deliver(survivor, answer)).toMatchObject({ status: 503, retryAfter: '1' });
        expect(await flow.poll(survivor)).toEqual({ status: 'pending' });
        expect(linksOn((await flow.open(survivor)).text)[way]).toBeDefined();

        await survivor.setClock(leaseOver);
        const reply = await deliver(survivor, answer);
        expect(reply).toMatchObject(done);
        await getsIn(flow.person, flow.flow, await flow.onwards(way, reply, survivor), survivor);
        await survivor.setClock(now.getTime());
        const ran = [...(await victim.hooks()), ...(await survivor.hooks()).slice(before)];
        expect(ran.map(({ hook }) => hook)).toEqual(['onVerified', 'onVerified', 'onSuccess']);
        expect(new Set(ran.map(({ receipt }) => receipt)).size).toBe(1);
      });

      test('F33 killed while onVerified runs, and the wallet is gone: within a minute Cancel leads to a new start', async () => {
        const victim = await begin();
        const flow = await startAt(victim);
        const answer = await flow.asked(way, victim, victim);
        await killAt('onVerified', victim, async () => await deliver(victim, answer));
        // A hook may still run: nobody may say that it did not.
        expect((await flow.person.cancel(survivor, flow.state)).location).toContain(
          '/identity/wallet?state=',
        );
        expect(await flow.poll(survivor)).toEqual({ status: 'pending' });

        expect(leaseOver - now.getTime()).toBeLessThan(minute);
        await survivor.setClock(leaseOver);
        const { location = '' } = await flow.person.cancel(survivor, flow.state);
        expect(location).toContain('/identity/return?error=declined&flow=');
        expect((await flow.person.open(survivor, location)).text).toContain('href="/identity/start"');
        expect(await flow.poll(survivor)).toEqual({ status: 'over' });
        expect(await deliver(survivor, answer)).toMatchObject({ ...done, redirectUri: undefined });
        await survivor.setClock(now.getTime());
        expect(await flow.person.kept(survivor)).toBeNull();
      });

      test('F33 killed before the reply to an accepted answer was read: the page knows, and the same answer has the same reply', async () => {
        const victim = await begin();
        const flow = await startAt(victim);
        const answer = await flow.asked(way, victim, victim);
        const before = (await survivor.hooks()).length;
        await killAt('after replace 2', victim, async () => await deliver(victim, answer));
        const { text, location = '' } = await flow.open(survivor);
        expect(await flow.poll(survivor)).toEqual({ status: answered[way].status });
        expect(text + location).toMatch(answered[way].page);
        const reply = await deliver(survivor, answer);
        expect(reply).toMatchObject(done);
        await getsIn(flow.person, flow.flow, await flow.onwards(way, reply, survivor), survivor);
        const ran = [...(await victim.hooks()), ...(await survivor.hooks()).slice(before)];
        expect(ran.map(({ hook }) => hook)).toEqual(['onVerified', 'onSuccess']);
      });

      test('F33 killed after the hook of the return: the page leads there, and the person gets in', async () => {
        const victim = await begin();
        const flow = await startAt(victim);
        const reply = await deliver(victim, await flow.asked(way, victim, victim));
        const address = await flow.onwards(way, reply, victim);
        const before = (await survivor.hooks()).length;
        await killAt('keep', victim, async () => await flow.person.open(victim, address));
        const { text, location = '' } = await flow.open(survivor);
        expect(text + location).toMatch(answered[way].page);
        const meanwhile = await flow.person.open(survivor, address);
        expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([503, '1']);

        await survivor.setClock(allOver); // the lock of a return lasts a minute
        await getsIn(flow.person, flow.flow, address, survivor);
        expect(await flow.poll(survivor)).toEqual({ status: 'over' });
        expect((await flow.open(survivor)).location).toBe('https://app.example/');
        await survivor.setClock(now.getTime());
        const ran = [...(await victim.hooks()), ...(await survivor.hooks()).slice(before)];
        expect(ran.map(({ hook }) => hook)).toEqual(['onVerified', 'onSuccess', 'onSuccess']);
        expect(new Set(ran.map(({ receipt }) => receipt)).size).toBe(1);
      });
    });

    test('F33 killed before the start was answered: the next start is as good as the first', async () => {
      const victim = await begin();
      const person = newPerson();
      await killAt('after create 1', victim, async () => await person.start(victim));
      const { state, flow } = await person.start(survivor);
      const { text } = await person.open(survivor, walletPage(state));
      const reply = await deliver(survivor, await answerTo(await fetchRequest(survivor, linksOn(text).link)));
      await getsIn(person, flow, reply.redirectUri ?? '', survivor);
    });

    test("F33 confirm 'callback', killed while onSuccess runs: it runs again, and the page goes on", async () => {
      const confirm = 'callback';
      const victim = await begin({ confirm });
      const other = await begin({ confirm, now: leaseOver });
      const flow = await startAt(victim);
      const answer = await flow.asked('code', victim, victim);
      await killAt('onSuccess', victim, async () => await deliver(victim, answer));
      expect(await deliver(other, answer)).toMatchObject({ ...done, redirectUri: undefined });
      expect((await flow.open(other)).location).toBe('https://app.example/');
      const ran = [...(await victim.hooks()), ...(await other.hooks())];
      expect(ran.map(({ hook }) => hook)).toEqual(['onSuccess', 'onSuccess']);
      expect(new Set(ran.map(({ receipt }) => receipt)).size).toBe(1);
      await other.end();
    });
  });
});
