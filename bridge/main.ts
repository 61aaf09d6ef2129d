import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.js';
import { whatIsNeeded } from './help.js';
import { readSettings, SettingsError } from './settings.js';
import { openStore } from './store.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const write = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  await serve();
} catch (error) {
  const said = error instanceof SettingsError ? whatIsNeeded(error.problems) : `${String(error)}\n`;
  process.stderr.write(said, () => process.exit(1)); // a connection to Redis would hold it
}

async function serve(): Promise<void> {
  if (existsSync(`${folder}.env`)) process.loadEnvFile(`${folder}.env`);
  const settings = readSettings(process.env, folder);
  const { store, close } = await openStore(settings.store);
  const server = createServer();
  server.listen(settings.port);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { publicUrl = `http://localhost:${port}`, secrets = [randomBytes(32).toString('base64')] } = settings;
  server.on('request', createApp(settings, { publicUrl, store, secrets, write }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => void close());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 25_000).unref(); // a callback may take 20
    });
  }
  write(`The bridge is at ${publicUrl}, in front of ${settings.verifierUrl} (${settings.verifier}).`);
}
