import * as crypto from 'node:crypto';
import { once } from 'node:events';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Shown } from '../support/browser.js';

/** The sandbox, in this same process, derives the name of its timeline. */
const timeline = 1;

/**
 * What each route costs, counted, since times depend on the machine: how often a key or a name is derived (HMAC), how
 * often something is sealed or opened (AES), and each store is called. Update the row of a route that becomes cheaper.
 */
const costs: Readonly<Record<string, Cost>> = {
  // The record, and what the session keeps.
  'start, without a session': [1 + timeline, 2, 0, 'create', 'get set'],
  'start, beside a pending flow': [1 + timeline, 2, 1, 'create', 'get get set'],
  callback: [2, 1, 1, 'read replace', ''], // the record's key, and the receipt
  // The lock, and the record; when the answer is out, the end of the flow, a look at the lock, and its end.
  return: [1, 2, 3, 'create read replace read replace', 'get get set destroy'],
  'the same return again': [0, 0, 1, '', 'get'],
  'an open page': [0, 0, 0, '', 'get touch'],
  'a page with of': [0, 0, 1, '', 'get touch'],
  'a guarded page': [0, 0, 1, '', 'get touch'],
  'a guarded page with of': [0, 0, 1, '', 'get touch'],
  'a page that refuses': [0, 0, 1, '', 'get'],
};

/** The calls of the stores in their order. */
type Cost = readonly [derived: number, seal: number, open: number, flows: string, sessions: string];

const hmac = jest.fn(crypto.createHmac);
const seal = jest.fn(crypto.createCipheriv);
const open = jest.fn(crypto.createDecipheriv);
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  createHmac: hmac,
  createCipheriv: seal,
  createDecipheriv: open,
}));
const { startApp } = await import('../support/app.js');
const { turns } = await import('../support/callbacks.js');
const { decide } = await import('../support/wallet.js');
const { isAtLeast, memoryStore } = await import('../../lib/index.js');

/** The calls of these spies, in their order. */
function namesOf(spies: Readonly<Record<string, { mock: { invocationCallOrder: number[] } }>>): string {
  const calls = Object.entries(spies).flatMap(([name, { mock }]) =>
    mock.invocationCallOrder.map((order) => ({ name, order })),
  );
  return calls
    .toSorted((a, b) => a.order - b.order)
    .map(({ name }) => name)
    .join(' ');
}

describe('the cost of a route, with a name and an age that are kept', () => {
  const found: Record<string, Cost> = {};
  let club: Shown | undefined;

  beforeAll(async () => {
    const store = memoryStore();
    const closed: Promise<unknown>[] = [];
    const running = await startApp({
      options: {
        store,
        keep: ({ attributes }: { attributes: { given_name: string; birth_date: string } }) => ({
          name: attributes.given_name,
          adult: isAtLeast(attributes.birth_date, 18),
        }),
        keepFor: '30d',
        onSuccess: () => undefined,
        onError: () => undefined,
      },
      before: (app) =>
        app.use((_req, res, next) => {
          closed.push(once(res, 'close'));
          next();
        }),
      after: (app, identity) => {
        const guard = identity.require({ maxAge: '30d' });
        app.get('/open', (_req, res) => void res.end());
        app.get('/of', (req, res) => void res.json(identity.of(req)?.kept));
        app.get('/guarded', guard, (_req, res) => void res.end());
        app.get('/club', guard, (req, res) => void res.json(identity.of(req)?.kept));
        app.get('/refused', identity.require({ allow: () => false }), (_req, res) => void res.end());
      },
    });
    const { sessions, url } = running;
    const flowCalls = {
      create: jest.spyOn(store, 'create'),
      read: jest.spyOn(store, 'read'),
      replace: jest.spyOn(store, 'replace'),
      delete: jest.spyOn(store, 'delete'),
    };
    const sessionCalls = {
      get: jest.spyOn(sessions, 'get'),
      set: jest.spyOn(sessions, 'set'),
      touch: jest.spyOn(sessions, 'touch'),
      destroy: jest.spyOn(sessions, 'destroy'),
    };

    const callsSoFar = (): number => namesOf({ ...flowCalls, ...sessionCalls }).length;

    async function counting<T>(route: string, work: () => Promise<T>): Promise<T> {
      jest.clearAllMocks();
      const result = await work();
      await Promise.all(closed);
      // What comes after the answer: until nothing comes any more.
      for (let before = -1; before !== callsSoFar();) {
        before = callsSoFar();
        await turns(50);
      }
      const calls = [hmac, seal, open].map(({ mock }) => mock.calls.length) as [number, number, number];
      found[route] = [...calls, namesOf(flowCalls), namesOf(sessionCalls)];
      return result;
    }

    const browser = running.browser();
    const start = async (): Promise<string> => await running.start(browser, '?returnTo=/club');
    try {
      await counting('start, without a session', start);
      const wallet = await counting('start, beside a pending flow', start);
      await decide(wallet, 'approve');
      const person = running.browser();
      const its = await running.start(person, '?returnTo=/club');
      const back = await counting('callback', async () => await decide(its, 'approve'));
      await counting('return', async () => await person.get(back));
      await counting('the same return again', async () => await person.get(back));
      await counting('an open page', async () => await person.get(`${url}/open`));
      await counting('a page with of', async () => await person.get(`${url}/of`));
      await counting('a guarded page', async () => await person.get(`${url}/guarded`));
      club = await counting('a guarded page with of', async () => await person.get(`${url}/club`));
      await counting('a page that refuses', async () => await person.get(`${url}/refused`));
    } finally {
      await running.close();
      jest.restoreAllMocks();
    }
  });

  test('what is counted is a flow that succeeds', () => {
    expect(club?.json()).toEqual({ name: 'Erika', adult: true });
  });

  test.each(Object.entries(costs))('%s', (route, cost) => expect(found[route]).toEqual(cost));
});
