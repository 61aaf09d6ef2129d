import assert from 'node:assert/strict';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import nock from 'nock';
import { createProveClient } from 'pidgate';
import { fetch, MockAgent } from 'undici';

// Tests that mock the service's address.
const baseUrl = 'https://service.example';
const reply = { success: true, redirect_url: 'https://wallet.example/' };

async function proveTwice(options = {}) {
  const client = createProveClient({ baseUrl, apiKey: 'a-key', ...options });
  for (const state of ['one', 'two']) {
    const asked = { issuer: 'de-ausweis', revealed: ['given_name'], state };
    assert.deepEqual(await client.prove(asked), { redirectUrl: reply.redirect_url });
  }
}

const scope = nock(baseUrl).post('/prove').times(2).reply(200, reply);
await proveTwice();
assert(scope.isDone());
nock.restore();

const server = setupServer(http.post(`${baseUrl}/prove`, () => HttpResponse.json(reply)));
server.listen({ onUnhandledRequest: 'error' });
await proveTwice();
server.close();

const mockAgent = new MockAgent();
mockAgent.disableNetConnect();
const headers = { 'content-type': 'application/json' };
mockAgent.get(baseUrl).intercept({ path: '/prove', method: 'POST' }).reply(200, reply, { headers }).times(2);
await proveTwice({ fetch: (url, init) => fetch(url, { ...init, dispatcher: mockAgent }) });
