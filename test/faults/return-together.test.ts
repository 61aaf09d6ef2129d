import { describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import fc from 'fast-check';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { deep } from '../support/deep.js';
import { sessionsAround, slowLastWrite, storeAround } from '../support/stores.js';
import { login } from '../support/account.js';
import { appSecret, identityWith, type Identity } from '../support/app.js';
import {
  type CallbackApp,
  type CallbackSetup,
  callbackApps,
  gate,
  turns,
  valid,
} from '../support/callbacks.js';
import { byKit, type Browser } from '../support/browser.js';
import { nightly, seed } from '../support/seed.js';

const openApp = callbackApps();

/** Each call of the flow store and of the session store takes its own time, in turns of the event loop. */
function slowed(delays: readonly number[]): { store: FlowStore; sessions: MemoryStore } {
  let calls = 0;
  const pause = async (): Promise<void> => await turns(delays[calls++ % delays.length] ?? 0);
  const slow = async <T>(_call: string, work: () => Promise<T>): Promise<T> => {
    await pause();
    const answer = await work();
    await pause();
    return answer;
  };
  return { store: storeAround(slow), sessions: sessionsAround(slow) };
}

/** An app with the questions `default` and `age`, and a second factory on the same store. */
async function twoFactories({ store, sessions }: ReturnType<typeof slowed>, setup: CallbackSetup = {}) {
  const shown: { second?: Identity } = {};
  let state = '';
  const service = async (_url: string, { body }: { body: string }): Promise<Response> => {
    ({ state } = JSON.parse(body) as { state: string });
    return await Promise.resolve(Response.json({ success: true, redirect_url: 'https://wallet.example/' }));
  };
  const app = await openApp({
    ...setup,
    session: { store: sessions },
    options: {
      store,
      fetch: service,
      keep: () => 'NAME',
      questions: { age: { reveal: ['birth_date'], keep: () => 'AGE' } },
      ...setup.options,
    },
    before: login(),
    after: (it, identity) => {
      it.get('/shown', (req, res) => {
        const { user } = req.session as unknown as { user?: string };
        const age = identity.of(req, { question: 'age' })?.kept ?? null;
        res.json([user ?? null, identity.of(req)?.kept ?? null, age, shown.second?.of(req)?.kept ?? null]);
      });
    },
  });
  shown.second = identityWith({
    ...app.sandbox.options,
    appUrl: app.url,
    path: '/second',
    secret: appSecret,
    reveal: ['given_name', 'birth_date'],
    issuer: 'xx-test',
    trust: { 'xx-test': async () => valid },
    fetch: service,
    clock: app.clock,
    logger: false,
    store,
    keep: () => 'SECOND',
    onSuccess: setup.hooks?.onSuccess,
  });
  app.app.use('/second', shown.second);
  return {
    app,
    /** Start and callback: the return address. Whom a start shows its page once more presses again. */
    to: async (browser: Browser, which: 'default' | 'age' | 'second'): Promise<string> => {
      const path = which === 'second' ? '/second' : '/identity';
      let pressed = await browser.post(byKit(`${app.url}${path}/start${which === 'age' ? '/age' : ''}`), {});
      const again = /<form method="post" action="([^"]+)"/.exec(pressed.text)?.[1];
      if (again !== undefined) pressed = await browser.post(`${app.url}${again}`, {});
      expect(pressed.location).toBe('https://wallet.example/');
      const form = new URLSearchParams({ state, presentation: 'good' });
      const reply = await fetch(`${app.url}${path}/callback`, { method: 'POST', body: form });
      return ((await reply.json()) as { redirect_uri: string }).redirect_uri;
    },
  };
}

const shownTo = async (app: CallbackApp, browser: Browser): Promise<unknown> =>
  (await browser.get(`${app.url}/shown`)).json();

const delays = fc.array(fc.nat(6), { minLength: 40, maxLength: 40 });

