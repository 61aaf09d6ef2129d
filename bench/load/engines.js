import { loadEngine, startServer } from '../../test/support/engines/engine.js';
import { serverNames, servers } from '../../test/support/servers.mjs';

const space = 'bench';

/**
 * The engines as one would run them, each with what only measures, and an address for `stores`. They stop with this
 * process.
 */
export const engines = {
  memory: async () => ({ settings: {}, pid: undefined, stop: async () => {} }),
  ...Object.fromEntries(serverNames.map((server) => [server, async () => await start(server)])),
};

async function start(server) {
  const module = await loadEngine(server);
  const [name] = servers[server].clients;
  const service = await startServer(name, module.production);
  const address = { name, path: service.path, space };
  await module.prepare?.(address);
  const probe = await module.probe(address);
  return {
    ...probe,
    module,
    settings: { server, address },
    async stop() {
      await probe.close();
      await service.stop();
    },
  };
}
