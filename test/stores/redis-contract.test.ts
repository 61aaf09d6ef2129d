import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { redisStore } from '../../lib/stores/redis.js';
import { type Opened, clients } from './redis-clients.js';
import { freshName, serverPath, withServer } from './servers.js';

withServer('redis')('redisStore on a real Redis', () => {
  describe.each(Object.entries(clients))('with %s', (_name, openClient) => {
    let opened: Opened;

    beforeAll(async () => {
      opened = await openClient(serverPath('redis'));
    });
    afterAll(() => {
      opened.close();
    });

    flowStoreContract(test, () => {
      const prefix = `${freshName()}:`;
      return {
        store: redisStore({ client: opened.client, prefix }),
        forward: async (ms) => await age(opened, prefix, ms),
      };
    });
  });
});

/** Takes that much from what each key has left to live; one with nothing left goes at once. */
async function age({ send }: Opened, prefix: string, ms: number): Promise<void> {
  const keys = (await send('KEYS', `${prefix}*`)) as string[];
  for (const key of keys) {
    const left = Number(await send('PTTL', key));
    await send('PEXPIRE', key, `${left - ms}`);
  }
}
