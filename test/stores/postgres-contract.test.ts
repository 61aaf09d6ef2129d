import { afterAll, describe, test } from '@jest/globals';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { postgresStore } from '../../lib/stores/postgres.js';
import { age, openPool } from './postgres-pools.js';
import { freshName, withServer } from './servers.js';

withServer('postgres')('postgresStore on a real Postgres', () => {
  describe.each(['read committed', 'repeatable read', 'serializable'])(
    'in a database that isolates by "%s"',
    (level) => {
      const pool = openPool({ options: `-c default_transaction_isolation=${level.replace(' ', '\\ ')}` });
      afterAll(async () => {
        await pool.end();
      });

      flowStoreContract(test, async () => {
        const table = freshName();
        const store = postgresStore({ pool, table });
        await store.setup();
        return { store, forward: async (ms) => await age(pool, table, ms) };
      });
    },
  );
});
