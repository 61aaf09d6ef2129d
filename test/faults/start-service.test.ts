import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { proveErrors } from '../../lib/service/prove/errors.js';
import { failed, json, raw, started } from '../service/service.js';
import { type Asked, startAsking, wallet } from '../support/asked-service.js';
import { holdTimers, pass } from '../support/held-timers.js';
import { refusingPort } from '../support/refusing-port.js';

type Answer = (res: ServerResponse) => void;

const page = '<html><body>Bad gateway, marker-inside</body></html>';

const requestTimeout = 10_000;

/** When a reply has begun that is marked so, the rest of it comes too late. */
const halts = { 'x-halts': 'yes' };
const haltingFetch: typeof fetch = async (...args) => {
  const response = await fetch(...args);
  if (response.headers.has('x-halts')) setImmediate(pass, requestTimeout);
  return response;
};

const isAway = 'The identity service is not available';
const hadProblem = 'The identity service had a problem';
const ofType = (type: string) => ({ 'content-type': type });
const asJson = ofType('application/json');
const success = { success: true, redirect_url: wallet };

/** Replies that are none of the interface. */
const invalid: [what: string, answer: Answer][] = [
  ['answers HTML', raw(502, ofType('text/html'), page)],
  ['answers HTML as JSON', raw(200, asJson, page)],
  ['redirects', raw(302, { location: 'https://evil.example/' })],
  ['sends a huge body', raw(200, asJson, `"${'x'.repeat(4_000_000)}"`)],
  ['sends another content type', raw(200, ofType('text/plain'), JSON.stringify(success))],
  ['leaves redirect_url out', json(200, { success: true })],
  ['answers nothing', raw(204, {})],
  ['names a javascript: URL', started('javascript:alert(1)')],
  ['names a plain http URL', started('http://wallet.example/')],
  ['says success with status 500', json(500, success)],
];

/** Replies with a code that is not the service's to say. */
const unknown: [what: string, answer: Answer][] = [
  ['says an unknown code', failed(400, 'error_next_year', 'marker-inside')],
  ['says a code of ours', failed(400, 'session_missing')],
  ['says a code that is markup', failed(400, '<b>x</b>')],
];

const halting: Answer = (res) => void res.writeHead(200, { ...asJson, ...halts }).write('{"success":');

type Misbehaviour = [what: string, answer: Answer, code: string, status: number, page: string];
const misbehaviours: Misbehaviour[] = [
  ['is slow', () => pass(requestTimeout), 'service_timeout', 504, isAway],
  ['is slow in the middle of its reply', halting, 'service_timeout', 504, isAway],
  ['resets the connection', (res) => void res.socket?.resetAndDestroy(), 'service_unreachable', 502, isAway],
  ['hangs up', (res) => void res.socket?.end(), 'service_unreachable', 502, isAway],
  ...invalid.map((row): Misbehaviour => [...row, 'service_reply_invalid', 502, hadProblem]),
  ...unknown.map((row): Misbehaviour => [...row, 'service_error', 502, 'did not succeed']),
  ...Object.entries(proveErrors).map(([code, { status }]): Misbehaviour => [
    `says ${code}`,
    failed(status, code, 'marker-inside'),
    code,
    502,
    // What is wrong with our request or our account stays wrong: nobody is told to try again.
    code === 'error_internal' ? hadProblem : 'This site is not set up correctly',
  ]),
];

