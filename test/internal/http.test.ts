import { Agent, type Server, request as requestByNode } from 'node:http';
import { Agent as TlsAgent, createServer as createTlsServer } from 'node:https';
import { type Socket, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { certify, pemOf } from '../../lib/dev/sandbox/issuers/certificates.js';
import { mediaType, requestBounded } from '../../lib/internal/http.js';
import type { Network } from '../../lib/internal/network.js';
import { codeOf } from '../../lib/internal/system-code.js';
import { withTimeoutSignal } from '../../lib/internal/timeouts.js';
import { holdTimers, pass } from '../support/held-timers.js';
import { type Answer, startService } from '../service/service.js';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const ok: Answer = (res) => void res.end('ok');

/** A server that remembers what it was asked, and by which connections. */
async function listen(server?: Server) {
  const service = await startService(server);
  service.answers(ok);
  opened.push({ close: service.stop });
  return { ...service, url: service.baseUrl, port: Number(new URL(service.baseUrl).port) };
}

const request = { headers: {}, body: '{}', maxBytes: 1_000 };

const send = async (url: string, network: Network = {}, change: Partial<typeof request> = {}) =>
  await withTimeoutSignal(60_000, (deadline) =>
    requestBounded(network, url, { ...request, ...change }, deadline),
  );

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true });
  opened.push({ close: () => agent.destroy() });
  return agent;
}

describe('a request', () => {
  holdTimers();

  it('has its headers and body, a name, and asks for no compression', async () => {
    const service = await listen();
    service.answers((res) => res.writeHead(201, { 'x-two': ['a', 'b'] }).end('öl'));
    const reply = await send(
      `${service.url}/path?a=b`,
      {},
      { headers: { 'x-mine': 'yes' }, body: '{"ö":1}' },
    );
    expect([reply.status, reply.header('x-two'), reply.header('x-none'), reply.text]).toEqual([
      201,
      'a, b',
      undefined,
      'öl',
    ]);
    const headers = { 'x-mine': 'yes', 'user-agent': 'pidgate', 'accept-encoding': 'identity' };
    const sent = { ...headers, host: `127.0.0.1:${service.port}`, 'content-length': '8' };
    expect(service.seen).toMatchObject([
      { method: 'POST', url: '/path?a=b', body: '{"ö":1}', headers: sent },
    ]);
  });

  it('without a body is a GET', async () => {
    const service = await listen();
    const get = { headers: {}, maxBytes: 1_000 };
    await withTimeoutSignal(60_000, (deadline) => requestBounded({}, service.url, get, deadline));
    expect(service.seen).toMatchObject([{ method: 'GET', url: '/', body: '' }]);
  });

  it('sends nothing of the user information in an address, and no line break in a header', async () => {
    const service = await listen();
    await send(service.url.replace('//', '//erika:SECRET@'));
    expect(service.seen[0]?.headers.authorization).toBeUndefined();
    await expect(send(service.url, {}, { headers: { 'x-a': 'b\r\nx-c: d' } })).rejects.toThrow('Invalid');
    expect(service.seen).toHaveLength(1);
  });

  it('goes to the address in brackets', async () => {
    const service = await listen();
    const hosts: unknown[] = [];
    const agent = keepAlive();
    agent.createConnection = ({ host }) => {
      hosts.push(host);
      return connect(service.port, '127.0.0.1');
    };
    await send(`http://[::1]:${service.port}/`, { agent });
    expect([hosts, service.seen[0]?.headers.host]).toEqual([['::1'], `[::1]:${service.port}`]);
  });

  it('ends with the deadline, and is not begun after it', async () => {
    const service = await listen();
    const closed = new Promise((resolve) => {
      service.answers((_res, req) => {
        req.socket.once('close', resolve);
        pass(50);
      });
    });
    const late = withTimeoutSignal(50, (deadline) => requestBounded({}, service.url, request, deadline));
    await expect(late).rejects.toThrow('deadline');
    await closed;

    let begun: Promise<unknown> | undefined;
    const tooLate = withTimeoutSignal(50, async (deadline) => {
      await nextTurn();
      pass(50);
      begun = requestBounded({}, service.url, request, deadline);
      await begun;
    });
    await expect(tooLate).rejects.toThrow('deadline');
    await expect(begun).rejects.toThrow('socket hang up');
    expect(service.seen).toHaveLength(1);
  });
});

