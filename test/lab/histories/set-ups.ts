import { randomBytes } from 'node:crypto';
import { openWireTo } from '../deployment/wire.js';
import {
  type EngineAddress,
  engineNames,
  type EngineName,
  loadEngine,
  serverOf,
} from '../../support/engines/engine.js';
import { findServer, type ServerName, servers } from '../../support/servers.mjs';
import { postgresMachine, startPostgresPair } from './postgres-set-ups.js';
import type { Running, SetUp } from './record.js';
import { startCluster, startOneRedis, startSentinels } from './redis-set-ups.js';
import { durable, serverFaults } from './server-faults.js';

/** One process has it for itself. */
const memory: SetUp = {
  name: 'memory',
  start: async () => ({
    processes: 1,
    address: () => ({ kind: 'memory' }),
    faults: [{ name: 'none', allows: [], play: async () => undefined }],
    stop: async () => undefined,
  }),
};

/** One server, and this client of it with its defaults. */
async function startOne(name: EngineName): Promise<Running> {
  const server = serverOf(name);
  const engine = await loadEngine(server);
  const service = await servers[server].start(durable[server]);
  const direct: EngineAddress = { name, path: service.path, space: `s${randomBytes(6).toString('hex')}` };
  await engine.prepare?.(direct);
  const front = await openWireTo(service.path, engine);
  const machine = server === 'postgres' ? postgresMachine(service) : { service, pids };
  return {
    processes: 4,
    address: () => ({ kind: 'server', server: { ...direct, path: front.path } }),
    faults: serverFaults(machine, front.wire, { sendsAgain: engine.asksAgain?.(name) ?? false }),
    async stop() {
      if ('pool' in machine) await machine.pool.end();
      await front.close();
      await service.stop();
    },
  };

  async function pids(): Promise<number[]> {
    const probe = await engine.probe(direct);
    await probe.close();
    return [probe.pid];
  }
}

type Starts = Readonly<Record<string, SetUp['start']>>;

/** The set-ups of more than one server, and those with a client's own settings. */
const more: Partial<Readonly<Record<ServerName, Starts>>> = {
  redis: {
    'ioredis that sends nothing again': startOneRedis,
    'redis sentinel, node-redis': async () => await startSentinels('node-redis'),
    'redis sentinel, ioredis': async () => await startSentinels('ioredis'),
    'redis cluster': startCluster,
  },
  postgres: {
    'postgres, synchronous standby': async () => await startPostgresPair(true),
    'postgres, asynchronous standby': async () => await startPostgresPair(false),
  },
};

/** Every engine and set-up that is recorded; docs/evidence.md has what they show. */
export const setUps: readonly SetUp[] = [
  memory,
  ...engineNames
    .filter((name) => findServer(serverOf(name)) !== undefined)
    .map((name) => ({ name, start: async () => await startOne(name) })),
  ...(Object.keys(more) as ServerName[])
    .filter((server) => findServer(server) !== undefined)
    .flatMap((server) => Object.entries(more[server] ?? {}))
    .map(([name, start]) => ({ name, start })),
];
