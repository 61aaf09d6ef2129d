import type { FlowStore } from '../types/store.js';
import { knownOptions } from '../internal/former-validate.js';
import { callMs } from './call-backend.js';
import type { IoRedisClient, NodeRedisClient } from './redis/client.js';
import { createRedisStore } from './redis/create-store.js';

export type { IoRedisClient, NodeRedisArguments, NodeRedisClient } from './redis/client.js';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Your own client, of node-redis 5 or 6 or ioredis 5 or 6, a cluster too. The store never opens or closes it. */
  readonly client: NodeRedisClient | IoRedisClient;
  /** The beginning of every flow's key. Default `pidgate:`. */
  readonly prefix?: string;
}

/**
 * Keeps flows in Redis, for any number of processes: one key a flow, which Redis deletes at its expiry. Every call ends
 * within three seconds, also while the client waits for its server.
 *
 * @example
 * ```ts
 * import { identityVerification } from 'pidgate'
 * import { redisStore } from 'pidgate/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://localhost' })
 * client.on('error', (error) => console.error(error))
 * void client.connect()
 *
 * const identity = identityVerification({ reveal: ['given_name'], store: redisStore({ client }) })
 * ```
 */
export function redisStore(options: RedisStoreOptions): FlowStore {
  knownOptions(options, ['client', 'prefix'], 'redisStore');
  const { client, prefix = 'pidgate:' } = options;
  return createRedisStore(client, prefix, callMs);
}
