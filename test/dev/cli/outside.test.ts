import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { run } from '../../../lib/dev/cli/run.js';
import { openSandbox } from '../../../lib/dev/sandbox/create-sandbox.js';
import type { Sandbox, SandboxOptions } from '../../../lib/dev/sandbox/index.js';
import { certify, newKeys, pemOf } from '../../../lib/dev/sandbox/issuers/certificates.js';
import { clubApp } from '../sandbox/simulator/customer-app.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { foreignWallet } from '../../support/foreign-wallet.js';
import { openid4vpLinkOn } from '../sandbox/german.js';
import { aCustomer, prove as proveAt, sandbox as aSandbox } from '../sandbox/open.js';
import { type FakeTerminal, folder, ran, terminal } from './terminal.js';
import { deep } from '../../support/deep.js';
import { keyPair } from '../../support/key-pair.js';

const from = Math.floor(Date.now() / 1000) - 60;
const authority = certify({ name: 'An authority', from });
const tls = certify({ name: 'This machine', from, issuer: authority, dnsName: 'localhost' });
const access = certify({ name: 'A service', from, issuer: authority, dnsName: 'localhost' });

/** Certificates of the access key for itself: one says so, the other names an issuer that did not sign. */
const own = certify({ name: 'A service', from, keys: access });
const disguised = certify({
  name: 'A service',
  from,
  keys: access,
  issuer: { ...authority, privateKey: access.privateKey },
});

const clientId = `x509_hash:${createHash('sha256').update(access.der).digest('base64url')}`;

const keyOf = ({ privateKey }: Pick<typeof tls, 'privateKey'>): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const files = {
  'tls.pem': pemOf(tls),
  'tls.key': keyOf(tls),
  'access.pem': pemOf(access) + pemOf(authority),
  'access.key': keyOf(access),
  'own.pem': pemOf(own),
  'disguised.pem': pemOf(disguised),
  'turned.pem': pemOf(authority) + pemOf(access),
  'registration.jwt': 'a.signed.registration\n',
  'other.key': keyOf(newKeys()),
  'rsa.key': keyOf(keyPair('rsa', { modulusLength: 2048 })),
  'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
};

const flags = {
  host: 'localhost:0',
  'tls-cert': 'tls.pem',
  'tls-key': 'tls.key',
  'access-certificate': 'access.pem',
  'access-key': 'access.key',
};

const argv = (more: Readonly<Record<string, string | undefined>> = {}): string[] => [
  'sandbox',
  ...Object.entries({ port: '0', ...flags, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  ),
];

let running: { at: FakeTerminal; ended: Promise<number> } | undefined;
let made: Sandbox | undefined;

afterEach(async () => {
  running?.at.signals.emit('SIGINT');
  await running?.ended;
  await made?.close();
  running = made = undefined;
});

interface Started {
  readonly at: FakeTerminal;
  /** On this machine. */
  readonly inner: string;
  /** For wallets. */
  readonly outer: string;
}

async function start(more: Readonly<Record<string, string>> = {}): Promise<Started> {
  const at = terminal({ cwd: folder(files) });
  running = { at, ended: run(argv(more), at) };
  await at.said('APP_URL=');
  const inner = /IDENTITY_BASE_URL=(.+)/.exec(at.out())?.[1] ?? '';
  const outer = /anyone who can reach (\S+) can/.exec(at.err())?.[1] ?? '';
  return { at, inner, outer };
}

interface Given {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | undefined;
}

/** A request over TLS that trusts the authority of this test. */
async function ask(url: string, { method = 'GET', headers = {}, body }: Given = {}) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname: servername } = new URL(url); // else the Host header would name it
    const options = { method, headers, ca: pemOf(authority), servername, agent: false };
    const sent = httpsRequest(url, options, resolve);
    sent.once('error', reject).end(body);
  });
  return { status: reply.statusCode, headers: reply.headers, text: await text(reply) };
}

/** The same, as `fetch` does it. */
async function overTls(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const { url: address, method, headers, body } = new Request(url, init);
  const sent = body === null ? undefined : await new Response(body).text();
  const reply = await ask(address, { method, headers: Object.fromEntries(headers), body: sent });
  const type = reply.headers['content-type'] ?? '';
  return new Response(reply.text, { status: reply.status ?? 0, headers: { 'content-type': type } });
}