// Of what the kit writes. What a page of the app writes into a session between the kit's look at it and its write is lost
// (SECURITY.md, I5).
describe('F65 of two returns of one session at once none takes what the other keeps', () => {
  deep.test(
    'F65 of one factory, a start beside the first one too, whatever time the stores take',
    async () => {
      await fc.assert(
        fc.asyncProperty(delays, fc.boolean(), async (all, late) => {
          const { app, to } = await twoFactories(slowed(all), {
            hooks: { onSuccess: async () => await turns(3) },
          });
          const browser = app.browser();
          await browser.post(`${app.url}/login`);
          const first = await to(browser, 'default');
          // The second flow has begun before the first return, or begins while that is under way.
          const early = late ? undefined : await to(browser, 'age');
          const returning = browser.visit(first);
          const second = early ?? (await to(browser, 'age'));
          await Promise.all([returning, browser.visit(second)]);
          expect(await shownTo(app, browser)).toEqual(['erika', 'NAME', 'AGE', null]);
          expect(app.ran.filter((name) => name !== 'onSuccess')).toEqual([]);
        }),
        { seed, numRuns: 12 },
      );
    },
  );

  deep.test('F65 of two factories on one store, whatever time the stores take', async () => {
    await fc.assert(
      fc.asyncProperty(delays, async (all) => {
        const { app, to } = await twoFactories(slowed(all), {
          hooks: { onSuccess: async () => await turns(3) },
        });
        const browser = app.browser();
        await browser.post(`${app.url}/login`);
        const [first, second] = [await to(browser, 'default'), await to(browser, 'second')];
        await Promise.all([browser.visit(first), browser.visit(second)]);
        expect(await shownTo(app, browser)).toEqual(['erika', 'NAME', null, 'SECOND']);
      }),
      { seed, numRuns: 12 },
    );
  });

  test('F65 a second flow that begins while the first return writes last: both are kept', async () => {
    const { options, kept, last, goOn } = slowLastWrite();
    const { app, to } = await twoFactories(
      { store: options.store, sessions: new MemoryStore() },
      { options },
    );
    const browser = app.browser();
    const returning = browser.visit(await to(browser, 'default'));
    await last.opened; // the answer is out
    kept.isKept = false;
    const second = await to(browser, 'age');
    const both = Promise.all([returning, browser.visit(second)]);
    goOn.open();
    await both;
    expect(await shownTo(app, browser)).toEqual([null, 'kept', 'AGE', null]);
  });

  test('F65 one that waited for the other runs no hook in the session that the other has ended', async () => {
    const [inside, hook] = [gate(), gate()];
    const runs: string[] = [];
    const onSuccess = async ({ result }: { result: { question: string } }): Promise<void> => {
      runs.push(result.question);
      if (result.question !== 'default') return;
      inside.open();
      await hook.opened;
    };
    let asked = 0;
    const store = storeAround(async (call, work) => {
      const done = await work();
      if (call === 'create' && done === false) asked += 1;
      return done;
    });
    const { app, to } = await twoFactories({ store, sessions: new MemoryStore() }, { hooks: { onSuccess } });
    const browser = app.browser();
    const [first, second] = [await to(browser, 'default'), await to(browser, 'age')];
    const returning = browser.get(first);
    await inside.opened;
    const waiting = browser.get(second);
    while (asked === 0) await turns(1);
    hook.open();
    expect((await returning).status).toBe(303);
    const sentOn = await waiting;
    expect([sentOn.status, sentOn.text.includes('http-equiv="refresh"'), runs]).toEqual([
      200,
      true,
      ['default'],
    ]);
    expect((await browser.visit(second)).url).toBe(`${app.url}/`);
    expect([runs, await shownTo(app, browser)]).toEqual([
      ['default', 'age'],
      [null, 'NAME', 'AGE', null],
    ]);
  });

  test('F65 a store that others have filled stops neither of them', async () => {
    const inner = memoryStore({ max: 2 });
    const { app, to } = await twoFactories({ store: inner, sessions: new MemoryStore() });
    const browser = app.browser();
    const [first, second] = [await to(browser, 'default'), await to(browser, 'age')];
    await expect(inner.create('one more', 'flow', 1_000)).rejects.toMatchObject({ code: 'store_full' });
    const both = await Promise.all([browser.visit(first), browser.visit(second)]);
    expect(both.map(({ url }) => url)).toEqual([`${app.url}/`, `${app.url}/`]);
    expect(await shownTo(app, browser)).toEqual([null, 'NAME', 'AGE', null]);
  });
});

describe('F65 double clicks', () => {
  deep.test(
    'F65 1,000 of them on the address of a return: one hook each, nothing lost, nothing doubled',
    async () => {
      const rounds = nightly ? 3_000 : 1_000;
      let drawn = seed;
      const draw = (): number => (drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648) % 5;
      const slow = async <T>(_call: string, work: () => Promise<T>): Promise<T> => {
        await turns(draw());
        const answer = await work();
        await turns(draw());
        return answer;
      };
      const receipts: string[] = [];
      const onSuccess = async ({ result }: { result: { receipt: { id: string } } }): Promise<void> => {
        receipts.push(result.receipt.id);
        await turns(draw());
      };
      const inner = new MemoryStore();
      const [sessions, store] = [sessionsAround(slow, inner), storeAround(slow)];
      const { app, to } = await twoFactories({ store, sessions }, { hooks: { onSuccess } });
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      const wrong: unknown[] = [];
      for (let round = 0; round < rounds; round += 1) {
        // Another question every third time: what the other one keeps stays.
        const address = await to(browser, round % 3 === 2 ? 'age' : 'default');
        const clicked = await Promise.all([browser.get(address), browser.get(address)]);
        const after = await browser.visit(address);
        const shown = JSON.stringify(await shownTo(app, browser));
        const age = round < 2 ? 'null' : '"AGE"';
        const isGood =
          clicked.every(({ status }) => status === 303 || status === 200) &&
          clicked.some(({ status }) => status === 303) &&
          after.url === `${app.url}/` &&
          shown === `["erika","NAME",${age},null]` &&
          Object.keys(inner['sessions' as never]).length === 1 &&
          receipts.length === round + 1;
        if (!isGood)
          wrong.push([round, clicked.map(({ status }) => status), after.url, shown, receipts.length]);
      }
      expect(wrong).toEqual([]);
      expect(new Set(receipts).size).toBe(rounds);
    },
  );
});
