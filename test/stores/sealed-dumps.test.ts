import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { attributeIds } from '../../lib/types/attributes.js';
import { readings } from '../faults/dumps.js';
import { login, showing, shownTo } from '../support/account.js';
import { openSandbox, sentStates, startApp } from '../support/app.js';
import { closeAfter } from '../support/close-after.js';
import { type EngineName, loadEngine, oneOfEach, serverOf } from '../support/engines/engine.js';
import { decide } from '../support/wallet.js';
import { serverPath, withServer } from './servers.js';
import { openMariaPool, openPostgresPool } from './tables.js';

type Dump = (space: string) => Promise<string>;

/** What none of them may hold in clear. */
const clear: readonly string[] = [
  ...attributeIds.filter((id) => id.includes('_')),
  'Erika',
  '1964-08-12',
  'givenName',
  'bornOn',
  'isAdult',
  'anna@',
  'marker-',
  'xx-sandbox',
  '"kept"',
  '"default"',
  '"age"',
];

/** All that a server holds of one test, as whoever takes a copy of it reads it. */
const dumps: Readonly<Record<string, Dump>> = {
  async 'node-redis'(space) {
    const client = createClient({ socket: { path: serverPath('redis'), tls: false } });
    await client.connect();
    const pairs: (string | null)[] = [];
    for await (const keys of client.scanIterator({ MATCH: `${space}:*` })) {
      for (const key of keys) pairs.push(key, await client.get(key));
    }
    client.destroy();
    return pairs.join('\n');
  },
  async postgres(space) {
    const pool = openPostgresPool();
    const { rows: tables } = await pool.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
      [space],
    );
    const all: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${space}.${name} t`);
      all.push(...rows.map(({ row }) => row));
    }
    await pool.end();
    return all.join('\n');
  },
  async mysql2(space) {
    const pool = openMariaPool({ database: space });
    const [tables] = (await pool.query('SHOW TABLES')) as unknown as [Record<string, string>[]];
    const all: string[] = [];
    for (const name of tables.flatMap((table) => Object.values(table))) {
      const [rows] = (await pool.query(`SELECT * FROM ${name}`)) as unknown as [Record<string, unknown>[]];
      all.push(...rows.flatMap((row) => Object.values(row).map(String)));
    }
    await pool.end();
    return all.join('\n');
  },
};

const kept = { givenName: 'Erika', bornOn: '1964-08-12', isAdult: true };

async function open(name: EngineName) {
  const server = serverOf(name);
  const engine = await loadEngine(server);
  const address = { name, path: serverPath(server), space: `d${randomBytes(6).toString('hex')}` };
  await engine.prepare?.(address);
  const opened = await engine.open(address, 4);
  closeAfter(async () => await opened.close());
  const { flows, sessions } = opened;
  const sent = sentStates();
  const receipts: { readonly id: string; readonly number: string }[] = [];
  const taken: string[] = [];
  const take = async (): Promise<void> => void taken.push((await dumps[name]?.(address.space)) ?? '');
  const sandbox = await openSandbox();
  const app = await startApp({
    sandbox,
    session: { store: sessions, cookie: { maxAge: 3_600_000 } },
    options: {
      store: flows,
      fetch: sent.fetch,
      subject: () => 'anna@example.test',
      keep: () => kept,
      reasons: { 'marker-reason': 'We ask for a reason.' },
      questions: { age: { reveal: ['birth_date'], keep: () => ({ isAdult: true }) } },
      onSuccess: async ({ result }: { result: { receipt: (typeof receipts)[number] } }) => {
        receipts.push(result.receipt);
        await take();
      },
    },
    before: (its) => {
      // "Stay logged in", which these stores keep only when a session is saved.
      its.use((req, _res, next) => {
        req.session.cookie.maxAge = 30 * 86_400_000;
        next();
      });
      login({ cart: 'cart-of-the-app' })(its);
    },
    after: (its, identity) => {
      showing(['cart'], 'age')(its, identity);
      its.post('/forget', (req, res, next) => void identity.forget(req).then(() => res.end(), next));
      its.post('/go', (req, res, next) => void identity.start(req, res).catch(next));
    },
  });
  sandbox.redirectUrl = `${app.url}/identity/callback`;
  return { app, sent, receipts, taken, take };
}

for (const name of oneOfEach) {
  withServer(serverOf(name))(`what ${name} holds of sessions and flows`, () => {
    test('F160 has nothing of a person, no member of what is kept, no state and no receipt, at any step', async () => {
      const { app, sent, receipts, taken, take } = await open(name);
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      for (const question of ['', '/age']) {
        const started = await browser.post(
          `${app.url}/identity/start${question}?returnTo=/marker-place&reason=marker-reason`,
        );
        await take();
        const back = await decide(started.location ?? '', 'approve');
        await take();
        expect((await browser.get(back)).status).toBe(303);
        await take();
      }
      const whole = { isAdult: true };
      expect(await shownTo(app, browser)).toEqual(['cart-of-the-app', kept, whole]);
      await app.start(browser);
      await take();
      expect([sent.states.length, receipts.length, taken.length]).toEqual([3, 2, 9]);
      for (const dump of taken) expect(dump).toContain('cart-of-the-app'); // it is the dump of this app
      const words = [...clear, ...sent.states, ...receipts.flatMap(({ id, number }) => [id, number])];
      const read = new Set(taken.flatMap((dump) => readings(dump)));
      for (const word of words) {
        expect([word, [...read].filter((text) => text.includes(word))]).toEqual([word, []]);
      }
    });

    test('F152 an app that sets the lifetime of its cookie in each request forgets and starts at the first try', async () => {
      const { app, taken, take } = await open(name);
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      await browser.get(await app.toReturn(browser));
      expect(await shownTo(app, browser)).toEqual(['cart-of-the-app', kept, null]);
      expect((await browser.post(`${app.url}/forget`)).status).toBe(200);
      expect(await shownTo(app, browser)).toEqual(['cart-of-the-app', null, null]);
      expect((await browser.post(`${app.url}/go?form=kit`)).status).toBe(303);
      await take();
      expect(taken.at(-1)).toContain('cart-of-the-app');
    });
  });
}
