import { createHash } from 'node:crypto';
import type { ScriptRunner } from './client.js';

interface Script {
  readonly text: string;
  readonly sha1: string;
}

/**
 * A script instead of GET, because a client may send plain reads to a replica, which may still have the replaced value.
 */
export const readScript = script(`return redis.call('GET', KEYS[1])`);

/**
 * Writes the value ARGV[2] for ARGV[3] milliseconds if the stored version is ARGV[1], or 0 for a missing key. A value
 * begins with its version and a dot; a value that does not belongs to somebody else and is not overwritten.
 */
export const writeScript = script(`
local head = redis.call('GETRANGE', KEYS[1], 0, 16)
local version = head == '' and '0' or string.match(head, '^(%d+)%.')
if version ~= ARGV[1] then return 0 end
if tonumber(ARGV[3]) > 0 then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
else
  redis.call('DEL', KEYS[1])
end
return 1`);

export const deleteScript = script(`return redis.call('DEL', KEYS[1])`);

/** Sends the script's digest, and the script itself only if the server does not know it (first use, restart). */
export async function runScript(
  runner: ScriptRunner,
  { text, sha1 }: Script,
  key: string,
  args: string[] = [],
): Promise<unknown> {
  try {
    return await runner.bySha(sha1, key, args);
  } catch (fault) {
    if (replyCode(fault) !== 'NOSCRIPT') throw fault;
    return await runner.byText(text, key, args);
  }
}

/** Returns the code of a Redis error, which is the first word of its message; the clients have no field for it. */
export function replyCode(fault: unknown): string | undefined {
  const { message } = (fault ?? {}) as { message?: unknown };
  return typeof message === 'string' ? known.exec(message)?.[1] : undefined;
}

const known =
  /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|NOSCRIPT|OOM|READONLY|TRYAGAIN|WRONGTYPE) /;

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
