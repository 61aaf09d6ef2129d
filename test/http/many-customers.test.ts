import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { memoryStore } from '../../lib/index.js';
import { identityWith, openSandbox, startApp, type Identity, type Running } from '../support/app.js';
import { decide } from '../support/wallet.js';

/** docs/many-customers.md: a factory for each customer, made when it is first needed, on one store and one session. */
async function open() {
  const made = new Map<string, Identity>();
  const sandboxes = { acme: await openSandbox(), bravo: await openSandbox() };
  const store = memoryStore();
  const factoryOf = (customer: 'acme' | 'bravo', appUrl: string): Identity => {
    const identity =
      made.get(customer) ??
      identityWith({
        ...sandboxes[customer].options,
        appUrl,
        store,
        path: `/${customer}/identity`,
        reveal: ['given_name'],
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        logger: false,
      });
    made.set(customer, identity);
    return identity;
  };
  const named = (req: Request): 'acme' | 'bravo' => req.params['customer'] as 'acme' | 'bravo';
  let url = '';
  const app: Running = await startApp({
    after(it) {
      it.use('/:customer/identity', (req, res, next) => factoryOf(named(req), url)(req, res, next));
      it.get('/:customer/club', (req, res, next) => factoryOf(named(req), url).require()(req, res, next));
      it.get('/:customer/club', (req, res) => void res.json(factoryOf(named(req), url).of(req)?.kept));
    },
  });
  url = app.url;
  for (const customer of ['acme', 'bravo'] as const) {
    sandboxes[customer].redirectUrl = `${url}/${customer}/identity/callback`;
  }
  return { app, sandboxes };
}

test('a flow of one customer is none of the other, in one session and on one store', async () => {
  const { app } = await open();
  const browser = app.browser();
  const started = await browser.post(`${app.url}/acme/identity/start?returnTo=/acme/club`);
  const back = await decide(started.location ?? '', 'approve');

  const elsewhere = await browser.get(back.replace('/acme/', '/bravo/'));
  expect([elsewhere.status, elsewhere.location]).toEqual([200, undefined]); // a page that asks once more
  expect((await browser.get(`${app.url}/bravo/club`)).status).toBe(303);
  const shown = await browser.get(back);
  expect([shown.status, shown.location]).toEqual([303, `${app.url}/acme/club`]);
  expect((await browser.get(`${app.url}/acme/club`)).json()).toBe('Erika');
  const guarded = await browser.get(`${app.url}/bravo/club`);
  expect([guarded.status, guarded.location]).toEqual([303, '/bravo/identity/start?returnTo=%2Fbravo%2Fclub']);
});

test('a callback of one customer is unknown to the other', async () => {
  const { app, sandboxes } = await open();
  sandboxes.acme.redirectUrl = `${app.url}/bravo/identity/callback`;
  const browser = app.browser();
  await browser.get(`${app.url}/bravo/club`);
  const started = await browser.post(`${app.url}/acme/identity/start?returnTo=/acme/club`);
  const back = await decide(started.location ?? '', 'approve');
  expect(back).toBe(`${app.url}/bravo/identity/return?error=state_unknown`);
  expect((await browser.get(`${app.url}/acme/club`)).status).toBe(303);
});
