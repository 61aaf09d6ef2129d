import type { Server } from 'node:http';
import { subscribe } from 'node:diagnostics_channel';
import type { IdentityEvent } from 'pidgate';
import { createApp } from '../app.js';
import type { Engine } from './engine.js';
import { openEngine } from './open-engine.js';
import { processNumber } from './process-number.js';

/** Serves the app from this process. */
export async function serve(): Promise<void> {
  const port = Number(process.env['PORT'] ?? 3000);
  const appUrl = process.env['APP_URL'] ?? `http://localhost:${port}`;
  const engine = await openEngine();

  // IDENTITY_BASE_URL, IDENTITY_API_KEY and IDENTITY_ISSUER name the service; `pidgate dev` sets them.
  const server = createApp({ service: { appUrl }, engine, log }).listen(port);
  if (engine === undefined) return;

  // Shows in the terminal how a verification goes from process to process.
  subscribe('pidgate', (event) => log((event as IdentityEvent).type));
  endGracefully(server, engine);
}

function log(line: string): void {
  console.log(processNumber === undefined ? line : `process ${processNumber}: ${line}`);
}

/** Accepts no new connections, finishes running requests, and closes. */
function endGracefully(server: Server, engine: Engine): void {
  const end = (): void => {
    server.close(() => {
      void engine.close().finally(() => process.exit());
    });
  };
  // A second signal, from a terminal and from the first process, changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
}
