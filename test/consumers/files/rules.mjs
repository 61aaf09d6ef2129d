import { once } from 'node:events';
import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import session from 'express-session';
import { GraphQLError } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import { identityVerification, isAtLeast } from 'pidgate';
import { createSandbox } from 'pidgate/sandbox';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { guardSockets } from './sockets.js';

// What the documents say of GraphQL and Socket.IO in a sentence, played by nobody, by Erika, and by Leon, who is 17.

const app = express();
const server = createServer(app).listen(0);
await once(server, 'listening');
const appUrl = `http://localhost:${server.address().port}`;
const sandbox = await createSandbox({ redirectUrl: `${appUrl}/identity/callback` });
const sessions = session({ secret: 'only for tests', resave: false, saveUninitialized: false });
const identity = identityVerification({
  ...sandbox.options,
  appUrl,
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
  allow: ({ adult }) => adult,
});

const typeDefs = 'type Query { club: String }';
const resolvers = {
  Query: {
    club: (_parent, _args, { req }) => {
      if (identity.of(req)) return 'Welcome';
      const hasVerified = identity.of(req, { evenIfRefused: true }) !== undefined;
      throw new GraphQLError('No.', { extensions: { code: hasVerified ? 'FORBIDDEN' : 'UNAUTHENTICATED' } });
    },
  },
};
const context = async ({ req }) => ({ req });
const apollo = new ApolloServer({ typeDefs, resolvers });
await apollo.start();
app.use(sessions);
app.use('/identity', identity);
app.use(
  '/yoga',
  createYoga({ schema: createSchema({ typeDefs, resolvers }), context, graphqlEndpoint: '/yoga' }),
);
app.use('/apollo', express.json(), expressMiddleware(apollo, { context }));
app.get('/cookie', (req, res) => res.send(req.headers.cookie));
app.get('/', (_req, res) => res.send('Home'));

const sockets = new Server(server);
guardSockets(sockets, { app, identity, sessions });

async function ask(path, cookie) {
  const response = await fetch(appUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', cookie },
    body: '{"query":"{ club }"}',
  });
  const { data, errors } = await response.json();
  return data?.club ?? errors[0].extensions.code;
}

async function connect(cookie) {
  const socket = io(appUrl, { extraHeaders: { cookie }, reconnection: false, forceNew: true });
  const came = await new Promise((resolve) => {
    socket.on('connect', () => resolve('connected'));
    socket.on('connect_error', ({ message }) => resolve(message));
  });
  if (came === 'connected') {
    const ended = once(socket, 'disconnect');
    await fetch(`${appUrl}/log-out`, { method: 'POST', headers: { cookie }, redirect: 'manual' });
    await ended;
  }
  socket.close();
  return came === 'connected' ? 'connected until the log-out' : came;
}

for (const person of [undefined, 'erika', 'minor']) {
  const visit = person === undefined ? undefined : await sandbox.complete(appUrl, { person });
  const cookie = visit === undefined ? '' : (await visit.agent.get('/cookie')).text;
  const came = [await ask('/yoga', cookie), await ask('/apollo', cookie), await connect(cookie)];
  console.log(`${person ?? 'nobody'}: ${came.join(', ')}`);
}
await sockets.close();
await apollo.stop();
await sandbox.close();
