import { createClient } from 'redis';
import { type FlowStore, memoryStore, redisStore } from './kit.js';

/** Opens pidgate's own store of flows for the jobs of the bridge. */
export async function openStore(address: string): Promise<{ store: FlowStore; close: () => Promise<void> }> {
  if (address === 'memory') return { store: memoryStore(), close: async () => {} };
  const client = createClient({ url: address });
  client.on('error', (error: Error) => process.stderr.write(`Redis: ${error.message}\n`));
  await client.connect();
  return {
    store: redisStore({ client, prefix: 'pidgate-bridge:' }),
    close: async () => await client.close(),
  };
}
