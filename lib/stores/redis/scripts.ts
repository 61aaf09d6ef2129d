import { createHash } from 'node:crypto';
import type { ScriptRunner } from './client.js';

interface Script {
  readonly text: string;
  readonly sha1: string;
}

/**
 * A script and not GET: clients that may read from replicas send them every plain read, and a replica may still
 * have what was replaced.
 */
export const readScript = script(`return redis.call('GET', KEYS[1])`);

/**
 * Writes the value ARGV[2] for ARGV[3] milliseconds where the stored version is ARGV[1], 0 for a key that is not
 * there. A value begins with its version and a dot; what does not is somebody else's, and stays.
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

/** By its digest; in full only where the server does not know it: the first time, and after a restart. */
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

/** Redis puts the code of an error in front of its message, and the clients give it no place of its own. */
export function replyCode(fault: unknown): string | undefined {
  const { message } = (fault ?? {}) as { message?: unknown };
  return typeof message === 'string' ? known.exec(message)?.[1] : undefined;
}

const known =
  /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|NOSCRIPT|OOM|READONLY|TRYAGAIN|WRONGTYPE) /;

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
