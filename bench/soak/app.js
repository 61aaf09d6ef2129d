import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RedisStore } from 'connect-redis';
import express from 'express';
import session from 'express-session';
import { createClient } from 'redis';
import { identityVerification } from '../../dist/index.js';
import { sandboxTrust } from '../../dist/dev/sandbox/profile.js';
import { redisStore } from '../../dist/stores/redis.js';

// One process of the app, run with --expose-gc. Flows and sessions live so short that their number settles early.

const { path, serviceUrl, sessionSeconds } = JSON.parse(process.argv[2]);
const hookMs = 20; // as a write to a database takes
const client = createClient({ socket: { path, tls: false }, disableOfflineQueue: true });
client.on('error', () => {}); // they are planted
await client.connect();

const server = createServer().listen(0, '127.0.0.1', () => {
  const app = express();
  app.use(
    session({
      secret: 'of the measuring',
      store: new RedisStore({ client }),
      resave: false,
      saveUninitialized: false,
      cookie: { maxAge: sessionSeconds * 1_000 },
    }),
  );
  const identity = identityVerification({
    baseUrl: serviceUrl,
    apiKey: 'a-key',
    issuer: 'xx-sandbox',
    allowSandbox: true,
    trust: { 'xx-sandbox': sandboxTrust(serviceUrl) },
    appUrl: `http://127.0.0.1:${server.address().port}`,
    store: redisStore({ client }),
    flowTtl: '90s',
    limits: { hookTimeout: '1s' },
    logger: false,
    reveal: ['given_name', 'birth_date'],
    keep: ({ attributes }) => ({ name: attributes.given_name }),
    onVerified: async () => await wait(hookMs),
    onSuccess: async () => await wait(hookMs),
  });
  app.use('/identity', identity);
  app.get('/club', identity.require(), (req, res) => res.json(identity.of(req).kept));
  app.use((_error, _req, res, _next) => {
    if (!res.headersSent) res.status(503).set('Retry-After', '1').end(); // else express-session ends it
  });
  server.on('request', app);
  process.send({ port: server.address().port, id: cluster.worker.id });
});

process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ heap: heapUsed, external, resident: rss, handles: process.getActiveResourcesInfo().length });
});
