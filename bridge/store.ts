import { createClient } from 'redis';
import { type FlowStore, memoryStore, redisStore } from './kit.js';

/** Opens pidgate's own store of flows for the jobs of the bridge. */
export async function openStore(address: string): Promise<{ store: FlowStore; close: () => Promise<void> }> {
  if (address === 'memory') return { store: memoryStore(), close: async () => {} };
  let connected = false;
  // A first connection that fails is told; one that breaks later is made again.
  const reconnectStrategy = (tries: number) => connected && Math.min(tries * 100, 2_000);
  const client = createClient({ url: address, socket: { reconnectStrategy } });
  client.on('error', (error: Error) => {
    if (connected) process.stderr.write(`Redis: ${error.message}\n`);
  });
  await client.connect();
  connected = true;
  return {
    store: redisStore({ client, prefix: 'pidgate-bridge:' }),
    close: async () => await client.close(),
  };
}
