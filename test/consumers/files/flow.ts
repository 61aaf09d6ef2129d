import { once } from 'node:events';
import express from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';
import { createSandbox } from 'pidgate/sandbox';
import { visit } from './visit.cjs';

/** One whole flow. Without annotations, so that the same text is also an ES module in JavaScript. */
export async function flow() {
  const sandbox = await createSandbox();
  const app = express();
  const server = app.listen(0);
  await once(server, 'listening');
  const address = server.address();
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  sandbox.redirectUrl = `${url}/identity/callback`;
  const identity = identityVerification({
    ...sandbox.options,
    appUrl: url,
    reveal: ['given_name'],
    keep: ({ attributes }) => ({ name: attributes.given_name.toUpperCase() }),
  });
  app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
  app.use('/identity', identity);
  app.get('/club/:room', identity.require({ maxAge: '30d' }), (req, res) => {
    res.send(`${identity.of(req)?.kept.name} ${req.params.room}`);
  });
  try {
    return await visit(url);
  } finally {
    server.close();
    await sandbox.close();
  }
}
