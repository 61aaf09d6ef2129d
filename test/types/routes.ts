import express from 'express';
import type { Request, RequestHandler, Router } from 'express';
import { createProveClient, identityVerification, memoryStore, parseCallback } from '../../lib/index.js';
import type { AppRequest, FlowStore, Guard, IdentityEvent } from '../../lib/index.js';
import { same } from './equal.js';

const app = express();
const identity = identityVerification({
  reveal: ['given_name'],
  onEvent: (event) => same<typeof event, IdentityEvent>(),
});

// It is a router.
const router: Router = identity;
app.use('/identity', identity);
void router;

type ParsedQuery = Request['query'];

// The guard's type leaves the parameters of its route alone.
const guard = identity.require();
same<typeof guard, Guard>();
const handler: RequestHandler = guard;
void handler;

app.get('/club/:room', identity.require({ maxAge: '30d' }), (req, res) => {
  same<typeof req.params, { room: string }>();
  same<typeof req.query, ParsedQuery>();
  // @ts-expect-error no such parameter
  void req.params.table;
  res.json(identity.of(req)?.verifiedAt);
});
app.use('/club/:room', guard, express.Router());
app.all('/club', [guard, guard]);
app.get<{ id: string }, string, number, { page: '1' }>('/club/:id', guard, (req, res) => {
  same<typeof req.body, number>();
  same<typeof req.query.page, '1'>();
  // @ts-expect-error the route answers a text
  res.json(7);
});
app.post('/forget/:room', async (req, res) => {
  same<typeof req.params, { room: string }>();
  await identity.forget(req);
  res.redirect('/');
});
app.post('/verify/:room', async (req, res) => {
  await identity.start(req, res, { returnTo: `/club/${req.params.room}` });
});

// The functions that are given a request get any of the app's.
identityVerification({
  reveal: ['given_name'],
  subject: (req) => {
    same<typeof req, AppRequest>();
    return req.get('x-user');
  },
  sameDevice: (req) => req.get('x-device') === 'phone',
});
identityVerification({
  reveal: ['given_name'],
  // @ts-expect-error a number is no name
  subject: () => 7,
});
identityVerification({
  reveal: ['given_name'],
  // @ts-expect-error not known in time
  sameDevice: async () => true,
});

// The parts, alone.
const store = memoryStore({ max: 10 });
same<typeof store, FlowStore>();
const client = createProveClient({ baseUrl: 'https://service.example', apiKey: async () => 'key' });
same<Awaited<ReturnType<typeof client.prove>>, { readonly redirectUrl: string }>();
const callback = parseCallback({});
if (callback.kind === 'error') same<typeof callback.error, string>();
else same<typeof callback.presentation, string>();