describe('a reply', () => {
  it.each([
    ['is compressed', (res) => res.setHeader('content-encoding', 'gzip').end('x'), 'compressed'],
    ['is too large', (res) => res.end('x'.repeat(1_001)), 'too large'],
    ['is not UTF-8', (res) => res.end(Buffer.from([0xff])), 'not UTF-8'],
    ['stops', (res) => res.write('x', () => res.socket?.destroy()), 'aborted'],
    ['upgrades', (res) => res.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(), /./],
  ] as [string, Answer, string | RegExp][])('that %s fails', async (_what, answer, why) => {
    const service = await listen();
    service.answers(answer);
    await expect(send(service.url)).rejects.toThrow(why);
    service.answers(ok);
    expect((await send(service.url)).text).toBe('ok'); // whatever came of the connection
  });

  it('may be named as not compressed, be empty, and follow one that is not final', async () => {
    const service = await listen();
    service.answers((res) => {
      res.writeProcessing();
      res.writeHead(200, { 'content-encoding': 'identity' }).end();
    });
    expect(await send(service.url)).toMatchObject({ status: 200, text: '' });
  });

  it('that redirects is not followed', async () => {
    const service = await listen();
    service.answers((res) => res.writeHead(307, { location: '/elsewhere' }).end());
    expect(await send(service.url)).toMatchObject({ status: 307 });
    expect(service.seen).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('serves one request after another', async () => {
    const service = await listen();
    for (let nth = 0; nth < 20; nth += 1) await send(service.url);
    await Promise.all([send(service.url), send(service.url)]);
    expect([service.seen.length, service.connections.size]).toEqual([22, 2]);
  });

  const timeout = 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbad';
  it.each<[string, (socket: Socket) => unknown]>([
    ['closed', (socket) => socket.destroy()],
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed with a reply to nothing', (socket) => socket.end(timeout)],
  ])('that the server has %s while it was idle costs no request', async (_how, end) => {
    for (const turns of [0, 1, 2, 3]) {
      const service = await listen();
      const agent = keepAlive();
      await send(service.url, { agent });
      for (const socket of service.connections) end(socket);
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      expect((await send(service.url, { agent })).text).toBe('ok');
      expect([service.seen.length, service.connections.size]).toEqual([2, 2]);
    }
  });

  it('that the server has closed while it was idle loses the POST of a plain agent', async () => {
    const service = await listen();
    const agent = keepAlive();
    await send(service.url, { agent });
    for (const socket of service.connections) socket.destroy();
    // The close is in the socket by now, and no turn of the event loop has read it.
    const plain = requestByNode(service.url, { agent, method: 'POST' });
    const lost = new Promise((resolve) => plain.once('error', resolve));
    plain.end(request.body);
    expect([plain.reusedSocket, codeOf(await lost), service.seen.length]).toEqual([true, 'ECONNRESET', 1]);
  });

  it('that breaks after the request was sent is an error: the server may have acted on it', async () => {
    const service = await listen();
    await send(service.url);
    service.answers((_res, req) => req.socket.destroy());
    const error: unknown = await send(service.url).catch((thrown: unknown) => thrown);
    expect(codeOf(error)).toBe('ECONNRESET');
    expect([service.seen.length, service.connections.size]).toEqual([1, 1]);
  });

  it('that was idle is not waited for when the process ends', async () => {
    const service = await listen();
    const agent = keepAlive();
    await send(service.url, { agent });
    await nextTurn();
    const idle = Object.values(agent.freeSockets).flatMap((sockets = []) => sockets);
    const handles = idle.map((socket) => (socket as unknown as { _handle: { hasRef(): boolean } })._handle);
    expect(handles.map((handle) => handle.hasRef())).toEqual([false]);
  });
});

describe('TLS', () => {
  const from = Math.floor(Date.now() / 1000) - 60;
  const authority = certify({ name: 'An authority', from });
  const [server, client] = ['A service', 'A customer'].map((name) => {
    const certificate = certify({ name, from, issuer: authority, dnsName: 'localhost' });
    return { cert: pemOf(certificate), key: certificate.privateKey.export({ type: 'pkcs8', format: 'pem' }) };
  });

  it('presents the certificate of the agent, and says why there is no connection', async () => {
    const ca = pemOf(authority);
    const service = await listen(
      createTlsServer({ ...server, ca, requestCert: true, rejectUnauthorized: true }),
    );
    const url = `https://localhost:${service.port}`;
    const agent = new TlsAgent({ ...client, ca, keepAlive: true });
    opened.push({ close: () => agent.destroy() });
    for (let nth = 0; nth < 3; nth += 1) expect((await send(url, { agent })).text).toBe('ok');
    expect(service.connections.size).toBe(1);
    const error: unknown = await send(url).catch((thrown: unknown) => thrown);
    expect(codeOf(error)).toBe('SELF_SIGNED_CERT_IN_CHAIN');
  });
});

describe('mediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON;charset=utf-8', 'application/json'],
    ['application/json ; a=b; c=d', 'application/json'],
    ['application/json, text/html', 'application/json, text/html'],
    ['', ''],
    [null, ''],
    [undefined, ''],
  ])('of %j is %j', (header, type) => {
    expect(mediaType(header)).toBe(type);
  });
});
