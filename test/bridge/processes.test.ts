import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { createApp } from '../../bridge/app.js';
import { createLog } from '../../bridge/log.js';
import { memoryStore } from '../../bridge/kit.js';
import { sha256 } from '../../bridge/seal.js';
import { serverPath, withServer } from '../stores/servers.js';
import { testClock } from '../support/clock.js';
import { type Browser, createBrowser } from '../support/browser.js';
import { gate } from '../support/callbacks.js';
import { closeAfter } from '../support/close-after.js';
import { loadEngine } from '../support/engines/engine.js';
import { type App, endAll } from '../support/run-app.js';
import { serve } from '../support/serve.js';
import { heapOf, runBridge, variablesFor } from './process.js';
import { apiKey, settingsFor, stubs } from './scene.js';

afterEach(endAll);

/** As large as a proof; the bridge judges none. */
const proof = `eyJhbGciOiJFUzI1NiJ9.${'e'.repeat(8_000)}.c2ln~eyJhbGciOiJFUzI1NiJ9.e30.c2ln`;

/** An app that keeps what it has taken, by the state, and notes where it was told something twice at once. */
async function aCustomer(answer: (nth: number) => Promise<number> | number = () => 200) {
  const [taken, under] = [new Map<string, string[]>(), new Set<string>()];
  const noted = { calls: 0, twiceAtOnce: 0 };
  const url = await serve((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const state = new URLSearchParams(body).get('state') ?? '';
      if (under.has(state)) noted.twiceAtOnce += 1;
      under.add(state);
      const status = await answer((noted.calls += 1));
      under.delete(state);
      if (status === 200) taken.set(state, [...(taken.get(state) ?? []), body]);
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ redirect_uri: `http://localhost:1/return?code=${state}` }));
    })();
  });
  return { redirectUrl: `${url}/identity/callback`, taken, noted };
}

/** Gets a cookie for a page, and opens it. */
async function claim(browser: Browser, page: string) {
  await browser.get(page);
  return await browser.get(page);
}

async function prove(bridgeUrl: string, state: string): Promise<string> {
  const reply = await fetch(`${bridgeUrl}/prove`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issuer: 'de-ausweis', revealed: ['given_name'], state }),
  });
  if (reply.status === 500) return await prove(bridgeUrl, state); // a busy machine: the state may be tried again
  return new URL(((await reply.json()) as { redirect_url: string }).redirect_url).pathname;
}

it('a process that dies while it sends the callback: another one sends it when the first must be gone', async () => {
  const [stub, clock, entered, never] = [await stubs.eu(), testClock(), gate(), gate()];
  const customer = await aCustomer(async (nth) => {
    if (nth > 1) return 200;
    entered.open();
    await never.opened;
    return 500;
  });
  const world = {
    store: memoryStore({ clock }),
    secrets: [randomBytes(32).toString('hex')] as [string],
    now: () => clock().getTime(),
    log: createLog({ write: () => {} }),
  };
  const settings = settingsFor(stub, customer.redirectUrl);
  const open = async () => await serve(createApp(settings, { ...world, publicUrl: 'http://localhost' }));
  const [dying, other] = [await open(), await open()];
  const [browser, page] = [createBrowser(), await prove(dying, 'the-state-of-a-flow')];
  await claim(browser, other + page);
  stub.answerAll(proof);
  const died = browser.get(dying + page);
  await entered.opened;
  expect((await browser.get(other + page)).status).toBe(202);
  clock.forward(30_000);
  expect((await browser.get(other + page)).location).toBe(
    'http://localhost:1/return?code=the-state-of-a-flow',
  );
  never.open();
  await died;
  expect((await browser.get(dying + page)).status).toBe(303);
  expect(customer.taken.get('the-state-of-a-flow')).toHaveLength(1);
});

