import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';

type Describe = (name: string, tests: () => void) => void;

const named = (variable: string): string => process.env[variable] ?? '';

/** Where test/support/services.ts has started them; empty where they are not installed. */
export const redisPath = named('PIDGATE_TEST_REDIS');
export const postgresPath = named('PIDGATE_TEST_POSTGRES');

/** Skips where the server is not installed, and the reporter says so. */
export const withRedis: Describe = (redisPath === '' ? describe.skip : describe) as Describe;
export const withPostgres: Describe = (postgresPath === '' ? describe.skip : describe) as Describe;

/** All files share the servers, so each test has a name of its own for what it keeps there. */
export function freshName(): string {
  return `t${randomBytes(8).toString('hex')}`;
}
