import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { createApp } from './app.js';
import { checkVerifier } from './check.js';
import { whatIsNeeded } from './help.js';
import { createLog } from './log.js';
import { createMetrics } from './metrics.js';
import { readSettings, SettingsError } from './settings.js';
import { openStore } from './store.js';

const log = createLog();

try {
  await serve();
} catch (error) {
  const said = error instanceof SettingsError ? whatIsNeeded(error.problems) : `${String(error)}\n`;
  process.stderr.write(said, () => process.exit(1)); // a connection to Redis would hold it
}

async function serve(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readSettings(process.env);
  const { store, close } = await openStore(settings.store, log);
  const server = createServer();
  const port = await listen(settings.port, settings.host);
  const { publicUrl = `http://localhost:${port}`, secrets = [randomBytes(32).toString('base64')] } = settings;
  const metrics = createMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  const app = createApp(settings, { publicUrl, store, secrets, log, metrics });
  server.on('request', (req, res) => {
    if (!server.listening) res.setHeader('Connection', 'close'); // whoever polls goes to another process
    app(req, res);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'the bridge ends when what is under way is finished');
      server.close(() => void close());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 25_000).unref(); // a callback may take 20
    });
  }
  const why = await checkVerifier(settings, publicUrl); // meanwhile visitors are answered
  if (why !== undefined) {
    const text = `the verifier at ${settings.verifierUrl} cannot be reached now; the bridge starts all the same`;
    log.warn({ why }, text);
  }
  if (!server.listening) return; // it was told to end
  log.info(`The bridge is at ${publicUrl}, in front of ${settings.verifierUrl} (${settings.verifier}).`);

  async function listen(wanted: number, host: string | undefined): Promise<number> {
    server.listen(wanted, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const name = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'BRIDGE_HOST';
      throw new SettingsError([
        `${name}: the bridge cannot listen on port ${wanted}${host === undefined ? '' : ` of ${host}`} (${code})`,
      ]);
    }
    return (server.address() as AddressInfo).port;
  }
}
