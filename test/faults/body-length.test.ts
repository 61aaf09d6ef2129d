import express from 'express';
import { describe, expect, test } from '@jest/globals';
import { openConnection, type Reply } from '../lab/fuzz/connection.js';
import { bytesOf, form } from '../lab/fuzz/wire.js';
import { type CallbackApp, callbackApps } from '../support/callbacks.js';

const open = callbackApps();

/** Announces a body, sends some of it, and hears what comes. */
async function announce(
  app: CallbackApp,
  address: string,
  length: number,
  some = '',
): Promise<Reply | undefined> {
  const { host, port } = new URL(app.url);
  const headers = Object.entries({ Host: host, 'Content-Type': form, 'Sec-Fetch-Site': 'same-origin' });
  const connection = await openConnection(Number(port));
  const body = Buffer.from(some);
  connection.send(bytesOf({ method: 'POST', address, headers, body }, [`Content-Length: ${length}`]));
  const reply = await connection.reply('POST');
  await connection.abort(false);
  return reply;
}

const closes = /\r\nconnection: close\r\n/i;

describe('F68 a body that is too long by its own Content-Length', () => {
  test.each([
    ['/identity/callback', 256 * 1024 + 1, ''],
    ['/identity/callback', 256 * 1024 + 1, 'presentation=good'],
    ['/identity/callback', Number.MAX_SAFE_INTEGER, 'presentation=good'],
    ['/identity/start', 16 * 1024 + 1, 'returnTo='],
  ])('F68 POST %s with %i bytes, of which %j comes, is 413 at once', async (address, length, some) => {
    const app = await open();
    const reply = await announce(app, address, length, some);
    expect([reply?.status, closes.test(reply?.head ?? '')]).toEqual([413, true]);
    expect([app.ran, app.judged]).toEqual([[], []]);
  });

  test('F68 where the app has read it, it is 413 too', async () => {
    const parser = express.urlencoded({ extended: false, limit: '1mb' });
    const app = await open({ before: (its) => void its.use(parser) });
    const whole = `presentation=${'x'.repeat(256 * 1024)}&state=x`;
    const reply = await announce(app, '/identity/callback', whole.length, whole);
    expect([reply?.status, closes.test(reply?.head ?? '')]).toEqual([413, true]);
  });

  test('F68 a body of just the limit is read', async () => {
    const app = await open({ options: { limits: { callbackBytes: 9 } } });
    const reply = await announce(app, '/identity/callback', 9, 'state=x&a');
    expect([reply?.status, closes.test(reply?.head ?? '')]).toEqual([400, false]);
  });
});
