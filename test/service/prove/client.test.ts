import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IdentityError } from '../../../lib/errors.js';
import type { ProveRequest } from '../../../lib/types/service.js';
import { serviceErrors } from '../../../lib/service/prove/errors.js';
import { type ProveClientOptions, createProveClient } from '../../../lib/service/prove/client.js';
import { holdTimers, pass } from '../../support/held-timers.js';
import { refusingPort } from '../../support/refusing-port.js';
import { everythingIn, failureOf } from '../failure.js';
import { type Service, failed, json, raw, started, startService } from '../service.js';

const apiKey = 'KEY-9f31c0de';
const state = 'STATE-77aa';
const request: ProveRequest = { issuer: 'de-ausweis', revealed: ['given_name', 'birth_date'], state };
const wallet = 'https://wallet.example/flow?id=1';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

function client(options: Partial<ProveClientOptions> = {}) {
  return createProveClient({ baseUrl: service.baseUrl, apiKey, ...options });
}

/** How a call ends; whatever it is, neither the key nor the state is told. */
async function failure(options: Partial<ProveClientOptions> = {}, asked = request): Promise<IdentityError> {
  const error = await failureOf(async () => await client(options).prove(asked));
  expect(everythingIn(error)).not.toContain(apiKey);
  expect(everythingIn(error)).not.toContain(state);
  return error;
}

describe('a call', () => {
  it('sends what the interface specifies and returns the wallet address', async () => {
    service.answers(started(wallet));
    expect(await client().prove({ ...request, same_device: true, derived: { nationality: 'DE' } })).toEqual({
      redirectUrl: wallet,
    });
    expect(service.seen).toHaveLength(1);
    expect(service.seen[0]).toMatchObject({
      method: 'POST',
      url: '/prove',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
    });
    expect(JSON.parse(service.seen[0]?.body ?? '')).toEqual({
      issuer: 'de-ausweis',
      revealed: ['given_name', 'birth_date'],
      state,
      same_device: true,
      derived: { nationality: 'DE' },
    });
  });

  it.each([
    ['', '/prove'],
    ['/', '/prove'],
    ['/api/v1', '/api/v1/prove'],
    ['/api/v1//', '/api/v1/prove'],
  ])('hangs /prove under the base address (%j)', async (path, url) => {
    service.answers(started(wallet));
    await client({ baseUrl: service.baseUrl + path }).prove(request);
    expect(service.seen[0]?.url).toBe(url);
  });

  it('sends the defaults of the variant with derived attributes', async () => {
    service.answers(started(wallet));
    await client().prove(request);
    expect(JSON.parse(service.seen[0]?.body ?? '')).toMatchObject({ same_device: false, derived: {} });
  });

  it.each([undefined, {}])('sends no derived in the base variant (%j)', async (derived) => {
    service.answers(started(wallet));
    await client({ variant: 'base' }).prove({ ...request, ...(derived && { derived }) });
    expect(Object.keys(JSON.parse(service.seen[0]?.body ?? '')).toSorted()).toEqual([
      'issuer',
      'revealed',
      'same_device',
      'state',
    ]);
  });

  it('takes undefined members as absent', async () => {
    service.answers(started(wallet));
    const spread = { ...request, same_device: undefined, derived: { nationality: undefined } };
    await client().prove(spread as unknown as ProveRequest);
    expect(JSON.parse(service.seen[0]?.body ?? '')).toMatchObject({ same_device: false, derived: {} });
  });

  it.each([200, 201, 202])('takes any 2xx whose body fits (%d)', async (status) => {
    service.answers(json(status, { success: true, redirect_url: wallet, more: 'of it' }));
    expect(await client().prove(request)).toEqual({ redirectUrl: wallet });
  });

  it('takes another spelling of the media type', async () => {
    const body = JSON.stringify({ success: true, redirect_url: wallet });
    service.answers(raw(200, { 'content-type': 'Application/JSON ; charset="utf-8"' }, body));
    expect(await client().prove(request)).toEqual({ redirectUrl: wallet });
  });

  it('asks an API key function for each call', async () => {
    service.answers(started(wallet));
    let calls = 0;
    const rotating = client({ apiKey: () => Promise.resolve(`key-${(calls += 1)}`) });
    await rotating.prove(request);
    await rotating.prove(request);
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-1',
      'Bearer key-2',
    ]);
  });
});

