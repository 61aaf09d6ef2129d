import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import express from 'express';
import session from 'express-session';
import { identityVerification } from '../../dist/index.js';
import { serverNames } from '../../test/support/servers.mjs';
import { engines } from '../load/engines.js';
import { stores } from '../load/stores.js';
import { machine, table } from '../report.js';

// What the dearest start of somebody without a cookie leaves in each engine. The address to return to is all that a
// stranger can make longer; what `context` stores is up to the app.

const starts = 200;
const usual = '/club';
const length = Number(process.argv[2] ?? 500);
const longest = `/${randomBytes(length).toString('base64url').slice(1, length)}`; // which no engine compresses

const rows = [];
for (const engine of ['memory', ...serverNames]) {
  for (const returnTo of [usual, longest]) {
    rows.push([engine, returnTo.length, ...Object.values(await measure(engine, returnTo)).map(Math.round)]);
  }
}
console.log(`${machine()}; ${starts} starts without a cookie, bytes of each\n`);
const columns = ['flow as written', 'flow in the engine', 'session as JSON', 'session in the engine'];
console.log(table(['engine', 'characters of returnTo', ...columns], rows));

async function measure(engine, returnTo) {
  const opened = await engines[engine]();
  const { flows, sessions, close } = await stores[engine](opened.settings);
  const written = { flow: 0, session: 0 };
  const store = {
    create: async (id, value, ttl) => {
      written.flow += id.length + value.length;
      return await flows.create(id, value, ttl);
    },
    read: flows.read,
    replace: flows.replace,
    delete: flows.delete,
  };
  const { set } = sessions;
  sessions.set = (id, data, done) => {
    written.session += id.length + JSON.stringify(data).length;
    set.call(sessions, id, data, done);
  };

  const app = express();
  app.use(session({ secret: 'of the measuring', store: sessions, resave: false, saveUninitialized: false }));
  const identity = identityVerification({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'a-key',
    issuer: 'de-ausweis',
    appUrl: 'https://shop.example',
    reveal: ['given_name', 'birth_date'],
    trust: { 'de-ausweis': async () => ({ valid: false, reason: 'Nobody asks.' }) },
    fetch: async () => Response.json({ success: true, redirect_url: 'http://127.0.0.1:1/' }),
    store,
    secret: 'only for the measuring, and long enough',
    logger: false,
  });
  app.set('trust proxy', 1);
  app.use('/identity', identity);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}/identity/start?returnTo=${returnTo}`;
  const headers = {
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-host': 'shop.example',
    'x-forwarded-proto': 'https',
  };
  for (let made = 0; made < starts; made += 1) {
    const { status } = await fetch(address, { method: 'POST', headers, redirect: 'manual' });
    if (status !== 200 && status !== 303) throw new Error(`A start answered ${status}`);
  }
  const held = engine === 'memory' ? undefined : await opened.held();
  server.close();
  server.closeAllConnections();
  await close?.();
  await opened.stop();
  const asWritten = { flow: written.flow / starts, session: written.session / starts };
  return {
    flow: asWritten.flow,
    flowHeld: held?.flow ?? asWritten.flow,
    session: asWritten.session,
    sessionHeld: held?.session ?? asWritten.session,
  };
}
