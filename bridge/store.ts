import { createClient } from 'redis';
import { type FlowStore, memoryStore, redisStore } from './kit.js';
import type { Log } from './log.js';
import { createOutage } from './outage.js';
import { SettingsError } from './settings.js';
import { reasonOf } from './verifiers/call.js';

/** Opens pidgate's own store of flows for the jobs of the bridge. */
export async function openStore(
  address: string,
  log: Log,
): Promise<{ store: FlowStore; close: () => Promise<void> }> {
  if (address === 'memory') return { store: memoryStore(), close: async () => {} };
  const outage = createOutage('Redis', log, Date.now);
  let connected = false;
  // A first connection that fails is told; one that breaks later is made again.
  const reconnectStrategy = (tries: number) => connected && Math.min(tries * 100, 2_000);
  const client = createClient({ url: address, socket: { reconnectStrategy } });
  client.on('error', (error: Error) => {
    if (connected) outage.fails(reasonOf(error));
  });
  client.on('ready', () => outage.works());
  try {
    await client.connect();
  } catch (error) {
    client.destroy();
    throw new SettingsError([`BRIDGE_STORE: Redis does not let the bridge in (${redisReason(error)})`]);
  }
  connected = true;
  return {
    store: redisStore({ client, prefix: 'pidgate-bridge:' }),
    close: async () => await client.close(),
  };
}

/** What Redis says of a password begins with a word, such as WRONGPASS. */
const redisReason = (error: unknown): string => /^[A-Z]+/.exec(reasonOf(error))?.[0] ?? 'no reason given';
