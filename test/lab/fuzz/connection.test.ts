import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type Connection, openConnection } from './connection.js';

let server: Server;

/** A connection on which the server says this, and no more. */
async function answeredBy(text: string): Promise<Connection> {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined).resume();
    socket.end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return await openConnection((server.address() as AddressInfo).port);
}

afterEach(async () => {
  server.close();
  await once(server, 'close');
});

test.each([true, false])('a connection that the server ends with 408 closes, reset: %s', async (reset) => {
  const connection = await answeredBy('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  expect(await connection.reply('GET')).toMatchObject({ status: 408, body: '' });
  await connection.abort(reset);
  expect(connection.open).toBe(false);
});

test('a reply whose chunks have no size is none', async () => {
  const connection = await answeredBy('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
  expect(await connection.reply('GET')).toBeUndefined();
  await connection.abort(true);
});
