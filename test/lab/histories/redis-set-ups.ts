import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { meet, type RedisNode, startNode, until } from '../deployment/redis-cluster.js';
import { openWireTo } from '../deployment/wire.js';
import { type EngineName, ignore } from '../../support/engines/engine.js';
import { freePort } from '../../support/free-port.js';
import { findServer, type Service, servers } from '../../support/servers.mjs';
import { startService } from '../../support/service.mjs';
import { prefix, sentinelName } from './open-store.js';
import type { Amiss, Fault, Running } from './record.js';
import { durable, kill, type Machine, pause, serverFaults } from './server-faults.js';

const host = '127.0.0.1';
const clientOf = (process: number): EngineName => (process % 2 === 0 ? 'node-redis' : 'ioredis');

async function processOf(direct: Redis): Promise<number> {
  return Number(/^process_id:(\d+)/m.exec(await direct.info('server'))?.[1]);
}

/** `pid` is of its present process, which is asked for while it is well. */
function machineOf(service: Service, direct: Redis): Machine {
  return { service, pids: async () => [await processOf(direct)] };
}

/** One server, and ioredis that does not send again what has no reply. */
export async function startOneRedis(): Promise<Running> {
  const service = await servers.redis.start(durable.redis);
  const front = await openWireTo(service.path, {});
  const direct = new Redis({ path: service.path }).on('error', ignore);
  return {
    processes: 4,
    address: () => ({ kind: 'redis', client: 'ioredis', path: front.path }),
    faults: serverFaults(machineOf(service, direct), front.wire),
    async stop() {
      direct.disconnect();
      await front.close();
      await service.stop();
    },
  };
}

interface Server {
  readonly service: Service;
  readonly direct: Redis;
  readonly port: number;
}

async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<Server> {
  const port = await freePort();
  const all = { port: `${port}`, bind: host, 'repl-diskless-sync-delay': '0', ...settings };
  const service = await servers.redis.start(all);
  return { service, direct: new Redis({ path: service.path }).on('error', ignore), port };
}

/** In milliseconds: a busy machine does not make Sentinel promote the replica, only a fault does. */
const never = 3_600_000;

/** A Sentinel keeps what it knows in its file. */
async function startSentinel(port: number, primary: number): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-sentinel-'));
  const path = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    `bind ${host}`,
    `dir ${folder}`,
    `sentinel monitor ${sentinelName} ${host} ${primary} 1`,
    `sentinel down-after-milliseconds ${sentinelName} ${never}`,
    `sentinel failover-timeout ${sentinelName} 2000`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  return await startService(path, { command: findServer('redis') ?? '', args: [path, '--sentinel'], folder });
}

const isLinked = async ({ direct }: Server): Promise<boolean> =>
  (await direct.info('replication')).includes('master_link_status:up');

const cutConnections = (server: () => { readonly direct: Redis }, allows: readonly Amiss[]): Fault => ({
  name: 'connections cut',
  allows,
  async play({ answered }) {
    for (let round = 0; round < 40; round += 1) {
      await server().direct.call('CLIENT', 'KILL', 'TYPE', 'normal');
      await answered(10);
    }
  },
});

