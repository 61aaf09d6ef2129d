import { RedisStore } from 'connect-redis';
import { redisStore } from 'pidgate/redis';
import { createClient } from 'redis';
import type { Engine } from './engine.js';
import { codeOf } from '../faults.js';

export async function openRedis(url: string): Promise<Engine> {
  let connected = false;
  const client = createClient({
    url,
    // While Redis is down, a page says so at once instead of waiting for it.
    disableOfflineQueue: true,
    // A first connection that fails is told; one that breaks later is made again.
    socket: { reconnectStrategy: (tries) => (connected ? Math.min(tries * 100, 2_000) : false) },
  });
  // Without a listener, the first connection that breaks would end the process.
  client.on('error', (fault) => {
    if (connected) console.error(`Redis: ${codeOf(fault)}`);
  });
  await client.connect();
  connected = true;
  return {
    sessions: new RedisStore({ client }),
    flows: redisStore({ client }),
    setUp: async () => {}, // Redis makes a key when it is written
    close: async () => {
      await client.close();
    },
  };
}
