import { describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { wrongRequests } from '../../../support/wrong-requests.js';
import { aCustomer, prove, request, sandbox } from '../open.js';

describe('POST /prove', () => {
  it('answers 200 with the address of a wallet page', async () => {
    const service = await sandbox();
    const { status, body } = await prove(service, request());
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, redirect_url: expect.stringContaining(`${service.url}/wallet/`) });
  });

  it.each(wrongRequests(request))('%s: %d %s', async (_what, status, code, body) => {
    const refusal = await prove(await sandbox(), body);
    expect(refusal).toEqual({
      status,
      body: { success: false, error: { error: code, error_description: expect.any(String) } },
    });
  });

  it('another content type: 400 error_invalid_body', async () => {
    const { status, body } = await prove(await sandbox(), request(), { 'content-type': 'text/plain' });
    expect([status, body.error?.['error']]).toEqual([400, 'error_invalid_body']);
  });

  it('a content type with a charset is JSON', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await prove(await sandbox(), request(), headers)).status).toBe(200);
  });

  it('a state for the second time, a day later: 400 error_invalid_body', async () => {
    let time = Date.now();
    const service = await sandbox({ clock: () => new Date(time) });
    const body = request();
    expect((await prove(service, body)).status).toBe(200);
    time += 24 * 60 * 60 * 1000; // its request is gone
    const again = await prove(service, body);
    expect([again.status, again.body.error?.['error']]).toEqual([400, 'error_invalid_body']);
    expect(again.body.error?.['error_description']).toContain('used before');
  });

  it('an internal fault: 500 error_internal', async () => {
    let broken = false;
    const service = await sandbox({
      clock: () => {
        if (broken) throw new Error('no time');
        return new Date();
      },
    });
    broken = true;
    const { status, body } = await prove(service, request());
    expect([status, body.error?.['error']]).toEqual([500, 'error_internal']);
    expect(JSON.stringify(body)).not.toContain('no time');
  });

  it('another method: 405 with Allow', async () => {
    const service = await sandbox();
    const response = await fetch(`${service.url}/prove`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('Authentication', () => {
  it.each<[string, (service: Sandbox) => string, string, unknown?]>([
    ['no key', () => '', 'error_api_key'],
    ['another scheme', () => 'Basic abc', 'error_api_key'],
    ['no key after the scheme', () => 'Bearer ', 'error_api_key'],
    ['a wrong key', () => 'Bearer wrong', 'error_api_key'],
    ['a wrong key, before the body is judged', () => 'Bearer wrong', 'error_api_key', '{'],
    ['an account that is unset', ({ accounts }) => `Bearer ${accounts.unset.apiKey}`, 'error_account'],
    ['a suspended account', ({ accounts }) => `Bearer ${accounts.suspended.apiKey}`, 'error_account'],
  ])('%s: 401', async (_what, key, code, sent = request()) => {
    const service = await sandbox();
    const { status, body } = await prove(service, sent, { authorization: key(service) });
    expect([status, body.success, body.error?.['error']]).toEqual([401, false, code]);
  });

  it('takes the scheme in any letter case', async () => {
    const service = await sandbox({ apiKey: 'the-key' });
    expect((await prove(service, request(), { authorization: 'bearer the-key' })).status).toBe(200);
  });

  it('every account has a key and a Redirect URL of its own', async () => {
    const { redirectUrl } = await aCustomer();
    const { working, unset, suspended } = (await sandbox({ redirectUrl })).accounts;
    expect(new Set([working.apiKey, unset.apiKey, suspended.apiKey]).size).toBe(3);
    suspended.redirectUrl = 'https://other.example/callback';
    expect([working.redirectUrl, unset.redirectUrl, suspended.redirectUrl]).toEqual([
      redirectUrl,
      undefined,
      'https://other.example/callback',
    ]);
  });
});

describe('The base variant', () => {
  it('takes a request without derived', async () => {
    expect((await prove(await sandbox({ variant: 'base' }), request())).status).toBe(200);
  });

  it('refuses derived: 400 error_invalid_body', async () => {
    const { status, body } = await prove(await sandbox({ variant: 'base' }), request({ derived: {} }));
    expect([status, body.error?.['error']]).toEqual([400, 'error_invalid_body']);
  });
});

describe('The log', () => {
  it('tells what happened and no secret', async () => {
    const lines: string[] = [];
    const service = await sandbox({ log: (line) => lines.push(line) });
    await prove(service, request({ state: 'the-secret-state-of-this-flow' }));
    await prove(service, request({ revealed: ['shoe_size'] }));
    expect(lines).toEqual([
      '→ given_name begins',
      expect.stringContaining('prove 400 error_invalid_attribute'),
    ]);
    expect(lines.join()).not.toContain('the-secret-state-of-this-flow');
    expect(lines.join()).not.toContain(service.options.apiKey);
  });
});