it('F149 an app changes its key with a job open, one process after the other: both know the job', async () => {
  const stub = await stubs.eu();
  const world = {
    publicUrl: 'http://localhost',
    store: memoryStore(),
    secrets: [randomBytes(32).toString('hex')] as [string],
    log: createLog({ write: () => {} }),
  };
  const redirectUrl = 'http://localhost:1/cb';
  const open = async (...keys: string[]) =>
    await serve(createApp(settingsFor(stub, redirectUrl, [{ apiKey: keys, redirectUrl }]), world));
  const [before, after] = [await open(apiKey), await open('the-new-key', apiKey)];
  await prove(before, 'the-state-of-a-flow');
  for (const [url, key] of [
    [before, apiKey],
    [after, apiKey],
    [after, 'the-new-key'],
  ]) {
    const digest = sha256('the-state-of-a-flow');
    const reply = await fetch(`${url}/nonce/${digest}`, { headers: { authorization: `Bearer ${key}` } });
    expect([key, reply.status, await reply.json()]).toEqual([key, 200, { nonce: digest }]);
  }
});

it('F140 SIGTERM lets a callback finish, and ends the built bridge', async () => {
  const [stub, entered, held] = [await stubs.eu(), gate(), gate()];
  const customer = await aCustomer(async () => {
    entered.open();
    await held.opened;
    return 200;
  });
  const bridge = await runBridge(variablesFor(stub, customer.redirectUrl));
  await bridge.says('The bridge is at');
  const [browser, page] = [createBrowser(), await prove(bridge.url, 'the-state-of-a-flow')];
  await claim(browser, bridge.url + page);
  stub.answerAll(proof);
  const led = browser.get(bridge.url + page);
  await entered.opened;
  bridge.signal('SIGTERM');
  await bridge.says('finished');
  await expect(fetch(`${bridge.url}/healthz`)).rejects.toThrow('fetch failed');
  held.open();
  expect((await led).location).toBe('http://localhost:1/return?code=the-state-of-a-flow');
  expect(await bridge.end()).toEqual([0, null]);
  expect(customer.taken.get('the-state-of-a-flow')).toHaveLength(1);
});

