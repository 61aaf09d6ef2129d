import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { type ServerName, pathVariable } from '../support/servers.mjs';

type Describe = (name: string, tests: () => void) => void;

/** Where test/support/services.mjs has started it; empty where it is not installed. */
export function serverPath(name: ServerName): string {
  return process.env[pathVariable(name)] ?? '';
}

/** Skips where the server is not installed, and the reporter says so. */
export function withServer(name: ServerName): Describe {
  return (serverPath(name) === '' ? describe.skip : describe) as Describe;
}

/** All files share the servers, so each test has a name of its own for what it keeps there. */
export function freshName(): string {
  return `t${randomBytes(8).toString('hex')}`;
}
