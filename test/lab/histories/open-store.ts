import type { FlowStore } from '../../../lib/types/store.js';
import {
  type EngineAddress,
  type EngineName,
  ignore,
  loadEngine,
  serverOf,
} from '../../support/engines/engine.js';

/** Where an actor's process finds the store. */
export type Address =
  | { readonly kind: 'memory' }
  | { readonly kind: 'server'; readonly server: EngineAddress }
  | { readonly kind: 'redis'; readonly client: EngineName; readonly path: string }
  | { readonly kind: 'sentinel' | 'cluster'; readonly client: EngineName; readonly port: number };

/** What Sentinel calls the servers. */
export const sentinelName = 'flows';

/** All keys are in one slot of a cluster: it is the one that moves. */
export const prefix = '{histories}:';

/** A process loads one engine only. */
export async function openStore(address: Address): Promise<FlowStore> {
  if (address.kind === 'memory') return (await import('../../../lib/stores/memory.js')).memoryStore();
  if (address.kind === 'server') {
    const engine = await loadEngine(serverOf(address.server.name));
    return (await engine.open(address.server, 10)).flows;
  }
  const { redisStore } = await import('../../../lib/stores/redis.js');
  return redisStore({ client: await openRedis(address), prefix });
}

async function openRedis(address: Extract<Address, { client: EngineName }>) {
  const host = '127.0.0.1';
  if (address.client === 'ioredis') {
    const options = { autoResendUnfulfilledCommands: false }; // otherwise it sends a write again after a lost reply
    const { Cluster, Redis } = await import('ioredis');
    if (address.kind === 'redis') return new Redis({ path: address.path, ...options }).on('error', ignore);
    const at = [{ host, port: address.port }];
    if (address.kind === 'cluster')
      return new Cluster(at, { redisOptions: options, retryDelayOnFailover: 0 }).on('error', ignore);
    return new Redis({ sentinels: at, name: sentinelName, ...options }).on('error', ignore);
  }
  const { createClient, createCluster, createSentinel } = await import('redis');
  if (address.kind === 'redis') {
    const client = createClient({ socket: { path: address.path, tls: false } }).on('error', ignore);
    return await client.connect();
  }
  if (address.kind === 'cluster') {
    const client = createCluster({ rootNodes: [{ url: `redis://${host}:${address.port}` }] });
    client.on('error', ignore);
    return await client.connect();
  }
  const client = createSentinel({
    name: sentinelName,
    sentinelRootNodes: [{ host, port: address.port }],
  }).on('error', ignore);
  return await client.connect();
}
