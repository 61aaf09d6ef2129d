import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TableStore, Times } from '../../lib/stores/table-store.js';
import { deep } from '../support/deep.js';
import { type Service, servers } from '../support/servers.mjs';
import { failures, fourCalls, minute, secret } from './failure.js';
import { freshName, withServer } from './servers.js';
import { type Database, age, refused, tableEngines } from './tables.js';

const impatient: Times = { callMs: 100, setupMs: 100, later: () => undefined };

describe.each(tableEngines)('the options of a store on $engine', (one) => {
  const maker = `${one.server}Store`;

  test('the file for migrations is what setup() runs', async () => {
    const file = readFileSync(new URL(`../../lib/stores/${one.server}.sql`, import.meta.url), 'utf8');
    const sent: string[] = [];
    await one.make({ pool: one.recording(sent) }).setup();
    expect(sent).toEqual([...(one.server === 'mysql' ? ['SELECT VERSION(), @@autocommit'] : []), file]);
  });

  test.each([...one.names.tooLong, '', 'a\0b', 7, null])('a table or schema %j', (name) => {
    for (const option of ['table', 'schema']) {
      const options = { pool: one.recording([]), [option]: name };
      refused(() => one.make(options), `${maker}: ${option} ${one.names.rule}`);
    }
  });

  test('what is not a pool', () => {
    for (const pool of one.pools.wrong) {
      refused(() => one.make({ pool }), `${maker}: pool ${one.pools.rule}.`);
    }
  });
});