describe('F14 the address that the browser is sent to', () => {
  it.each([
    'javascript:alert(1)',
    'http://wallet.example/flow',
    'data:text/html,hello',
    'openid4vp://authorize',
    'https://user:secret@wallet.example/',
    '/relative',
    '//wallet.example/',
    'not a url',
  ])('%s is refused', async (url) => {
    service.answers(started(url));
    const error = await failure();
    expect(error).toMatchObject({
      code: 'service_reply_invalid',
      status: 502,
      message: 'The reply of the service to /prove (HTTP 200) is without an https redirect_url.',
    });
  });

  it('may be http on this machine where the service is on this machine too', async () => {
    service.answers(started('http://localhost:4000/wallet'));
    expect(await client().prove(request)).toEqual({ redirectUrl: 'http://localhost:4000/wallet' });
  });

  it('may not be http, on this machine or elsewhere, where the service is remote', async () => {
    const answer = (redirect_url: string) => () =>
      Promise.resolve(Response.json({ success: true, redirect_url }));
    const remote = { baseUrl: 'https://service.example' };
    for (const url of ['http://localhost:4000/wallet', 'http://wallet.example/']) {
      expect(await failure({ ...remote, fetch: answer(url) })).toMatchObject({
        code: 'service_reply_invalid',
      });
    }
    expect(await client({ ...remote, fetch: answer(wallet) }).prove(request)).toEqual({
      redirectUrl: wallet,
    });
  });
});

describe('F39 a service that is not well', () => {
  holdTimers();
  const jsonType = { 'content-type': 'application/json' };
  const stated = (what: string, status = 200) =>
    `The reply of the service to /prove (HTTP ${status}) is ${what}.`;

  it.each([
    [
      'HTML',
      raw(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>'),
      stated('not JSON by its media type', 502),
    ],
    ['no content type', raw(200, {}, '{}'), stated('not JSON by its media type')],
    [
      'JSON named text',
      raw(200, { 'content-type': 'text/plain' }, '{}'),
      stated('not JSON by its media type'),
    ],
    [
      'a near miss of the type',
      raw(200, { 'content-type': 'application/jsonp' }, '{}'),
      stated('not JSON by its media type'),
    ],
    ['broken JSON', raw(200, jsonType, '{"success":true'), stated('not JSON')],
    ['nothing', raw(200, jsonType), stated('not JSON')],
    ['no redirect_url', json(200, { success: true }), stated('without the fields of the interface')],
    ['an empty redirect_url', started(''), stated('without the fields of the interface')],
    ['a redirect_url of another type', started(5), stated('without the fields of the interface')],
    [
      'success as text',
      json(200, { success: 'true', redirect_url: wallet }),
      stated('without the fields of the interface'),
    ],
    [
      'a failure without its error',
      json(400, { success: false }),
      stated('without the fields of the interface', 400),
    ],
    [
      'a failure without a code',
      json(400, { success: false, error: { error: '' } }),
      stated('without the fields of the interface', 400),
    ],
    ['a list', json(200, []), stated('without the fields of the interface')],
    ['null', json(200, null), stated('without the fields of the interface')],
    [
      'a success with an error status',
      json(500, { success: true, redirect_url: wallet }),
      stated('a success with an error status', 500),
    ],
    [
      'a body that is not UTF-8',
      raw(200, jsonType, Buffer.from([0x7b, 0xff, 0x7d])),
      'The reply of the service to /prove is not UTF-8.',
    ],
    [
      'a huge body',
      raw(200, jsonType, ' '.repeat(64 * 1024) + '{}'),
      'The reply of the service to /prove is too large.',
    ],
    [
      'a small body that unpacks to a huge one',
      raw(200, { ...jsonType, 'content-encoding': 'gzip' }, gzipSync(' '.repeat(1_000_000))),
      'The reply of the service to /prove is too large.',
    ],
  ])('%s: service_reply_invalid', async (_what, answer, message) => {
    service.answers(answer);
    expect(await failure()).toMatchObject({
      code: 'service_reply_invalid',
      status: 502,
      retryable: true,
      message,
    });
    expect(service.seen).toHaveLength(1);
  });

  it('takes a body of exactly the limit', async () => {
    const body = JSON.stringify({ success: true, redirect_url: wallet }).padStart(64 * 1024);
    service.answers(raw(200, jsonType, body));
    expect(await client().prove(request)).toEqual({ redirectUrl: wallet });
  });

  it('stops reading a body without an end', async () => {
    service.answers((res) => {
      res.writeHead(200, jsonType);
      const pour = (error?: Error | null): void => {
        if (!error) res.write(' '.repeat(16 * 1024), pour);
      };
      pour();
    });
    expect(await failure()).toMatchObject({ message: 'The reply of the service to /prove is too large.' });
  });

  it.each([301, 302, 303, 307, 308])('a redirect is not followed (%d)', async (status) => {
    service.answers(raw(status, { ...jsonType, location: `${service.baseUrl}/elsewhere` }, '{}'));
    expect(await failure()).toMatchObject({
      code: 'service_reply_invalid',
      message: 'The reply of the service to /prove is a redirect.',
    });
    expect(service.seen.map(({ url }) => url)).toEqual(['/prove']);
  });

  it('a redirect that a fetch of the app hands on is refused too', async () => {
    const fetch = async (): Promise<Response> => await Promise.resolve(new Response(null, { status: 302 }));
    expect(await failure({ fetch })).toMatchObject({ message: stated('a redirect', 302) });
  });

  it('silence: service_timeout', async () => {
    service.answers(() => {
      pass(50);
    });
    expect(await failure({ timeout: 50 })).toMatchObject({
      code: 'service_timeout',
      status: 504,
      retryable: true,
    });
    expect(service.seen).toHaveLength(1);
  });

  it('a body that stops halfway: service_timeout, and the connection is given up', async () => {
    const closed = new Promise<void>((resolve) => {
      service.answers((res) => {
        res.once('close', resolve);
        res.writeHead(200, jsonType).write('{"success"');
      });
    });
    const halting: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      setImmediate(pass, 50);
      return response;
    };
    expect(await failure({ timeout: 50, fetch: halting })).toMatchObject({ code: 'service_timeout' });
    await closed;
  });

  it('refusing: service_unreachable, with the reason of the network', async () => {
    expect(await failure({ baseUrl: `http://127.0.0.1:${await refusingPort()}` })).toMatchObject({
      code: 'service_unreachable',
      status: 502,
      retryable: true,
      message: 'The service could not be reached (ECONNREFUSED).',
    });
  });

  it('resetting, before and within the body: service_unreachable', async () => {
    service.answers((res) => res.socket?.resetAndDestroy());
    expect(await failure()).toMatchObject({
      code: 'service_unreachable',
      message: expect.stringMatching(/\((ECONNRESET|UND_ERR_SOCKET)\)/),
    });
    service.answers((res) => {
      res
        .writeHead(200, { ...jsonType, 'content-length': '100' })
        .write('{', () => res.socket?.resetAndDestroy());
    });
    expect(await failure()).toMatchObject({ code: 'service_unreachable' });
  });

  it('not HTTP: service_unreachable', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await failure({ baseUrl: `http://127.0.0.1:${port}` })).toMatchObject({
      code: 'service_unreachable',
      message: expect.stringMatching(/\((HPE_[A-Z_]+|no network reason given)\)/), // the latter from Node 26 on
    });
    server.close();
    await once(server, 'close');
  });

  it.each(Object.entries(serviceErrors))('%s at %d passes unchanged', async (code, status) => {
    service.answers(failed(status, code, `About ${state}`));
    expect(await failure()).toMatchObject({
      code,
      serviceCode: code,
      status,
      retryable: code === 'error_internal',
      message: expect.stringMatching(new RegExp(`^The service reported ${code}: .+\\.$`)),
      docs: `pidgate/docs/errors/${code}.md`,
    });
  });

  it('a code that nobody knows is service_error, at its status and with the code beside it', async () => {
    service.answers(failed(429, 'error_slow_down'));
    expect(await failure()).toMatchObject({
      code: 'service_error',
      serviceCode: 'error_slow_down',
      status: 429,
      retryable: false,
      docs: 'pidgate/docs/errors/service_error.md',
    });
  });

  it('a code of ours is not believed', async () => {
    service.answers(failed(400, 'refused'));
    expect(await failure()).toMatchObject({ code: 'service_error', serviceCode: 'refused', status: 400 });
  });

  it('a failure without a description still tells its code', async () => {
    service.answers(json(401, { success: false, error: { error: 'error_account' } }));
    expect(await failure()).toMatchObject({ code: 'error_account', status: 401 });
  });
});