/** Chooses the QR code on a page, and returns the headers of the browser that did. */
async function chooseQr(page: string): Promise<Record<string, string>> {
  const cookie = (await ask(page)).headers['set-cookie']?.[0] ?? '';
  expect(cookie).toContain('; HttpOnly; SameSite=Lax; Secure');
  const headers = {
    cookie: cookie.split(';')[0] ?? '',
    origin: new URL(page).origin,
    'content-type': 'application/x-www-form-urlencoded',
  };
  expect((await ask(page, { method: 'POST', headers, body: 'way=qr' })).status).toBe(303);
  return headers;
}

/** The same sandbox, made in code. */
async function openToOthers(options: SandboxOptions = {}): Promise<Sandbox> {
  const { sandbox } = await openSandbox(
    { issuer: 'de-ausweis', ...options },
    {
      hostname: 'localhost',
      port: 0,
      tls: { cert: files['tls.pem'], key: files['tls.key'] },
      access: { certificate: files['access.pem'], key: files['access.key'] },
    },
  );
  made = sandbox;
  return sandbox;
}

/** The page of a new flow. */
async function prove({ inner }: Started): Promise<string> {
  const reply = await fetch(`${inner}/prove`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json' },
    body: JSON.stringify({ issuer: 'de-ausweis', revealed: ['given_name'], state: 'a-state' }),
  });
  return ((await reply.json()) as { redirect_url: string }).redirect_url;
}

