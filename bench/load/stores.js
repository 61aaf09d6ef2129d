import session from 'express-session';
import { memoryStore } from '../../dist/stores/memory.js';
import { loadEngine } from '../../test/support/engines/engine.js';
import { serverNames } from '../../test/support/servers.mjs';

/** Flows and sessions, as an app would open them: ten connections for both, or another address for the sessions. */
export const stores = {
  memory: async () => ({ flows: memoryStore({ max: 1_000_000 }), sessions: new session.MemoryStore() }),
  ...Object.fromEntries(serverNames.map((server) => [server, open])),
};

async function open({ server, address, sessionPath }) {
  const module = await loadEngine(server);
  const opened = await module.open(address, 10);
  if (sessionPath === undefined) return opened;
  const { sessions } = await module.open({ ...address, path: sessionPath }, 10);
  return { ...opened, sessions };
}