withServer('redis')('two processes on Redis', () => {
  let store: string;

  beforeAll(async () => {
    const place = await (await loadEngine('redis')).place(serverPath('redis'));
    closeAfter(async () => await place.close());
    store = place.address;
  });

  const randomSecret = (): string => randomBytes(32).toString('base64');

  async function twoBridges(customer: { readonly redirectUrl: string }) {
    const stub = await stubs.eu();
    const secret = randomSecret();
    const variables = variablesFor(stub, customer.redirectUrl, {
      BRIDGE_STORE: store,
      BRIDGE_SECRET: secret,
    });
    const bridges = [await runBridge(variables), await runBridge(variables)] as const;
    for (const bridge of bridges) await bridge.says('The bridge is at');
    return { stub, bridges };
  }

  it('whose port another program has says so, and ends', async () => {
    const { bridges } = await twoBridges(await aCustomer());
    const taken = new URL(bridges[0].url).port;
    const variables = { BRIDGE_STORE: store, BRIDGE_SECRET: randomSecret(), PORT: taken };
    const third = await runBridge(variablesFor(await stubs.eu(), 'http://localhost:1/cb', variables));
    expect(await third.end()).toEqual([1, null]);
    expect(third.said()).toContain(`PORT: the bridge cannot listen on port ${taken} (EADDRINUSE)`);
  });

  it('killed between wallet and callback: the job goes on at the next reload, in the other process', async () => {
    const customer = await aCustomer();
    const {
      stub,
      bridges: [victim, other],
    } = await twoBridges(customer);
    const [browser, page] = [createBrowser(), await prove(victim.url, 'the-state-of-a-flow')];
    expect((await claim(browser, victim.url + page)).status).toBe(200);
    stub.answerAll(proof);
    await victim.end('SIGKILL');
    expect((await browser.get(other.url + page)).location).toBe(
      'http://localhost:1/return?code=the-state-of-a-flow',
    );
    expect(customer.taken.get('the-state-of-a-flow')).toEqual([
      new URLSearchParams({ presentation: proof, state: 'the-state-of-a-flow' }).toString(),
    ]);
  });

  it('F140 F149 replaced one after the other under load, with a new secret: no job is lost', async () => {
    const [stub, customer] = [await stubs.eu(), await aCustomer()];
    const [old, fresh] = [randomSecret(), randomSecret()];
    const run = async (secrets: string) => {
      const more = { BRIDGE_STORE: store, BRIDGE_SECRET: secrets };
      const bridge = await runBridge(variablesFor(stub, customer.redirectUrl, more));
      await bridge.says('The bridge is at');
      return bridge;
    };
    const alive = [await run(old), await run(old)];
    const people: { browser: Browser; page: string; state: string }[] = [];
    const anyOf = (nth: number): string => alive[nth % alive.length]?.url ?? '';
    const start = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        const [browser, state] = [createBrowser(), `replaced-${people.length}`];
        const page = await prove(anyOf(nth), state);
        await claim(browser, anyOf(nth) + page);
        people.push({ browser, page, state });
      }
    };
    let isLoaded = true;
    const load = (async () => {
      for (let nth = 0; isLoaded; nth += 1) {
        const { browser, page } = people[nth % people.length] ?? { browser: createBrowser(), page: '/' };
        await browser.get(anyOf(nth) + page, { 'bridge-poll': '1' }).catch(() => undefined); // it has just ended
      }
    })();
    await start(10);
    for (const secrets of [`${old},${fresh}`, `${fresh},${old}`]) {
      for (const place of [0, 1]) {
        const [before, after] = [alive[place], await run(secrets)];
        alive[place] = after;
        expect(await before?.end('SIGTERM')).toEqual([0, null]);
        await start(5);
      }
    }
    stub.answerAll(proof);
    await inParallel(
      people.map(({ browser, page, state }, nth) => async () => {
        for (;;) {
          const { location } = await browser.get(anyOf(nth) + page);
          if (location === undefined) continue; // it is being sent
          expect(location).toBe(`http://localhost:1/return?code=${state}`);
          return;
        }
      }),
    );
    isLoaded = false;
    await load;
    expect(customer.taken.size).toBe(30);
    expect(customer.noted.twiceAtOnce).toBe(0);
  });

  it('a thousand jobs at once: each has one callback that counts, none is lost, memory stays flat', async () => {
    const customer = await aCustomer(async (nth) => {
      await new Promise(setImmediate);
      return nth % 10 === 0 ? 503 : 200;
    });
    const { stub, bridges } = await twoBridges(customer);
    await play(200, bridges, stub, 'before');
    const before = await Promise.all(bridges.map(heapOf));
    await play(1_000, bridges, stub, 'flow');
    const after = await Promise.all(bridges.map(heapOf));

    const { taken, noted } = customer;
    expect([taken.size, noted.twiceAtOnce]).toEqual([1_200, 0]);
    // Where a reply came too late for its process, the same body may come again: that one counts for nothing.
    expect([...taken.values()].filter((bodies) => new Set(bodies).size > 1)).toEqual([]);
    const again = [...taken.values()].filter(({ length }) => length > 1).length;
    const grown = after.map((bytes, index) => Math.round((bytes - (before[index] ?? 0)) / 1_000));
    console.log(
      `bridge: ${noted.calls} callbacks for 1200 jobs, ${again} of them once more; a job leaves ${grown.join(' and ')} bytes`,
    );
    expect(Math.max(...grown)).toBeLessThan(4_000); // half a proof
  }, 600_000);
});

/** So many people at once, each asked for by both processes at the same time until they are led on. */
async function play(
  count: number,
  bridges: readonly [App, App],
  stub: Awaited<ReturnType<typeof stubs.eu>>,
  name: string,
) {
  const people: { browser: Browser; page: string; state: string }[] = [];
  const startOne = async (nth: number): Promise<void> => {
    const [browser, state] = [createBrowser(), `${name}${nth}`];
    const page = await prove((nth % 2 === 0 ? bridges[0] : bridges[1]).url, state);
    await claim(browser, bridges[0].url + page);
    people.push({ browser, page, state });
  };
  await inParallel(Array.from({ length: count }, (_, nth) => async () => await startOne(nth)));
  stub.answerAll(proof);
  await inParallel(
    people.map(({ browser, page, state }) => async () => {
      for (;;) {
        const asked = bridges.map(async ({ url }) => await browser.get(url + page).catch(() => undefined));
        const led = (await Promise.all(asked)).find((shown) => shown?.location !== undefined);
        if (led === undefined) continue; // its page is loaded again
        expect(led.location).toBe(`http://localhost:1/return?code=${state}`);
        return;
      }
    }),
  );
}

/** So many requests at once as two processes of this machine answer at leisure; the jobs are all open all the time. */
async function inParallel(work: readonly (() => Promise<void>)[]): Promise<void> {
  const left = work.values();
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (const one of left) await one();
    }),
  );
}
