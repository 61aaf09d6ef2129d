import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { createClient } from 'redis';
import type { FlowStore } from '../../../lib/types/store.js';
import { postgresStore } from '../../../lib/stores/postgres.js';
import { redisStore } from '../../../lib/stores/redis.js';
import { type CallbackApp, callbackApps, turns } from '../../support/callbacks.js';
import { postgresPath, redisPath, withPostgres, withRedis } from '../../stores/servers.js';
import { freshName } from '../../stores/servers.js';

const quickstart = { onSuccess: () => undefined };
const hooksOf = {
  "the quickstart's options": quickstart,
  'onVerified as well': { ...quickstart, onVerified: () => undefined },
};
/** A store that costs more fails the bar; one that costs less has a better figure to tell. */
const bars = [
  ["the quickstart's options", 8],
  ['onVerified as well', 9],
] as const;

describe('a flow from start to return', () => {
  const openApp = callbackApps();

  /** Releases whose last call of the store has ended: it comes after the answer. */
  let over = 0;
  const appOn = async (inner: FlowStore, hooks: object): Promise<CallbackApp> => {
    const replace: FlowStore['replace'] = async (id, version, value, ttl) => {
      const written = await inner.replace(id, version, value, ttl);
      if (value === 'claim.free') over += 1;
      return written;
    };
    return await openApp({ hooks, options: { store: { ...inner, replace }, keep: () => 'kept' } });
  };

  async function flows(app: CallbackApp, count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) {
      const { state, browser } = await app.begin();
      const { body } = await app.deliver({ presentation: 'good', state });
      const before = over;
      expect((await browser.get(body.redirect_uri ?? '')).status).toBe(303);
      while (over === before) await turns(1);
    }
  }

  describe.each(['node-redis', 'ioredis'] as const)('on %s', (name) => {
    withRedis('seen by MONITOR', () => {
      test.each(bars)('with %s costs %i round trips', async (hooks, bar) => {
        const prefix = `${freshName()}:`;
        const client =
          name === 'ioredis'
            ? new Redis({ path: redisPath })
            : await createClient({ socket: { path: redisPath, tls: false } }).connect();
        const app = await appOn(redisStore({ client, prefix }), hooksOf[hooks]);
        await flows(app, 1); // the server learns the scripts

        const monitor = connect(redisPath);
        const seen = createInterface(monitor)[Symbol.asyncIterator]();
        monitor.write('MONITOR\r\n');
        expect(await seen.next()).toMatchObject({ value: '+OK' });
        await flows(app, 10);
        const own = new Redis({ path: redisPath });
        await own.echo(`over ${prefix}`);
        let trips = 0;
        for (;;) {
          const { value: line } = (await seen.next()) as { value: string };
          if (line.includes(`"over ${prefix}"`)) break;
          // What a script does inside the server is no trip.
          if (line.includes(` "${prefix}`) && !line.includes(' lua] ')) trips += 1;
        }
        expect(trips).toBe(10 * bar);
        monitor.destroy();
        own.disconnect();
        if (client instanceof Redis) client.disconnect();
        else client.destroy();
      });
    });
  });

  withPostgres('on postgres, seen by its count of transactions', () => {
    test.each(bars)('with %s costs %i round trips', async (hooks, bar) => {
      const database = freshName();
      const admin = new Pool({ host: postgresPath, user: 'postgres', database: 'postgres', max: 1 });
      await admin.query(`CREATE DATABASE ${database}`);

      /** Transactions until now; a connection tells of its own when it ends. */
      async function transactions(): Promise<number> {
        const open = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = $1';
        for (;;) {
          const { rows } = await admin.query<{ n: number }>(open, [database]);
          if (rows[0]?.n === 0) break;
        }
        const count = 'SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = $1';
        return (await admin.query<{ n: number }>(count, [database])).rows[0]?.n ?? NaN;
      }
      async function spentBy(count: number): Promise<number> {
        const before = await transactions();
        const pool = new Pool({ host: postgresPath, user: 'postgres', database, max: 1 });
        const store = postgresStore({ pool });
        await store.setup();
        await flows(await appOn(store, hooksOf[hooks]), count);
        await pool.end();
        return (await transactions()) - before;
      }

      // What the connection and the table cost is in both.
      const few = await spentBy(5);
      expect((await spentBy(15)) - few).toBe(10 * bar);
      await admin.query(`DROP DATABASE ${database}`);
      await admin.end();
    });
  });
});
