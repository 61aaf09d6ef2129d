import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAfter } from '../../support/close-after.js';
import { type EngineAddress, loadEngine } from '../../support/engines/engine.js';
import { root } from '../../support/root.js';
import { type App, endAll, runNode } from '../../support/run-app.js';

/** What an app is made of. */
export interface Kind {
  readonly express: 'express' | 'express4';
  readonly modules: 'CommonJS' | 'ES modules';
  readonly store: 'memory' | 'redis' | 'postgres';
}

const stores: Readonly<Record<Kind['store'], string>> = {
  memory: `
import { memoryStore } from 'pidgate';
const store = memoryStore();
const sessions = new session.MemoryStore();`,
  redis: `
import { redisStore } from 'pidgate/redis';
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';
const client = createClient({ socket: { path: at.path, tls: false } }).on('error', console.error);
client.connect();
const store = redisStore({ client, prefix: at.space + ':flow:' });
const sessions = new RedisStore({ client, prefix: at.space + ':session:' });`,
  postgres: `
import { postgresStore } from 'pidgate/postgres';
import connectPgSimple from 'connect-pg-simple';
import pg from 'pg';
const pool = new pg.Pool({ host: at.path, user: 'postgres', database: 'postgres', max: 3 });
const store = postgresStore({ pool, schema: at.space });
const PgStore = connectPgSimple(session);
const sessions = new PgStore({ pool, schemaName: at.space, pruneSessionInterval: false });`,
};

/** As somebody writes it, with the built package. */
const textOf = ({ express, store }: Kind): string => `
import express from '${express}';
import session from 'express-session';
import { identityVerification } from 'pidgate';
const { at, trust, wallets } = JSON.parse(process.env.GIVEN);
${stores[store]}
const appUrl = 'http://localhost:' + process.env.PORT;
const identity = identityVerification({
  appUrl, trust, wallets, store,
  issuer: 'de-ausweis',
  reveal: ['given_name', 'birth_date'],
  ways: ['link', 'code', 'browser'],
  secret: 'only for tests, with 32 characters or more',
  keep: ({ attributes }) => attributes,
  keptAs: 'All of it',
});
const app = express();
app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false, store: sessions }));
app.use('/identity', identity);
app.get('/me', identity.require(), (req, res) => { res.json(identity.of(req).kept); });
app.listen(process.env.PORT, 'localhost', () => { console.log('listens'); });
`;

/** The same by require. */
const required = (text: string): string =>
  text.replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);');

/** Runs such an app until the test is over, `given` what is made in the test. */
export async function startKind(
  kind: Kind,
  at: Pick<EngineAddress, 'path' | 'space'>,
  given: object,
): Promise<App> {
  if (kind.store === 'postgres') await (await loadEngine('postgres')).prepare?.({ name: 'postgres', ...at });
  const isEsm = kind.modules === 'ES modules';
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const folder = mkdtempSync(join(root, 'test-results/wallets-'));
  closeAfter(async () => {
    await endAll();
    rmSync(folder, { recursive: true });
  });
  const file = isEsm ? 'app.mjs' : 'app.cjs';
  writeFileSync(join(folder, file), isEsm ? textOf(kind) : required(textOf(kind)));
  const env = { GIVEN: JSON.stringify({ at, ...given }), NODE_ENV: 'test' };
  const app = await runNode([file], folder, env);
  await app.says('listens');
  return app;
}
