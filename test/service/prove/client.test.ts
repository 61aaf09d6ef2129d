import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  createProveClient,
  type IdentityError,
  type ProveClientOptions,
  type ProveRequest,
  type Variant,
} from '../../../lib/index.js';
import { proveErrors } from '../../../lib/service/prove/errors.js';
import { createProveService } from '../../../lib/service/prove/client.js';
import { listenOn } from '../../support/listen.js';
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

  it('sends the defaults, and takes undefined members as absent', async () => {
    service.answers(started(wallet));
    await client().prove(request);
    const spread = { ...request, same_device: undefined, derived: { nationality: undefined } };
    await client().prove(spread as unknown as ProveRequest);
    for (const { body } of service.seen) {
      expect(JSON.parse(body)).toMatchObject({ same_device: false, derived: {} });
    }
    expect(service.seen).toHaveLength(2);
  });

  it.each([200, 201, 202])('takes any 2xx whose body fits (%d)', async (status) => {
    service.answers(json(status, { success: true, redirect_url: wallet, more: 'of it' }));
    expect(await client().prove(request)).toEqual({ redirectUrl: wallet });
  });

  it('takes another spelling of the media type, and a body of exactly the limit', async () => {
    const body = JSON.stringify({ success: true, redirect_url: wallet }).padStart(64 * 1024);
    service.answers(raw(200, { 'content-type': 'Application/JSON ; charset="utf-8"' }, body));
    expect(await client().prove(request)).toEqual({ redirectUrl: wallet });
  });

  it.each([
    ['derived', { derived: { nationality: 'DE' } }],
    ['base', {}],
  ] as const)('says the kit’s words in those of the %s interface', async (variant, more) => {
    service.answers(started(wallet));
    const kit = createProveService({ baseUrl: service.baseUrl, apiKey, variant });
    const asked = { issuer: 'de-ausweis', reveal: ['given_name'] as const, derived: {}, ...more };
    const origin = 'https://shop.example';
    expect(await kit.start({ ...asked, state, sameDevice: true, origin })).toEqual({ redirectUrl: wallet });
    const body = { issuer: 'de-ausweis', revealed: ['given_name'], state, same_device: true };
    expect(JSON.parse(service.seen[0]?.body ?? '')).toEqual({ ...body, ...more });
    expect(kit.toRecord({ ways: [], now: 0, log: { fault() {}, warn() {}, once() {} } })).toEqual({
      variant,
    });
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

describe('connections', () => {
  it('are made by the agent', async () => {
    service.answers(started(wallet));
    const agent = new Agent({ keepAlive: true });
    const { port } = new URL(service.baseUrl);
    agent.createConnection = () => connect(Number(port), '127.0.0.1');
    await client({ agent, baseUrl: 'http://127.8.8.8:1' }).prove(request);
    expect(service.seen).toMatchObject([{ headers: { host: '127.8.8.8:1' } }]);
    agent.destroy();
  });
});

describe('F14 the address that the browser is sent to', () => {
  const bad =
    'javascript:alert(1) http://wallet.example/flow data:text/html,hello openid4vp://authorize ' +
    'https://user:secret@wallet.example/ /relative //wallet.example/ not-a-url';
  it.each(bad.split(' '))('%s is refused', async (url) => {
    service.answers(started(url));
    const error = await failure();
    expect(error).toMatchObject({
      code: 'service_reply_invalid',
      status: 502,
      message: 'The /prove response (HTTP 200) has no https redirect_url.',
    });
  });

  it('may be http on this machine, where the service is on this machine too', async () => {
    const local = 'http://localhost:4000/wallet';
    service.answers(started(local));
    expect(await client().prove(request)).toEqual({ redirectUrl: local });

    const remote = (redirect_url: string) => ({
      baseUrl: 'https://service.example',
      fetch: async () => await Promise.resolve(Response.json({ success: true, redirect_url })),
    });
    expect(await client(remote(wallet)).prove(request)).toEqual({ redirectUrl: wallet });
    for (const url of [local, 'http://wallet.example/']) {
      expect(await failure(remote(url))).toMatchObject({ code: 'service_reply_invalid' });
    }
  });
});

describe('F39 a service that is not well', () => {
  const jsonType = { 'content-type': 'application/json' };
  const stated = (what: string, status = 200) => `The /prove response (HTTP ${status}) ${what}.`;

  const fields = 'lacks required fields';
  const [noType, noFields] = [stated('is not application/json'), stated(fields)];
  const tooLarge = 'The /prove response is too large.';
  const compressed = 'The /prove response is compressed.';

  it.each([
    ['no content type', raw(200, {}, '{}'), noType],
    ['a near miss of the type', raw(200, { 'content-type': 'application/jsonp' }, '{}'), noType],
    ['broken JSON', raw(200, jsonType, '{"success":true'), stated('is not JSON')],
    ['nothing', raw(200, jsonType), stated('is not JSON')],
    ['an empty redirect_url', started(''), noFields],
    ['a redirect_url of another type', started(5), noFields],
    ['success as text', json(200, { success: 'true', redirect_url: wallet }), noFields],
    ['a failure without its error', json(400, { success: false }), stated(fields, 400)],
    ['a failure without a code', json(400, { success: false, error: { error: '' } }), stated(fields, 400)],
    ['a list', json(200, []), noFields],
    ['null', json(200, null), noFields],
    [
      'a body that is not UTF-8',
      raw(200, jsonType, Buffer.from([0x7b, 0xff, 0x7d])),
      'The /prove response is not UTF-8.',
    ],
    ['a compressed body', raw(200, { ...jsonType, 'content-encoding': 'gzip' }), compressed],
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

  it('F114 asks for no compression, and takes no good reply that is compressed all the same', async () => {
    const body = gzipSync(JSON.stringify({ success: true, redirect_url: wallet }));
    service.answers(raw(200, { ...jsonType, 'content-encoding': 'gzip' }, body));
    expect(await failure()).toMatchObject({ code: 'service_reply_invalid', message: compressed });
    expect(service.seen.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity']);
  });

  it('a small body that a fetch of the app unpacks to a huge one: service_reply_invalid', async () => {
    const headers = { ...jsonType, 'content-encoding': 'gzip' };
    service.answers(raw(200, headers, gzipSync(' '.repeat(1_000_000))));
    expect(await failure({ fetch })).toMatchObject({ code: 'service_reply_invalid', message: tooLarge });
    expect(service.seen).toHaveLength(1);
  });

  it('stops reading a body without an end', async () => {
    service.answers((res) => {
      res.writeHead(200, jsonType);
      const pour = (error?: Error | null): void => {
        if (!error) res.write(' '.repeat(16 * 1024), pour);
      };
      pour();
    });
    expect(await failure()).toMatchObject({ message: tooLarge });
  });

  it.each([301, 302, 303, 307, 308])(
    'a redirect is not followed, nor by a fetch of the app (%d)',
    async (status) => {
      for (const options of [{}, { fetch }]) {
        service.answers(raw(status, { ...jsonType, location: `${service.baseUrl}/elsewhere` }, '{}'));
        expect(await failure(options)).toMatchObject({
          code: 'service_reply_invalid',
          message: stated('is a redirect', status),
        });
        expect(service.seen.map(({ url }) => url)).toEqual(['/prove']);
      }
    },
  );

  it('refusing: service_unreachable, with the reason of the network', async () => {
    expect(await failure({ baseUrl: `http://127.0.0.1:${await refusingPort()}` })).toMatchObject({
      code: 'service_unreachable',
      status: 502,
      retryable: true,
      message: 'The service could not be reached (ECONNREFUSED).',
    });
  });

  it('not HTTP: service_unreachable', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    expect(await failure({ baseUrl: await listenOn(server) })).toMatchObject({
      code: 'service_unreachable',
      message: expect.stringMatching(/\((HPE_[A-Z_]+|no network reason given)\)/), // the latter from Node 26 on
    });
    server.close();
    await once(server, 'close');
  });

  it.each(Object.entries(proveErrors))('%s passes unchanged', async (code, { status }) => {
    service.answers(failed(status, code, `About ${state}`));
    expect(await failure()).toMatchObject({
      code,
      serviceCode: code,
      status,
      retryable: code === 'error_internal',
      message: expect.stringMatching(new RegExp(`^The service reported ${code}: .+\\.$`)),
      docs: `pidgate/docs/errors.md#${code}`,
    });
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
    ['error_invalid_body', { ...request, derived: { nationality: 'DE' } }, 'base'],
  ] as [string, unknown, Variant?][])('%s', async (code, asked, variant = 'derived') => {
    service.answers(started(wallet));
    const error = await failure({ variant }, asked as unknown as ProveRequest);
    expect(error).toMatchObject({
      code,
      status: 400,
      retryable: false,
      message: expect.stringMatching(/^Refused before the network: /),
      docs: `pidgate/docs/errors.md#${code}`,
    });
    expect(error).not.toHaveProperty('serviceCode');
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

  it.each(junk)('%j is refused at construction, and from a function before the network', async (key) => {
    service.answers(started(wallet));
    const error = await failureOf(() => client({ apiKey: key as string }));
    const message = 'apiKey may contain only printable ASCII characters, no spaces.';
    expect(error).toMatchObject({ code: 'config_invalid', message });
    expect(everythingIn(error)).not.toContain(apiKey);
    expect(await failure({ apiKey: () => key as string })).toMatchObject({ code: 'config_invalid', message });
    expect(service.seen).toEqual([]);
  });

  it('a function that throws or rejects: hook_failed with its own error as the cause', async () => {
    service.answers(started(wallet));
    const cause = new Error('the vault is sealed');
    const throwing = (): never => {
      throw cause;
    };
    for (const fetchKey of [throwing, async () => await Promise.reject(cause)]) {
      const error = await failure({ apiKey: fetchKey });
      const message = 'apiKey: the function failed.';
      expect(error).toMatchObject({ code: 'hook_failed', retryable: true, message });
      expect(error.cause).toBe(cause);
    }
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
    const reply = Response.json({ success: true, redirect_url: wallet });
    const fetch = jest.fn<typeof globalThis.fetch>(async () => await Promise.resolve(reply));
    await client({ baseUrl: 'https://service.example/api', fetch }).prove(request);
    const init = { method: 'POST', redirect: 'manual', signal: expect.any(AbortSignal) };
    const called = ['https://service.example/api/prove', expect.objectContaining(init)];
    expect(fetch.mock.calls).toEqual([called]);
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
    const message = 'The service could not be reached (no network reason given).';
    expect(error).toMatchObject({ code: 'service_unreachable', message });
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
    ['timeout', 2 ** 31],
    ['variant', 'Base'],
    ['variant', 'constructor'],
    ['agent', 'https://proxy.example'],
    ['agent', null],
  ])('%s %j is refused at construction', async (name, value) => {
    const error = await failureOf(() =>
      createProveClient({ baseUrl: 'https://service.example', apiKey, [name]: value }),
    );
    expect(error.code).toBe('config_invalid');
    expect(error.message).toContain(name);
    expect(everythingIn(error)).not.toContain('pass@');
  });

  it('of an agent beside a fetch is refused', async () => {
    const error = await failureOf(() => client({ fetch, agent: new Agent() }));
    const message = 'agent has no effect alongside fetch, which connects by itself: give one of the two.';
    expect(error).toMatchObject({ code: 'config_invalid', message });
  });
});
