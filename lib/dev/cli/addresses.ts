import { isLoopback } from '../../internal/urls.js';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';

/** Where the app is, and where its callbacks go. */
export interface Addresses {
  readonly port: number;
  readonly callback: string;
  readonly appUrl: string;
}

/**
 * The environment's PORT leads; without it a callback on this machine tells the port. An empty variable is an
 * absent one.
 */
export function addressesOf(callback: string | undefined, env: Terminal['env']): Addresses {
  const callbackUrl = callback === undefined ? undefined : new URL(callback);
  const port = readPort(env['PORT'] || portOf(callbackUrl) || '3000');
  const url = callbackUrl ?? new URL(`http://localhost:${port}/identity/callback`);
  return { port, callback: url.href, appUrl: env['APP_URL'] || url.origin };
}

function portOf(callback: URL | undefined): string | undefined {
  return callback !== undefined && isLoopback(callback) ? callback.port : undefined;
}

function readPort(port: string): number {
  if (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new CliError('PORT in the environment must be a number from 1 to 65535.');
}