describe('refused before the network', () => {
  it.each([
    ['error_missing_parameter', {}],
    ['error_missing_state', { ...request, state: '' }],
    ['error_wrong_issuer', { ...request, issuer: '' }],
    ['error_invalid_body', { ...request, revealed: [] }],
    ['error_invalid_attribute', { ...request, revealed: ['shoe_size'] }],
    ['error_invalid_attribute', { ...request, derived: { age: '18' } }],
    ['error_invalid_body', { ...request, sameDevice: true }],
    ['error_invalid_body', { ...request, same_device: 1n }],
  ])('%s', async (code, asked) => {
    service.answers(started(wallet));
    const error = await failure({}, asked as unknown as ProveRequest);
    expect(error).toMatchObject({
      code,
      status: 400,
      retryable: false,
      message: expect.stringMatching(/^Refused before the network: /),
      docs: `pidgate/docs/errors/${code}.md`,
    });
    expect(error).not.toHaveProperty('serviceCode');
    expect(service.seen).toEqual([]);
  });

  it('derived in the base variant', async () => {
    service.answers(started(wallet));
    const error = await failure({ variant: 'base' }, { ...request, derived: { nationality: 'DE' } });
    expect(error).toMatchObject({ code: 'error_invalid_body' });
    expect(service.seen).toEqual([]);
  });

  it('no API key is fetched for it', async () => {
    const fetchKey = jest.fn(() => apiKey);
    await failure({ apiKey: fetchKey }, { ...request, revealed: [] });
    expect(fetchKey).not.toHaveBeenCalled();
  });
});

