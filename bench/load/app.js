import cluster from 'node:cluster';
import { createServer } from 'node:http';
import express from 'express';
import session from 'express-session';
import { identityVerification } from '../../dist/index.js';
import { sandboxTrust } from '../../dist/dev/sandbox/profile.js';
import { stores } from './stores.js';

// One process of the app that is measured: examples/quickstart.ts, with a path of its own to end at.

const { engine, settings, serviceUrl, onVerified, concurrentStarts } = JSON.parse(process.argv[2]);
const { flows, sessions } = await stores[engine](settings);
// No connection is closed while the machine is busy elsewhere.
const server = createServer({ keepAliveTimeout: 120_000 }).listen(0, '127.0.0.1', () => {
  const app = express();
  app.use((_req, res, next) => {
    res.set('X-Process', String(cluster.worker.id));
    next();
  });
  app.use(session({ secret: 'of the measuring', store: sessions, resave: false, saveUninitialized: false }));
  const identity = identityVerification({
    baseUrl: serviceUrl,
    apiKey: 'a-key',
    issuer: 'xx-sandbox',
    allowSandbox: true,
    trust: { 'xx-sandbox': sandboxTrust(serviceUrl) },
    secret: 'of the measuring, of the measuring, of the measuring',
    appUrl: `http://127.0.0.1:${server.address().port}`,
    store: flows,
    limits: { concurrentStarts },
    reveal: ['given_name', 'birth_date'],
    keep: ({ attributes }) => ({ name: attributes.given_name }),
    onSuccess: () => undefined,
    onVerified: onVerified ? () => undefined : undefined,
  });
  app.use('/identity', identity);
  server.on('request', app);
  process.send({ port: server.address().port });
});
