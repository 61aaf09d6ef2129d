import { Redis } from 'ioredis';
import { freePort } from '../../support/free-port.js';
import { type Service, servers } from '../../support/servers.mjs';

/** A primary that owns every slot, and a replica of it. */
export interface RedisCluster {
  readonly port: number;
  readonly primary: Redis;
  readonly replica: Redis;
  stop(): Promise<void>;
}

export interface RedisNode {
  readonly service: Service;
  readonly direct: Redis;
  readonly port: number;
  readonly bus: number;
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const [one, other] = await Promise.all([startNode(), startNode()]);
  const stop = async (): Promise<void> => {
    for (const { direct } of [one, other]) direct.disconnect();
    await Promise.all([one.service.stop(), other.service.stop()]);
  };
  try {
    await join(one, other);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: one.port, primary: one.direct, replica: other.direct, stop };
}

export async function startNode(settings: Readonly<Record<string, string>> = {}): Promise<RedisNode> {
  const [port, bus] = [await freePort(), await freePort()];
  const service = await servers.redis.start({
    port: `${port}`,
    bind: '127.0.0.1',
    'repl-diskless-sync-delay': '0',
    'cluster-enabled': 'yes',
    'cluster-port': `${bus}`,
    'cluster-node-timeout': '2000',
    ...settings,
  });
  return { service, direct: new Redis({ path: service.path }), port, bus };
}

/** Resolves with the id of the first when the other knows it. */
export async function meet(one: RedisNode, other: RedisNode): Promise<string> {
  await other.direct.call('CLUSTER', 'MEET', '127.0.0.1', `${one.port}`, `${one.bus}`);
  const id = String(await one.direct.call('CLUSTER', 'MYID'));
  await until(async () => String(await other.direct.call('CLUSTER', 'NODES')).includes(id));
  return id;
}

async function join(one: RedisNode, other: RedisNode): Promise<void> {
  await one.direct.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  const id = await meet(one, other);
  await other.direct.call('CLUSTER', 'REPLICATE', id);
  await until(async () => (await other.direct.info('replication')).includes('master_link_status:up'));
  await until(async () => String(await one.direct.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  // What clients go by. The replica is in it once it has something of its primary's.
  await one.direct.set('plain', 'anything');
  await until(async () =>
    JSON.stringify(await one.direct.call('CLUSTER', 'SLOTS')).includes(`${other.port}`),
  );
}

/** Asks again and again: each answer takes a moment, so this does not turn idle. */
export async function until(done: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await done())) if (performance.now() > end) throw new Error('It did not come to that.');
}
