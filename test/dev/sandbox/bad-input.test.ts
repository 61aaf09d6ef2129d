import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../../lib/dev/sandbox/index.js';
import { openSandbox } from '../../support/app.js';
import { headingOf } from './german.js';

let service: Sandbox;

beforeAll(async () => {
  service = await openSandbox({ redirectUrl: 'http://localhost:1/cb' });
});

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A request with exactly these headers. */
async function send(method: string, path: string, { headers = {}, body }: Sent = {}) {
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = httpRequest(service.url + path, { method, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (text += chunk));
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, text });
      });
    });
    sent.once('error', reject).end(body);
  });
}

const reads = [
  '/',
  '/changes',
  '/jwks.json',
  '/openapi.json',
  '/status/de/current',
  '/status/xx/current',
  '/timeline/x',
  '/timeline/x/changes',
  '/wallet/x',
  '/wallet/x/changes',
].map((path): [string, string] => ['GET', path]);

const writes = ['/prove', '/simulate', '/wallet/x'].map((path): [string, string] => ['POST', path]);

const form = 'application/x-www-form-urlencoded';

const invalidBody = '"error":"error_invalid_body"';

const noPlan = '"error":"The body must be {url';

/** Where a robot reads the answer, not a person. */
const words: Readonly<Record<string, Readonly<Record<'large' | 'unreadable', string>>>> = {
  '/prove': { large: invalidBody, unreadable: invalidBody },
  '/simulate': { large: noPlan, unreadable: noPlan },
};

describe.each([...reads, ...writes])('%s %s', (method, path) => {
  it('under another name: 421', async () => {
    const { status, text } = await send(method, path, { headers: { host: 'evil.example' } });
    expect([status, text]).toEqual([421, expect.stringContaining('only at its own address')]);
  });

  it.each([
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['Origin null', { origin: 'null' }],
  ])('for a page of another site, %s: 403', async (_what, headers) => {
    const { status, text } = await send(method, path, { headers });
    expect([status, headingOf(text)]).toEqual([403, 'Request from another site refused']);
  });
});

it('the Host header must be the address of the sandbox to the letter, else 421 for every path', async () => {
  const { port, host } = new URL(service.url);
  const statusAt = async (name: string, path = '/') =>
    (await send('GET', path, { headers: { host: name } })).status;
  expect([await statusAt(host), await statusAt(`localhost:${port}`)]).toEqual([200, 200]);
  const spellings =
    'evil.example:P 127.1:P 2130706433:P 0x7f000001:P 0.0.0.0:P [::1]:P [::ffff:127.0.0.1]:P LOCALHOST:P localhost.:P ' +
    'x.localhost:P evil@localhost:P localhost:P@evil localhost:P,evil 127.0.0.1:P.evil 127.0.0.1:P0 127.0.0.1:0P ' +
    'evil.example 127.0.0.1 localhost:1';
  for (const wrong of spellings.replaceAll('P', port).split(' ')) {
    for (const path of ['/', '/jwks.json', '/prove']) {
      expect([wrong, await statusAt(wrong, path)]).toEqual([wrong, 421]);
    }
  }
});

it('an unknown path: 404', async () => {
  expect((await send('GET', '/constructor')).status).toBe(404);
});

describe.each(writes)('%s %s', (method, path) => {
  const post = async (type: string, body: string, more: Record<string, string> = {}) =>
    await send(method, path, {
      headers: {
        authorization: `Bearer ${service.accounts.working.apiKey}`,
        'content-type': type,
        ...more,
      },
      body,
    });

  it('more than it takes: 413, or 400 as the interface has it', async () => {
    const { status, text } = await post(form, `a=${'x'.repeat(300_000)}`);
    expect([status, text]).toEqual([
      words[path] === undefined ? 413 : 400,
      expect.stringContaining(words[path]?.large ?? '<h1>Form too large</h1>'),
    ]);
  });

  it('a compressed body, and a charset that nobody knows, are not read', async () => {
    const said = expect.stringContaining(words[path]?.unreadable ?? '<h1>Invalid address or form</h1>');
    const status = words[path] === undefined ? 415 : 400;
    const packed = await post(form, 'a=b', { 'content-encoding': 'gzip' });
    expect([packed.status, packed.text]).toEqual([status, said]);
    const written = await post(`${form}; charset=none`, 'a=b');
    expect([written.status, written.text]).toEqual([status, said]);
  });

  it('a link of another site does not count here', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await post(form, 'decision=approve', headers)).status).toBe(403);
  });
});

it.each(['/timeline', '/wallet'])('GET %s/%%ff, which is no text: 400', async (path) => {
  const { status, text } = await send('GET', `${path}/%ff`);
  expect([status, headingOf(text)]).toEqual([
    400,
    expect.stringContaining(words[`${path}/x`]?.unreadable ?? 'Invalid address or form'),
  ]);
});

it.each(reads.filter(([, path]) => !path.includes('changes')))(
  '%s %s can be linked to from anywhere',
  async (method, path) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect([200, 404]).toContain((await send(method, path, { headers })).status);
  },
);

it('POST /simulate with broken JSON, and with fields that it does not know: 400', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await send('POST', '/simulate', { headers, body: '{' })).status).toBe(400);
  const { status, text } = await send('POST', '/simulate', { headers, body: '{"url":"x","more":1}' });
  expect([status, text]).toEqual([
    400,
    '{"error":"The body must be {url, scenarios?, confirmed?, expectMinor?}."}',
  ]);
});
