import { afterEach, describe, expect, test } from '@jest/globals';
import { type AppSetup, type Running, startApp } from '../../support/app.js';

type HookRequest = { session: Record<string, unknown> & { destroy(done: () => void): void } };

let running: Running | undefined;
afterEach(async () => await running?.close());

async function open(options: NonNullable<AppSetup['options']>): Promise<Running> {
  running = await startApp({
    options: { keep: () => 'kept', ...options },
    before: (app) =>
      app.post('/login', (req, res) => {
        Object.assign(req.session, { user: 'erika' });
        res.end();
      }),
    after: (app, identity) => {
      app.get('/shown', (req, res) => {
        const { user } = req.session as unknown as Record<string, unknown>;
        res.json([user ?? null, identity.of(req)?.kept ?? null]);
      });
    },
  });
  return running;
}

describe('a return whose onSuccess', () => {
  test('logs somebody else in keeps nothing, for either of them, and the start is offered again', async () => {
    const codes: unknown[] = [];
    const app = await open({
      subject: (req: unknown) => (req as HookRequest).session['user'],
      onSuccess: ({ req }: { req: HookRequest }) => {
        req.session['user'] = 'mallory';
      },
      onError: ({ error }: { error: { code: string } }) => void codes.push(error.code),
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const shown = await browser.get(await app.toReturn(browser));
    expect([shown.status, shown.location]).toEqual([403, undefined]);
    expect(codes).toEqual(['subject_changed']);
    expect((await browser.get(`${app.url}/shown`)).json()).toEqual(['erika', null]);
  });

  test('ends its own session keeps nothing, and the session of before is there again', async () => {
    const codes: unknown[] = [];
    let ending = true;
    const app = await open({
      onSuccess: async ({ req }: { req: HookRequest }) => {
        if (!ending) return;
        await new Promise<void>((resolve) => {
          req.session.destroy(resolve);
        });
      },
      onError: ({ error }: { error: { code: string } }) => void codes.push(error.code),
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    expect((await browser.get(back)).status).toBe(503);
    expect(codes).toEqual(['session_save_failed']);
    expect((await browser.get(`${app.url}/shown`)).json()).toEqual(['erika', null]);
    ending = false;
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(`${app.url}/shown`)).json()).toEqual(['erika', 'kept']);
  });
});