for (const one of tableEngines) {
  const { engine, server, now } = one;

  withServer(server)(`a store on a real ${engine}`, () => {
    const timedOut = [`store_unavailable: ${engine} did not answer in time.`];
    let database: Database;
    let table: string;
    let store: TableStore;
    let waiting: { readonly ms: number; readonly run: () => Promise<void> }[];

    beforeAll(() => {
      database = one.open();
    });
    afterAll(async () => {
      await database.end();
    });
    beforeEach(async () => {
      [table, waiting] = [freshName(), []];
      store = database.store({ table }, { later: (ms, run) => void waiting.push({ ms, run }) });
      await store.setup();
      database.sent.length = 0;
    });

    const insertExpired = async (count: number) =>
      await database.rows(`INSERT INTO ${table} (id, version, value, expires_at)
        SELECT CONCAT('old ', n), 1, 'x', ${one.earlier(now, 1_000)} FROM ${one.series(count)}`);
    const ids = async () =>
      (await database.rows(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => String(id));
    const sweep = async (): Promise<void> => await waiting.shift()?.run();
    const deletes = () => database.sent.filter((sql) => sql.startsWith('DELETE')).length;

    test('each call is one statement, and so one round trip', async () => {
      for (const call of fourCalls(store)) await call;
      expect(database.sent).toHaveLength(4);
      // MySQL cannot tell in one whether an id is taken or has expired.
      await store.create('b', 'one', minute);
      database.sent.length = 0;
      expect(await store.create('b', 'two', minute)).toBe(false);
      expect(database.sent).toHaveLength(engine === 'MySQL' ? 3 : 1);
    });

    test.each([
      ['an accent', 'a', 'á'],
      ['a space at the end', 'a', 'a '],
      ['case', 'strasse', 'STRASSE'],
      ['letters that are sorted alike', 'ß', 'ss'],
      ['a form of the same letter', 'é', 'e\u0301'],
    ])('ids that differ by %s only are told apart', async (_name, first, second) => {
      for (const id of [first, second]) expect(await store.create(id, `of ${id}`, minute)).toBe(true);
      expect((await store.read(first))?.value).toBe(`of ${first}`);
      await store.delete(first);
      expect((await store.read(second))?.value).toBe(`of ${second}`);
    });

    test('a dump holds what the kit has written, and nothing else', async () => {
      await store.create('a', 'sealed', minute);
      await store.replace('a', 1, 'sealed again', minute);
      const [row = {}] = await database.rows(`SELECT * FROM ${table}`);
      const { expires_at, ...others } = row;
      const texts = Object.entries(others).map(([name, value]) => [name, String(value)]);
      expect(Object.fromEntries(texts)).toEqual({ id: 'a', version: '2', value: 'sealed again' });
      expect(expires_at).toBeInstanceOf(Date);
    });

    deep.test(
      'twenty that create an id that has expired, at once: one wins, and nothing deadlocks',
      async () => {
        for (let round = 0; round < 10; round += 1) {
          await store.create('a', 'old', minute);
          await age(one, database, table, 2 * minute);
          const tries = Array.from({ length: 20 }, (_, index) => store.create('a', `${index}`, minute));
          expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
          await store.delete('a');
        }
      },
    );

    deep.test('writer, sweep and reader at once lose nothing to a deadlock', async () => {
      // However busy the machine is, the server is waited for.
      store = database.store(
        { table },
        { callMs: 60_000, later: (ms, run) => void waiting.push({ ms, run }) },
      );
      await insertExpired(3_000);
      const writeOften = async (id: string): Promise<boolean[]> => {
        const done = [await store.create(id, '0', minute)];
        for (let version = 1; version <= 10; version += 1)
          done.push(await store.replace(id, version, 'x', minute));
        return done;
      };
      const flows = Array.from({ length: 40 }, (_, index) => writeOften(`flow ${index}`));
      const [all] = await Promise.all([Promise.all(flows), sweep(), sweep(), sweep()]);
      expect(new Set(all.flat())).toEqual(new Set([true]));
    });

    test('what the server says of a value goes no further than its code', async () => {
      await database.rows(`ALTER TABLE ${table} ADD CHECK (value <> '${secret}')`);
      // Their own messages quote the row, and those of mysql2 the whole statement.
      const [failure = ''] = await failures([store.create('a', secret, minute)]);
      const [, code] =
        new RegExp(`^store_unavailable: ${engine} failed \\((\\w+)\\)\\.$`).exec(failure) ?? [];
      expect(code).toMatch(one.codes.check);
    });

    test('before setup() every call says what is missing; a schema that is not there too', async () => {
      const name = freshName();
      expect(await failures(fourCalls(database.store({ table: name })))).toEqual([
        `store_unavailable: The table ${name} does not exist: call setup() once, or run pidgate/lib/stores/${server}.sql.`,
      ]);
      expect(await failures([database.store({ schema: name }).setup()])).toEqual([
        `store_unavailable: The schema of the table pidgate_flows does not exist, and setup() does not make it: use CREATE SCHEMA.`,
      ]);
    });

    test('ten that set up at once make one table, and another setup() keeps what is stored', async () => {
      const pools = Array.from({ length: 10 }, () => one.open(undefined, 1));
      for (let round = 0; round < 10; round += 1) {
        const schema = freshName();
        await database.rows(`CREATE SCHEMA ${schema}`);
        // Connected first, so that they come as close together as they can.
        await Promise.all(pools.map(async (its) => await its.rows('SELECT 1')));
        const stores = pools.map((its) => its.store({ schema }));
        await Promise.all(stores.map(async (its) => await its.setup()));
        await stores[0]?.create('a', 'one', minute);
        await stores[1]?.setup();
        expect(await stores[2]?.read('a')).toEqual({ value: 'one', version: 1 });
      }
      await Promise.all(pools.map(async (its) => await its.end()));
    });

    test.each([
      ['with a dash', 'the-flows'],
      ['in upper case', 'Flows'],
      ['that is a word of SQL', 'select'],
      ['with quotes', 'it\'s `quoted` "twice"'],
      ['that would end the statement', 'x`"; DROP TABLE bystander; --'],
      ['with dots, dollars and question marks', 'a.b.$1.?'],
      ['in another alphabet', 'Übergänge'],
      ['as long as can be', one.names.longest],
    ])('a table and a schema of a name %s', async (_name, name) => {
      await database.rows('CREATE TABLE IF NOT EXISTS bystander (id int)');
      await database.rows(`CREATE SCHEMA ${one.quote(name)}`);
      const [here, there] = [database.store({ table: name }), database.store({ table: name, schema: name })];
      for (const its of [here, there, here, there]) await its.setup();
      expect(await there.create('a', 'there', minute)).toBe(true);
      expect(await here.read('a')).toBeUndefined();
      expect(await there.replace('a', 1, 'again', minute)).toBe(true);
      await here.delete('a');
      expect(await there.read('a')).toEqual({ value: 'again', version: 2 });
      expect(await database.rows('SELECT * FROM bystander')).toEqual([]);
    });

    test('a sweep goes in batches of a thousand, one after the other, until one is not full', async () => {
      await insertExpired(2_500);
      await store.create('alive', 'x', minute);
      await sweep();
      expect(deletes()).toBe(3);
      expect(await ids()).toEqual(['alive']);
    });

    test('a sweep waits for a write: one wait for many writes, and none for reads', async () => {
      await store.read('a');
      await store.delete('a');
      expect(waiting).toEqual([]);
      await store.create('a', 'x', minute);
      await store.replace('a', 1, 'y', minute);
      await store.create('b', 'x', minute);
      expect(waiting).toHaveLength(1);
      await sweep();
      await store.read('a');
      expect(waiting).toEqual([]);
      await store.replace('a', 2, 'z', minute);
      expect(waiting).toHaveLength(1);
    });

    test('sweeps go at times that differ, between half a minute and one and a half', async () => {
      const waits: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        await store.create(`${round}`, 'x', minute);
        waits.push(waiting[0]?.ms ?? 0);
        await sweep();
      }
      expect(new Set(waits).size).toBeGreaterThan(10);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(30_000);
      expect(Math.max(...waits)).toBeLessThan(90_000);
    });

    test('a sweep that fails is tried again with the next write, and nobody hears of it', async () => {
      await store.create('a', 'x', minute);
      await database.rows(`ALTER TABLE ${table} RENAME TO ${table}_away`);
      await sweep();
      await database.rows(`ALTER TABLE ${table}_away RENAME TO ${table}`);
      await insertExpired(2);
      await store.create('b', 'x', minute);
      await sweep();
      expect(await ids()).toEqual(['a', 'b']);
    });

    test('a locked table, and a pool without a free connection, do not hold a call', async () => {
      const unlock = await database.lock(table);
      const small = one.open(undefined, 1);
      const release = await small.occupy();
      const found = await failures(
        [database, small].flatMap((its) => fourCalls(its.store({ table }, impatient))),
      );
      await unlock();
      release();
      await small.end();
      expect(found).toEqual(timedOut);
    });

    test('a pool that its owner has ended fails the call', async () => {
      const ended = one.open();
      await ended.end();
      expect(await failures(fourCalls(ended.store({ table })))).toEqual([
        `store_unavailable: ${engine} failed.`,
      ]);
    });
  });

  withServer(server)(`a ${engine} of its own`, () => {
    let own: Service;
    let database: Database;

    beforeAll(async () => {
      own = await servers[server].start();
      database = one.open(own.path);
      await database.store().setup();
    });
    afterAll(async () => {
      await database.end();
      await own.stop();
    });

    deep.test(
      'that goes, while it works too, fails each call, and is used again when it is back',
      async () => {
        const store = database.store();
        await store.create('b', 'one', minute);
        const unlock = await database.lock('pidgate_flows');
        const waits = failures(fourCalls(database.store({}, { callMs: 30_000 })));
        while (Number((await database.rows(one.blocked))[0]?.['n']) < 4);
        await own.halt();
        for (const words of await waits) {
          expect(words).toMatch(/^store_unavailable: \w+ failed( \(\w+\))?\.$/);
          expect(words).not.toContain('ENOENT');
        }
        expect(await failures(fourCalls(store))).toEqual([`store_unavailable: ${engine} failed (ENOENT).`]);
        await unlock();
        await own.resume();
        expect(await store.read('b')).toEqual({ value: 'one', version: 1 });
        expect(await store.replace('b', 1, 'two', minute)).toBe(true);
      },
    );
  });
}

deep.test('a sweep that waits keeps no process alive', async () => {
  const script = `
    import { postgresStore } from 'pidgate/postgres';
    const store = postgresStore({ pool: { query: async () => ({ rows: [], rowCount: 1 }) } });
    console.log(await store.create('a', 'one', 60_000));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    timeout: 20_000, // less than the shortest wait
  });
  expect(stdout).toBe('true\n');
});
