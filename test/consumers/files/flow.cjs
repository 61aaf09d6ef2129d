const { once } = require('node:events');
const express = require('express');
const session = require('express-session');
const { identityVerification } = require('pidgate');
const { createSandbox } = require('pidgate/sandbox');
const { visit } = require('./visit.cjs');

exports.flow = async function flow() {
  const sandbox = await createSandbox();
  const app = express();
  const server = app.listen(0);
  await once(server, 'listening');
  const url = `http://localhost:${server.address().port}`;
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
    res.send(`${identity.of(req).kept.name} ${req.params.room}`);
  });
  try {
    return await visit(url);
  } finally {
    server.close();
    await sandbox.close();
  }
};
