import express from 'express';
import session from 'express-session';
import { identityVerification } from '../../dist/index.js';

// A child of main.js, run with --expose-gc: an app whose verifier takes every presentation. Asked by a message, it says
// what it weighs; at each start, which state the service got.

const app = express();
app.use(session({ secret: 'of the measuring', resave: false, saveUninitialized: false }));
const identity = identityVerification({
  baseUrl: 'http://127.0.0.1:1',
  apiKey: 'a-key',
  issuer: 'xx-bench',
  appUrl: 'http://127.0.0.1:2',
  reveal: ['given_name'],
  trust: { 'xx-bench': async () => ({ valid: true, attributes: { given_name: 'Erika' }, derived: {} }) },
  fetch: async (_url, { body }) => {
    process.send({ state: JSON.parse(body).state });
    return Response.json({ success: true, redirect_url: 'http://127.0.0.1:1/' });
  },
  logger: false,
});
app.use('/identity', identity);

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', () => {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ resident: rss, held: heapUsed + external });
});
