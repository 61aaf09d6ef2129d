/** @module pidgate/redis */
import type { FlowStore } from '../types/store.js';
import { type ChecksOf, invalid, object, satisfying, withDefault } from '../internal/validate.js';
import {
  createRedisStore,
  type IoRedisClient,
  isRedisClient,
  type NodeRedisClient,
} from './redis/redis-store.js';

export type { IoRedisClient, NodeRedisArguments, NodeRedisClient } from './redis/redis-store.js';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Your own client, of node-redis 5 or 6 or ioredis 5 or 6, a cluster too. The store never opens or closes it. */
  readonly client: NodeRedisClient | IoRedisClient;
  /** What the key of each flow begins with. Default `pidgate:`. */
  readonly prefix?: string;
}

const aString = satisfying<string>((value) => typeof value === 'string', 'must be a string');

const checkOptions = object({
  client: satisfying<NodeRedisClient | IoRedisClient>(
    isRedisClient,
    'must be a client of node-redis 5 or 6, or of ioredis 5 or 6',
  ),
  prefix: withDefault(aString, 'pidgate:'),
} satisfies ChecksOf<RedisStoreOptions>);

/**
 * Keeps flows in Redis, for any number of processes: each flow has one key, which Redis deletes when it expires. Every call
 * ends within three seconds, also while the client waits for its server. An ACL needs `EVALSHA`, `EVAL`, `GET`,
 * `GETRANGE`, `SET` and `DEL` on the keys with the prefix.
 *
 * @example
 * ```ts
 * import { identityVerification } from 'pidgate'
 * import { redisStore } from 'pidgate/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://localhost' })
 * client.on('error', (error) => console.error(error))
 * await client.connect()
 *
 * const identity = identityVerification({ reveal: ['given_name'], store: redisStore({ client }) })
 * ```
 */
export function redisStore(options: RedisStoreOptions): FlowStore {
  if (isRedisClient(options)) throw invalid('redisStore', 'takes an object: redisStore({ client })');
  const { client, prefix } = checkOptions(options, 'redisStore:');
  return createRedisStore(client, prefix);
}
