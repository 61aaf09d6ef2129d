import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { createAccounts } from '../../../../lib/dev/sandbox/service/accounts.js';
import { createJobs, type JobPlan } from '../../../../lib/dev/sandbox/service/jobs.js';
import { createTimeline } from '../../../../lib/dev/sandbox/timeline/timeline.js';
import { deep } from '../../../support/deep.js';
import { wrongRequests } from '../../../support/wrong-requests.js';
import { aCustomer, prove, request, sandbox } from '../open.js';

describe('jobs', () => {
  const clock = (): Date => new Date(0);
  const account = createAccounts(undefined, undefined).working;

  function plan(): JobPlan {
    const request = {
      issuer: 'xx-sandbox',
      revealed: ['given_name' as const],
      state: 's',
      same_device: false,
    };
    const person = {
      given_name: 'Erika',
      family_name: 'Mustermann',
      birth_date: '1964-08-12',
      nationality: ['DE'],
    };
    return {
      account,
      request,
      person,
      scenario: 'approve',
      flow: createTimeline(clock).open('xx-sandbox', 'approve'),
      app: { name: undefined, purposes: {} },
    };
  }

  describe('Memory', () => {
    it('holds so many requests; the oldest leaves', () => {
      const jobs = createJobs(clock, { jobs: 3, states: 3 });
      const made = Array.from({ length: 5 }, () => jobs.open(plan()).id);
      expect(made.map((id) => jobs.find(id) !== undefined)).toEqual([false, false, true, true, true]);
    });

    it('holds so many states; the oldest may come again', () => {
      const jobs = createJobs(clock, { jobs: 3, states: 3 });
      const claimed = ['a', 'b', 'c', 'd', 'd', 'b', 'a'].map((state) => jobs.claim(account, state));
      expect(claimed).toEqual([true, true, true, true, false, false, true]);
    });

    it('tells the states of two accounts apart', () => {
      const jobs = createJobs(clock);
      const other = createAccounts(undefined, undefined).working;
      expect([jobs.claim(account, 'a'), jobs.claim(other, 'a')]).toEqual([true, true]);
    });
  });
});

describe('openapi', () => {
  async function documentOf(url: string): Promise<Record<string, unknown>> {
    return (await (await fetch(`${url}/openapi.json`)).json()) as Record<string, unknown>;
  }

  describe('GET /openapi.json', () => {
    deep.test.each(['base', 'derived'] as const)('is valid OpenAPI 3.1 (%s)', async (variant) => {
      const { url } = await sandbox({ variant });
      const document = await documentOf(url);
      const validator = new Validator();
      expect(await validator.validate(document)).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
      expect(JSON.stringify(document).includes('"derived":{')).toBe(variant === 'derived');
    });

    it('a client generated from it drives /prove', async () => {
      const { url, options } = await sandbox();
      const api = new OpenAPIClientAxios({ definition: (await documentOf(url)) as unknown as Document });
      const client = await api.init();
      const headers = { authorization: `Bearer ${options.apiKey}` };
      const how = { headers, validateStatus: () => true };
      const started = await client['prove']?.(undefined, request(), how);
      expect([started?.status, started?.data]).toEqual([
        200,
        { success: true, redirect_url: expect.stringContaining(`${url}/wallet/`) },
      ]);
      const refused = await client['prove']?.(undefined, request({ revealed: [] }), how);
      expect([refused?.status, refused?.data.error.error]).toEqual([400, 'error_invalid_body']);
    });

    it('names every error code at its status, and the callback', async () => {
      const { paths } = (await documentOf((await sandbox()).url)) as {
        paths: {
          '/prove': { post: { responses: Record<string, { description: string }>; callbacks: object } };
        };
      };
      const { responses, callbacks } = paths['/prove'].post;
      expect(Object.keys(responses)).toEqual(['200', '400', '401', '500']);
      expect(responses['401']?.description).toContain('error_account');
      expect(JSON.stringify(callbacks)).toContain('SuccessCallback');
    });
  });
});

describe('prove route', () => {
  describe('POST /prove', () => {
    it('answers 200 with the address of a wallet page', async () => {
      const service = await sandbox();
      const { status, body } = await prove(service, request());
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        redirect_url: expect.stringContaining(`${service.url}/wallet/`),
      });
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
});