describe('the API key', () => {
  const junk = ['', ' ', `${apiKey} `, `${apiKey}\r\nx-more: 1`, `${apiKey}é`, undefined, null, 5, {}];

  it.each(junk)('%j is refused at construction', async (key) => {
    const error = await failureOf(() => client({ apiKey: key as string }));
    expect(error).toMatchObject({
      code: 'config_invalid',
      message: 'apiKey must be visible ASCII without spaces.',
    });
    expect(everythingIn(error)).not.toContain(apiKey);
  });

  it.each(junk)('%j from a function is refused before the network', async (key) => {
    service.answers(started(wallet));
    expect(await failure({ apiKey: () => key as string })).toMatchObject({ code: 'config_invalid' });
    expect(service.seen).toEqual([]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the vault is sealed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the vault is sealed'))],
  ])('a function that %s: hook_failed with its own error as the cause', async (_how, fetchKey) => {
    service.answers(started(wallet));
    const error = await failure({ apiKey: fetchKey });
    expect(error).toMatchObject({
      code: 'hook_failed',
      retryable: true,
      message: 'apiKey: the function failed.',
    });
    expect(error.cause).toEqual(new Error('the vault is sealed'));
    expect(service.seen).toEqual([]);
  });

  it('a function that never settles: service_timeout', async () => {
    service.answers(started(wallet));
    const error = await failure({ timeout: 30, apiKey: () => new Promise(() => undefined) });
    expect(error).toMatchObject({ code: 'service_timeout' });
    expect(service.seen).toEqual([]);
  });
});

describe('the fetch that is handed in', () => {
  it('is called once, with a deadline and without redirects', async () => {
    const fetch = jest.fn<typeof globalThis.fetch>(() =>
      Promise.resolve(Response.json({ success: true, redirect_url: wallet })),
    );
    await client({ baseUrl: 'https://service.example/api', fetch }).prove(request);
    expect(fetch).toHaveBeenCalledTimes(1);
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('https://service.example/api/prove');
    expect(init).toMatchObject({ method: 'POST', redirect: 'error' });
    expect(init?.signal).toBeInstanceOf(AbortSignal);
  });

  it.each([
    new Error(`could not send Bearer ${apiKey}`),
    new TypeError('fetch failed', { cause: new Error(`headers: ${apiKey}`) }),
    Object.assign(new Error('odd'), { code: `${apiKey} is not valid` }),
    apiKey,
    null,
    undefined,
  ])('may quote the key where it fails: nobody hears it (%#)', async (thrown) => {
    // eslint-disable-next-line typescript/prefer-promise-reject-errors
    const error = await failure({ fetch: () => Promise.reject(thrown) });
    expect(error).toMatchObject({
      code: 'service_unreachable',
      message: 'The service could not be reached (no network reason given).',
    });
    expect('cause' in error).toBe(false);
  });

  it('may ignore the signal: the call ends all the same', async () => {
    let signal: AbortSignal | null | undefined;
    const error = await failure({
      timeout: 20,
      fetch: (_url, init) => {
        signal = init?.signal;
        return new Promise(() => undefined);
      },
    });
    expect(error).toMatchObject({ code: 'service_timeout' });
    expect(signal?.aborted).toBe(true);
  });

  it('may answer without a body', async () => {
    const fetch = () =>
      Promise.resolve(new Response(null, { headers: { 'content-type': 'application/json' } }));
    expect(await failure({ fetch })).toMatchObject({ code: 'service_reply_invalid' });
  });
});

describe('configuration', () => {
  it.each([
    ['baseUrl', 'http://service.example'],
    ['baseUrl', 'service.example'],
    ['baseUrl', 'https://user:pass@service.example'],
    ['baseUrl', undefined],
    ['timeout', 0],
    ['timeout', -1],
    ['timeout', Number.NaN],
    ['timeout', 2 ** 31],
    ['timeout', '10s'],
    ['variant', 'Base'],
    ['variant', 'constructor'],
  ])('%s %j is refused at construction', async (name, value) => {
    const error = await failureOf(() =>
      createProveClient({ baseUrl: 'https://service.example', apiKey, [name]: value }),
    );
    expect(error.code).toBe('config_invalid');
    expect(error.message).toContain(name);
    expect(everythingIn(error)).not.toContain('pass@');
  });
});
