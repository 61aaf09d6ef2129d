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

/** The two ways to run a script on one key, the same for both clients. */
export interface ScriptRunner {
  bySha(sha1: string, key: string, args: string[]): Promise<unknown>;
  byText(script: string, key: string, args: string[]): Promise<unknown>;
}

/** Returns the runner for a client, known by its methods; undefined for anything else. */
export function scriptRunner(client: unknown): ScriptRunner | undefined {
  if (isNodeRedis(client)) {
    return {
      bySha: async (sha1, key, args) => await client.evalSha(sha1, { keys: [key], arguments: args }),
      byText: async (script, key, args) => await client.eval(script, { keys: [key], arguments: args }),
    };
  }
  if (isIoRedis(client)) {
    return {
      bySha: async (sha1, key, args) => await client.evalsha(sha1, 1, key, ...args),
      byText: async (script, key, args) => await client.eval(script, 1, key, ...args),
    };
  }
  return undefined;
}

const isNodeRedis = (client: unknown): client is NodeRedisClient =>
  isMethod(client, 'eval') && isMethod(client, 'evalSha');

const isIoRedis = (client: unknown): client is IoRedisClient =>
  isMethod(client, 'eval') && isMethod(client, 'evalsha');

function isMethod(client: unknown, name: string): boolean {
  return typeof (client as Record<string, unknown> | null | undefined)?.[name] === 'function';
}
