import { hash } from 'node:crypto';
import { hasMethods } from '../../internal/validate.js';
import type { FlowStore } from '../../types/store.js';
import { callMs, createCall } from '../call-backend.js';

/** The part of node-redis 5 or 6 that the store calls: of a client, pool, cluster or sentinel. */
export interface NodeRedisClient {
  /** Runs a loaded script. */
  evalSha(sha1: string, options: NodeRedisArguments): Promise<unknown>;
  /** Runs a script by its text, which loads it. */
  eval(script: string, options: NodeRedisArguments): Promise<unknown>;
}

/** The keys and arguments of a script. */
export interface NodeRedisArguments {
  keys: string[];
  arguments: string[];
}

/** The part of ioredis 5 or 6 that the store calls: of `Redis` or `Cluster`. */
export interface IoRedisClient {
  /** Runs a loaded script. */
  evalsha(sha1: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Runs a script by its text, which loads it. */
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

const isNodeRedis = (client: unknown): client is NodeRedisClient => hasMethods(client, 'eval', 'evalSha');

/** Returns true for a client of either package, known by its methods. */
export const isRedisClient = (client: unknown): client is NodeRedisClient | IoRedisClient =>
  isNodeRedis(client) || hasMethods(client, 'eval', 'evalsha');

/**
 * A script instead of GET, because a client may send plain reads to a replica, which may still have the replaced value.
 */
const readScript = script(`return redis.call('GET', KEYS[1])`);

/**
 * Writes the value ARGV[2] for ARGV[3] milliseconds if the stored version is ARGV[1], or 0 for a missing key. A value
 * begins with its version and a dot; a value that does not belongs to somebody else and is not overwritten.
 */
const writeScript = script(`
local head = redis.call('GETRANGE', KEYS[1], 0, 16)
local version = head == '' and '0' or string.match(head, '^(%d+)%.')
if version ~= ARGV[1] then return 0 end
if tonumber(ARGV[3]) > 0 then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
else
  redis.call('DEL', KEYS[1])
end
return 1`);

const deleteScript = script(`return redis.call('DEL', KEYS[1])`);

/** Sends the script's digest, and the script itself only if the server does not know it (first use, restart). */
async function runScript(
  client: NodeRedisClient | IoRedisClient,
  { text, sha1 }: ReturnType<typeof script>,
  key: string,
  args: string[] = [],
): Promise<unknown> {
  const isNode = isNodeRedis(client);
  const options = { keys: [key], arguments: args };
  try {
    return await (isNode ? client.evalSha(sha1, options) : client.evalsha(sha1, 1, key, ...args));
  } catch (fault) {
    if (replyCode(fault) !== 'NOSCRIPT') throw fault;
    return await (isNode ? client.eval(text, options) : client.eval(text, 1, key, ...args));
  }
}

/** Returns the code of a Redis error, which is the first word of its message; the clients have no field for it. */
function replyCode(fault: unknown): string | undefined {
  const { message } = (fault ?? {}) as { message?: unknown };
  return typeof message === 'string' ? replyCodes.exec(message)?.[1] : undefined;
}

const replyCodes =
  /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|NOSCRIPT|OOM|READONLY|TRYAGAIN|WRONGTYPE) /;

function script(text: string) {
  return { text, sha1: hash('sha1', text) };
}

export function createRedisStore(
  client: NodeRedisClient | IoRedisClient,
  prefix: string,
  ms = callMs,
): FlowStore {
  const call = createCall('Redis', ms, (fault) => {
    const code = replyCode(fault);
    if (code !== undefined) return `Redis refused the command (${code}).`;
    const isClosed = 'isOpen' in client && client.isOpen === false;
    return isClosed ? 'Redis failed: the client is not connected. Call client.connect().' : undefined;
  });

  const write = async (id: string, version: number, value: string, ttlMs: number) => {
    const args = [`${version}`, `${version + 1}.${value}`, `${Math.ceil(ttlMs)}`];
    // A client can be configured to return numbers as strings.
    return Number(await call(() => runScript(client, writeScript, prefix + id, args))) === 1;
  };

  return {
    create: async (id, value, ttlMs) => await write(id, 0, value, ttlMs),
    // Version 0 means that there is no such key.
    replace: async (id, version, value, ttlMs) => version > 0 && (await write(id, version, value, ttlMs)),
    async read(id) {
      const stored = textOf(await call(() => runScript(client, readScript, prefix + id)));
      const [, version, value] = /^(\d+)\.([^]*)$/.exec(stored) ?? [];
      return value === undefined ? undefined : { value, version: Number(version) };
    },
    async delete(id) {
      await call(() => runScript(client, deleteScript, prefix + id));
    },
  };
}

/** A client can be configured to return strings as bytes. */
function textOf(reply: unknown): string {
  return typeof reply === 'string' ? reply : Buffer.isBuffer(reply) ? reply.toString() : '';
}