describe('pidgate sandbox --host', () => {
  it('lets a wallet on another machine in, with the certificates that were named', async () => {
    const started = await start({ 'registration-certificate': 'registration.jwt' });
    const { outer } = started;
    const page = await prove(started);
    expect(page.startsWith(`${outer}/wallet/`)).toBe(true);
    const shown = (await ask(page, { headers: await chooseQr(page) })).text;
    expect(shown).toContain('Scan this with your phone');
    expect(shown).not.toContain('/holder');
    const link = new URL(openid4vpLinkOn(shown)).searchParams;
    const object = (await ask(link.get('request_uri') ?? '')).text;
    expect(decodeProtectedHeader(object).x5c).toEqual([access.der.toString('base64')]); // without the anchor
    expect(decodeJwt(object)).toMatchObject({
      client_id: clientId,
      response_uri: expect.stringMatching(new RegExp(`^${outer}/response/`)),
      verifier_info: [{ format: 'registration_cert', data: 'a.signed.registration' }],
    });
    expect(started.at.err()).toContain(`Its client id is ${clientId}:`);
  });

  it('opens nothing else: what steers the sandbox stays on loopback', async () => {
    const { at, inner, outer } = await start();
    for (const path of ['/', '/changes', '/timeline/x', '/simulate', '/openapi.json', '/holder/x']) {
      expect([path, (await ask(outer + path)).status]).toEqual([path, 404]);
    }
    expect((await ask(`${outer}/prove`, { method: 'POST' })).status).toBe(404);
    expect((await ask(`${outer}/jwks.json`)).status).toBe(200);
    for (const host of ['localhost', 'localhost:1', '127.0.0.1', new URL(inner).host]) {
      expect([host, (await ask(`${outer}/jwks.json`, { headers: { host } })).status]).toEqual([host, 421]);
    }
    expect((await fetch(inner)).status).toBe(200);
    expect(at.out()).toContain('IDENTITY_ISSUER=de-ausweis');
    const registered = await (await fetch(`${inner}/trust.json`)).json();
    expect(Object.keys(registered as object)).toEqual(['xx-sandbox']); // for the other, the app's own trust entry counts
  });

  it('F85 answers under its name to the letter, and under nothing that only begins or ends with it', async () => {
    const { outer } = await start();
    const { host, port } = new URL(outer);
    const spellings = [
      ...['.evil', '.', '0', '1', ':1', '@evil.example', '/evil', ',evil', '%00', '#'].map(
        (end) => host + end,
      ),
      ...['x', 'evil.', 'evil@', '.', '//', 'evil.example,'].map((begin) => begin + host),
      host.toUpperCase(),
      `localhost.:${port}`,
      `localhost.evil:${port}`,
      `LOCALHOST:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
    ];
    for (const spelling of spellings) {
      const { status } = await ask(`${outer}/jwks.json`, { headers: { host: spelling } });
      expect([spelling, status]).toEqual([spelling, 421]);
    }
    expect((await ask(`${outer}/jwks.json`, { headers: { host } })).status).toBe(200);
  });

  deep.test(
    'a wallet of other libraries proves a PID of another authority there, over TLS and by a QR code',
    async () => {
      const authorities = await aSandbox(); // of a test environment
      const { callbacks, redirectUrl } = await aCustomer();
      const service = await openToOthers({ redirectUrl });
      const state = 'a-state';
      const asked = { issuer: 'de-ausweis', revealed: ['given_name'], state };
      const page = (await proveAt(service, asked)).body.redirect_url;
      const headers = await chooseQr(page);
      const wallet = await foreignWallet({
        accessAnchors: [pemOf(authority)],
        issuePid: async (order) => await authorities.issuePid(order),
        fetch: overTls,
      });
      const opened = await wallet.open(openid4vpLinkOn((await ask(page, { headers })).text));
      expect(await opened.send(await opened.respond())).toEqual({ status: 200, body: {} });
      expect((await ask(page, { headers })).headers.location).toContain('code=');

      const expected = { issuer: 'de-ausweis', state, reveal: ['given_name'] } as const;
      const trust = {
        format: 'sd-jwt-vc',
        keys: authorities.options.trust['de-ausweis'].keys,
        iss: authorities.url,
        vct: ['urn:eudi:pid:de:1'],
        keyBinding: { nonce: 'state-sha256', audience: clientId },
      } as const;
      const presentation = callbacks[0]?.body.get('presentation') ?? '';
      const verdict = await verifyPresentation(presentation, expected, { 'de-ausweis': trust });
      expect(verdict).toMatchObject({ valid: true, attributes: { given_name: 'ERIKA' } });
    },
  );

  it('a robot cannot answer for a wallet that is elsewhere, and says so', async () => {
    const service = await openToOthers();
    await expect(service.complete(clubApp(service.options))).rejects.toThrow('only your own wallet');
  });

  it('neither listens in production', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      const at = await ran(argv(), 1, { cwd: folder(files) });
      expect(at.err()).toContain('it does not run with NODE_ENV=production');
      expect(at.err()).not.toContain('anyone who can reach');
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  const refused: [string, Readonly<Record<string, string | undefined>>, 1 | 2, string][] = [
    ['a file that is not there', { 'tls-key': 'gone.key' }, 1, '--tls-key: gone.key cannot be read.'],
    ['TLS without a pair', { 'tls-key': 'other.key' }, 1, 'for TLS do not belong together'],
    ['access without a pair', { 'access-key': 'other.key' }, 1, 'do not belong together, or are not PEM'],
    ['the anchor before the leaf', { 'access-certificate': 'turned.pem' }, 1, 'the leaf first'],
    [
      'a file without a certificate',
      { 'access-certificate': 'tls.key' },
      1,
      'do not belong together, or are not PEM',
    ],
    ['a broken certificate', { 'access-certificate': 'broken.pem' }, 1, 'access certificate cannot be read'],
    ['a key of another kind', { 'access-key': 'rsa.key' }, 1, 'must be a P-256 key'],
    ['a key that is none', { 'access-key': 'access.pem' }, 1, 'must be a P-256 key'],
    ['an address', { host: 'https://desk.example/' }, 2, '--host needs a name of this machine'],
    ['a port too high', { host: 'desk.example:70000' }, 2, '--host needs a name of this machine'],
    ['no key', { 'tls-key': undefined, 'access-key': undefined }, 2, '--host needs --tls-key, --access-key.'],
    ['no host', { host: undefined }, 2, '--tls-cert has no effect without --host.'],
    ['F82 an access certificate that signs itself', { 'access-certificate': 'own.pem' }, 1, 'is self-signed'],
    [
      'F82 one that names somebody else as its issuer',
      { 'access-certificate': 'disguised.pem' },
      1,
      'is self-signed',
    ],
    ['a name that leads nowhere', { host: 'nowhere.invalid:0' }, 1, 'no address was found for the name'],
    ['a name of another machine', { host: '192.0.2.1:0' }, 1, 'cannot listen on port 0 at 192.0.2.1'],
  ];
  const zeros = ['0', '00', '0x0', '0X00', '000'];
  const everyAddress = [
    ...zeros.flatMap((one) => [one, `0.${one}`, `${one}.0.0`, `${one}.0.0.${one}`]),
    '0.0.0.0',
    '0x00000000',
  ];
  it.each([...new Set(everyAddress)])('F82 --host %s is every address: nothing runs', async (host) => {
    const at = terminal({ cwd: folder(files) });
    running = { at, ended: run(argv({ host: `${host}:0` }), at) };
    await Promise.race([running.ended, at.said('APP_URL=')]);
    expect(at.err()).toContain(`--host: ${host} stands for every address of this machine.`);
    expect(at.out()).toBe('');
  });

  it.each(refused)('%s: one sentence, and nothing runs', async (_what, more, code, words) => {
    const at = await ran(argv(more), code, { cwd: folder(files) });
    expect(at.err()).toContain(words);
    expect(at.out()).toBe('');
  });
});
