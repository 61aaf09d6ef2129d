import { describe, expect, test } from '@jest/globals';
import type { ErrorRequestHandler } from 'express';
import { memoryStore } from '../../lib/index.js';
import { throws } from '../support/app.js';
import { bothForms, callbackApps } from '../support/callbacks.js';

const open = callbackApps();

describe.each(bothForms)("the callback route, confirm '%s'", (confirm) => {
  test('F34 a store that is away answers 503 with Retry-After and nothing from inside', async () => {
    const fault = new Error('redis://user:password@10.0.0.7 refused');
    const store = { ...memoryStore(), read: async () => await Promise.reject(fault) };
    const app = await open({ confirm, options: { store } });
    const begun = await app.begin();
    const { status, headers, text } = await app.deliver({ presentation: 'good', state: begun.state });
    expect([status, headers.get('retry-after'), text]).toEqual([
      503,
      '1',
      '{"error":"store_unavailable","error_description":"The flow store did not respond."}',
    ]);
    expect(app.ran).toEqual([]);
    expect(app.events.at(-1)).toMatchObject({ type: 'callback.refused', code: 'store_unavailable' });
  });

  test('what the kit did not foresee goes to the error handler of the app, once', async () => {
    let broken = false;
    const faults: unknown[] = [];
    const clock = (): Date => (broken ? throws(new TypeError('broken clock'))() : new Date());
    const failed: ErrorRequestHandler = (fault, _req, res, _next) => {
      faults.push(fault);
      res.status(500).json({});
    };
    const options = { clock, store: memoryStore() };
    const app = await open({ confirm, options, after: (it) => it.use(failed) });
    const { state } = await app.begin();
    broken = true;
    expect((await app.deliver({ presentation: 'good', state })).status).toBe(500);
    broken = false;
    expect(faults).toEqual([new TypeError('broken clock')]);
  });

  test('the routes may have other names, and the reply follows', async () => {
    const app = await open({ confirm, options: { routes: { return: '/back' } } });
    const { state, flow } = await app.begin();
    const { body } = await app.deliver({ presentation: 'junk', state });
    const address = `${app.url}/identity/back?error=presentation_invalid`;
    const about = confirm === 'return' ? `&flow=${flow}` : '';
    expect(body.redirect_uri).toBe(address + about);
  });
});
