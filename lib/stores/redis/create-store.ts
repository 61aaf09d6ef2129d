import { configInvalid } from '../../errors.js';
import type { FlowStore } from '../../types/store.js';
import { createCall } from '../call-backend.js';
import { scriptRunner } from './client.js';
import { deleteScript, readScript, replyCode, runScript, writeScript } from './scripts.js';

/** Returns the store; `ms` is the deadline of each call. */
export function createRedisStore(client: unknown, prefix: unknown, ms: number): FlowStore {
  const runner = scriptRunner(client);
  if (runner === undefined)
    throw configInvalid('redisStore: client must be a client of node-redis 5 or 6, or of ioredis 5 or 6.');
  if (typeof prefix !== 'string') throw configInvalid('redisStore: prefix must be a string.');

  const call = createCall('Redis', ms, (fault) => {
    const code = replyCode(fault);
    return code && `Redis refused the command (${code}).`;
  });

  const write = async (id: string, version: number, value: string, ttlMs: number): Promise<boolean> => {
    const args = [`${version}`, `${version + 1}.${value}`, `${Math.ceil(ttlMs)}`];
    // A client can be configured to return numbers as strings.
    return Number(await call(() => runScript(runner, writeScript, prefix + id, args))) === 1;
  };

  return {
    create: async (id, value, ttlMs) => await write(id, 0, value, ttlMs),
    // Version 0 means that there is no such key.
    replace: async (id, version, value, ttlMs) => version > 0 && (await write(id, version, value, ttlMs)),
    async read(id) {
      const stored = textOf(await call(() => runScript(runner, readScript, prefix + id)));
      const [, version, value] = /^(\d+)\.([^]*)$/.exec(stored) ?? [];
      return value === undefined ? undefined : { value, version: Number(version) };
    },
    async delete(id) {
      await call(() => runScript(runner, deleteScript, prefix + id));
    },
  };
}

/** A client can be configured to return strings as bytes. */
function textOf(reply: unknown): string {
  return typeof reply === 'string' ? reply : Buffer.isBuffer(reply) ? reply.toString() : '';
}