/** A server, a replica, and a Sentinel that watches them. The client of node-redis repeats a write after a lost reply. */
export async function startSentinels(client: EngineName): Promise<Running> {
  const repeats: readonly Amiss[] = client === 'node-redis' ? ['refused writes were done'] : [];
  let primary = await startServer();
  let replica = await startServer({ replicaof: `${host} ${primary.port}` });
  await until(async () => await isLinked(replica));
  const port = await freePort();
  const sentinel = await startSentinel(port, primary.port);
  const watcher = new Redis({ host, port }).on('error', ignore);
  await until(async () =>
    JSON.stringify(await watcher.call('SENTINEL', 'REPLICAS', sentinelName)).includes(`${replica.port}`),
  );

  const downAfter = async (ms: number): Promise<void> =>
    void (await watcher.call('SENTINEL', 'SET', sentinelName, 'down-after-milliseconds', `${ms}`));

  const failOver = async (): Promise<void> => {
    await kill(machineOf(primary.service, primary.direct));
    await downAfter(1_000);
    await until(async () => String(await replica.direct.call('ROLE')).startsWith('master'));
    await until(async () =>
      JSON.stringify(await watcher.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', sentinelName)).includes(
        `${replica.port}`,
      ),
    );
    await downAfter(never);
  };
  const restore = async (): Promise<void> => {
    [primary, replica] = [replica, primary];
    await replica.service.resume();
    await replica.direct.call('REPLICAOF', host, `${primary.port}`);
    await until(async () => await isLinked(replica));
    const known = async (): Promise<string> =>
      JSON.stringify(await watcher.call('SENTINEL', 'REPLICAS', sentinelName));
    await until(async () => !/s_down|disconnected/.test(await known()));
  };

  const failover: Fault = {
    name: 'failover',
    allows: ['confirmed writes were lost', ...repeats],
    async play({ answered }) {
      await failOver();
      await answered(50);
      await restore();
    },
  };
  const behind: Fault = {
    name: 'failover, replica behind',
    allows: ['confirmed writes were lost', ...repeats],
    isShown: true,
    async play({ answered }) {
      const { direct } = replica;
      await direct.call('CONFIG', 'SET', 'masterauth', 'wrong'); // it cannot come back
      await direct.call('CLIENT', 'KILL', 'TYPE', 'master');
      await until(async () => !(await isLinked(replica)));
      await answered(200);
      await failOver();
      await direct.call('CONFIG', 'SET', 'masterauth', '');
      await answered(50);
      await restore();
    },
  };

  return {
    processes: 4,
    address: () => ({ kind: 'sentinel', client, port }),
    faults: [cutConnections(() => primary, repeats), failover, behind],
    async stop() {
      for (const { direct } of [primary, replica]) direct.disconnect();
      watcher.disconnect();
      await Promise.all([primary.service.stop(), replica.service.stop(), sentinel.stop()]);
    },
  };
}

/** Two servers that share the slots; the one with the flows moves from one to the other, and back. */
export async function startCluster(): Promise<Running> {
  const patient = { 'cluster-node-timeout': '15000', ...durable.redis };
  const nodes = await Promise.all([startNode(patient), startNode(patient)]);
  let [from, to]: [RedisNode, RedisNode] = nodes;
  for (const { direct } of nodes) direct.on('error', ignore);
  // A server without slots would become a replica of the other.
  await from.direct.call('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
  await to.direct.call('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
  await meet(from, to);
  const slot = String(await from.direct.call('CLUSTER', 'KEYSLOT', prefix));
  for (const { direct } of nodes) {
    await until(async () => String(await direct.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  }

  const moved: Fault = {
    name: 'slot moved',
    allows: [],
    async play({ answered }) {
      for (let round = 0; round < 4; round += 1) {
        await answered(100);
        await moveSlot(slot, from, to, async () => await answered(20));
        [from, to] = [to, from];
      }
    },
  };
  const paused: Fault = {
    name: 'paused',
    allows: [],
    async play({ answered, unanswered }) {
      const resume = await pause(machineOf(from.service, from.direct));
      await unanswered(8);
      resume();
      await answered(100);
    },
  };
  const killed: Fault = {
    name: 'killed and started again',
    allows: [],
    async play({ answered, unanswered }) {
      await kill(machineOf(from.service, from.direct));
      await unanswered(4);
      await from.service.resume();
      await answered(100);
    },
  };

  return {
    processes: 4,
    address: (process) => ({
      kind: 'cluster',
      client: clientOf(process),
      port: nodes[process % 2]?.port ?? 0,
    }),
    faults: [moved, cutConnections(() => from, []), paused, killed],
    async stop() {
      for (const { direct } of nodes) direct.disconnect();
      await Promise.all(nodes.map(async ({ service }) => await service.stop()));
    },
  };
}

async function moveSlot(
  slot: string,
  from: RedisNode,
  to: RedisNode,
  pass: () => Promise<void>,
): Promise<void> {
  const [fromId, toId] = [await from.direct.call('CLUSTER', 'MYID'), await to.direct.call('CLUSTER', 'MYID')];
  const setSlot = async ({ direct }: RedisNode, ...what: unknown[]): Promise<void> =>
    void (await direct.call('CLUSTER', 'SETSLOT', slot, ...what.map(String)));
  await setSlot(to, 'IMPORTING', fromId);
  await setSlot(from, 'MIGRATING', toId);
  const some = async (): Promise<string[]> =>
    (await from.direct.call('CLUSTER', 'GETKEYSINSLOT', slot, '50')) as string[];
  for (let keys = await some(); keys.length > 0; keys = await some()) {
    await from.direct.call('MIGRATE', host, `${to.port}`, '', '0', '5000', 'KEYS', ...keys);
    await pass();
  }
  await setSlot(to, 'NODE', toId);
  await pass();
  await setSlot(from, 'NODE', toId);
}