describe('F39 the service misbehaves at the start', () => {
  holdTimers();
  let app: Asked;
  beforeAll(async () => {
    const limits = { requestTimeout };
    app = await startAsking({ options: { limits, context: () => ({ order: 7 }), fetch: haltingFetch } });
  });
  beforeEach(() => {
    app.told.length = 0;
    app.events.length = 0;
    app.store.created.length = 0;
    app.sessions.clear();
  });

  test.each(misbehaviours)('F39 it %s', async (_, answer, code, status, title) => {
    app.service.answers(answer);
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/identity/start`);
    expect([shown.status, shown.location]).toEqual([status, undefined]);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(shown.text).toContain(title);
    expect(shown.text).toContain(`<code>${code}</code>`);
    const anew = !title.includes('not set up');
    expect(shown.text.includes('href="/identity/start"')).toBe(anew); // a new start where it can help
    expect(shown.text).not.toContain('marker-inside');
    expect(app.told).toEqual([{ code, step: 'start', context: { order: 7 } }]);
    expect(app.store.created).toHaveLength(1);
    expect([...app.store.held]).toEqual([]);
    const flow = app.store.created[0];
    expect(app.events).toEqual([
      {
        type: 'start.failed',
        at: expect.any(Date),
        flow,
        supportCode: expect.stringMatching(/^[\dA-Z]{4}-[\dA-Z]{4}$/),
        question: 'default',
        code,
      },
    ]);

    // The next one works in the same session.
    app.service.answers(started(wallet));
    await app.start(browser);
    expect(Object.keys(app.stored())).toHaveLength(1);
    app.store.held.clear();
  });

  test.each(misbehaviours)('F39 it %s: a program gets the same as JSON', async (_, answer, code, status) => {
    app.service.answers(answer);
    const shown = await app.browser().post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
    expect([shown.status, shown.json()]).toEqual([
      status,
      { error: code, error_description: expect.stringMatching(/^The service.*\.$/) },
    ]);
    expect(shown.text).not.toContain('marker-inside');
    expect(app.told).toHaveLength(1);
    app.store.held.clear();
  });
});

describe('F39 the service is not there, or onError has a say', () => {
  const open = async (options: Record<string, unknown>): Promise<Asked> => await startAsking({ options });

  test('F39 it refuses connections', async () => {
    const app = await open({ baseUrl: `http://127.0.0.1:${await refusingPort()}` });
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.text.includes('<code>service_unreachable</code>')]).toEqual([502, true]);
    expect(app.told).toEqual([{ code: 'service_unreachable', step: 'start', context: undefined }]);
    expect([...app.store.held]).toEqual([]);
  });

  test('F39 where onError answers redirectTo, the person is sent there', async () => {
    const app = await open({ onError: () => ({ redirectTo: '/sorry' }), errorRedirect: '/oops' });
    app.service.answers(failed(401, 'error_api_key'));
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.location]).toEqual([303, '/sorry']);
  });

  test('F39 errorRedirect takes the place of the page, with a code of the closed list', async () => {
    const app = await open({ errorRedirect: '/oops?from=identity#top' });
    const ends = [];
    for (const code of ['error_api_key', 'error_next_year']) {
      app.service.answers(failed(400, code));
      ends.push((await app.browser().post(`${app.url}/identity/start`)).location);
    }
    expect(ends).toEqual([
      expect.stringMatching(
        /^\/oops\?from=identity&error=error_api_key&question=default&flow=[\w-]{43}&supportCode=[\w-]{9}#top$/,
      ),
      expect.stringMatching(
        /^\/oops\?from=identity&error=service_error&question=default&flow=[\w-]{43}&supportCode=[\w-]{9}#top$/,
      ),
    ]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['answers an address elsewhere', () => ({ redirectTo: 'https://evil.example/' })],
    ['takes too long', async () => await new Promise(() => undefined)],
  ])('F39 an onError that %s changes nothing for the person', async (_, onError) => {
    const app = await open({ onError, limits: { hookTimeout: 50 } });
    app.service.answers(failed(500, 'error_internal'));
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.text.includes('<code>error_internal</code>')]).toEqual([502, true]);
    expect([...app.store.held]).toEqual([]);
  });

  test('F39 a record that cannot be deleted does not hide the error', async () => {
    const app = await open({});
    app.store.delete = async () => await Promise.reject(new Error('down'));
    app.service.answers(failed(500, 'error_internal'));
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, app.told]).toMatchObject([502, [{ code: 'error_internal' }]]);
  });
});
