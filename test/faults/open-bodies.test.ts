import { describe, expect, test } from '@jest/globals';
import { type Connection, openConnection } from '../lab/fuzz/connection.js';
import { bytesOf, form } from '../lab/fuzz/wire.js';
import { holdTimers } from '../support/held-timers.js';
import { type CallbackApp, callbackApps, turns } from '../support/callbacks.js';

const open = callbackApps();

/** A body that has begun, at that address. */
interface Begun extends Connection {
  /** Sends more of it, and waits until the app has it. */
  more(some: Buffer): Promise<void>;
}

/** Sends the head of a request with a body of unknown length, which stays open. */
async function begin(app: CallbackApp, address = '/identity/callback'): Promise<Begun> {
  const { host, port } = new URL(app.url);
  const headers = Object.entries({ Host: host, 'Content-Type': form, 'Sec-Fetch-Site': 'same-origin' });
  const connection = await openConnection(Number(port));
  const request = { method: 'POST', address, headers, body: Buffer.alloc(0) };
  connection.send(bytesOf(request, ['Transfer-Encoding: chunked']));
  return Object.assign(connection, {
    async more(some: Buffer) {
      connection.send(some);
      // One server reads its connections in turn: what a later one is told, this one was before.
      const after = await fetch(`${app.url}/identity/status`);
      await after.text();
      await turns(2);
    },
  });
}

/** So many pieces of so many bytes. */
const pieces = (count: number, size: number): Buffer =>
  Buffer.from(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count));

/** The app answers a callback now, whatever else it has open. */
async function expectServed(app: CallbackApp): Promise<void> {
  const { state } = await app.begin();
  const { status, body } = await app.deliver({ presentation: 'good', state });
  expect([status, body.redirect_uri]).toEqual([200, expect.stringContaining('/identity/return?code=')]);
}

const closes = /\r\nconnection: close\r\n/i;

async function expectGivenUp(connection: Connection): Promise<void> {
  const reply = await connection.reply('POST');
  expect([reply?.status, closes.test(reply?.head ?? '')]).toEqual([408, true]);
  while (connection.open) await turns(1);
}

describe('F95 bodies that never end', () => {
  holdTimers(); // none is given up because a busy machine needs ten seconds
  const limits = { callbackBytes: 256 * 1024 };

  test('F95 past 64 MB together the one that has been open longest is 408, and a callback is answered', async () => {
    const app = await open({ options: { limits } });
    const some = pieces(1, 255 * 1024);
    const bodies: Begun[] = [];
    for (let count = 0; count < 200; count += 1) bodies.push(await begin(app));
    for (const body of bodies) body.send(some);
    await expectServed(app);
    expect(app.events.filter(({ type }) => type === 'callback.refused')).toEqual([]);
    const [first, second, ...others] = bodies as [Begun, Begun, ...Begun[]];

    const last: Begun[] = [];
    for (let count = 0; count < 66; count += 1) last.push(await begin(app));
    for (const body of last) body.send(some);
    await expectGivenUp(first);
    expect(JSON.parse((await second.reply('POST'))?.body ?? '')).toEqual({
      error: 'callback_malformed',
      error_description: 'The callback is not what a wallet or a service sends.',
    });
    await expectServed(app);
    const refused = app.events.filter(({ type }) => type === 'callback.refused');
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['callback_malformed']));
    expect(refused.length).toBeLessThan(others.length);
    expect([...others.slice(-20), ...last].every((body) => body.open)).toBe(true);
    await Promise.all([...bodies, ...last].map(async (body) => await body.abort(false)));
  });

  test('F95 so do the bodies of starts', async () => {
    const app = await open({ options: { limits } });
    const [first, second] = [await begin(app, '/identity/start'), await begin(app)];
    first.send(pieces(1, 8_000));
    second.send(pieces(1, 250 * 1024));
    const others: Begun[] = [];
    for (let count = 0; count < 270; count += 1) others.push(await begin(app));
    for (const body of others) body.send(pieces(1, 250 * 1024));
    expect((await first.reply('POST'))?.status).toBe(408);
    await expectServed(app);
    await Promise.all([first, second, ...others].map(async (body) => await body.abort(false)));
  });

  test('F95 what is past the limit of one body is not kept, and pushes nobody out', async () => {
    const app = await open();
    const { state } = await app.begin();
    const slow = await begin(app);
    const start = `presentation=good&`;
    slow.send(Buffer.from(`${start.length.toString(16)}\r\n${start}\r\n`));
    const endless = await begin(app);
    for (let count = 0; count < 80; count += 1) await endless.more(pieces(1, 1024 * 1024));
    const rest = `state=${state}`;
    slow.send(Buffer.from(`${rest.length.toString(16)}\r\n${rest}\r\n0\r\n\r\n`));
    expect(await slow.reply('POST')).toMatchObject({ status: 200 });
    await Promise.all([slow, endless].map(async (body) => await body.abort(false)));
  });

  test('F95 a body that has ended counts no more', async () => {
    const app = await open({ options: { limits } });
    const slow = await begin(app);
    slow.send(pieces(1, 1));
    const junk = new URLSearchParams({ state: 'x', presentation: 'x'.repeat(250 * 1024) });
    for (let count = 0; count < 300; count += 1)
      expect((await app.deliver(junk.toString())).status).toBe(400);
    expect(slow.open).toBe(true);
    await slow.abort(false);
  });
});

describe('F119 bodies in many pieces', () => {
  holdTimers();
  const limits = { callbackBytes: 256 * 1024 };
  const said = (text: string): Buffer => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`);
  const last = Buffer.from('0\r\n\r\n');

  /** An honest callback of which half has come, and what sends the rest. */
  async function beginHonest(app: CallbackApp) {
    const { state } = await app.begin();
    const connection = await begin(app);
    await connection.more(said('presentation=good&'));
    return async () => {
      connection.send(Buffer.concat([said(`state=${state}`), last]));
      const reply = await connection.reply('POST');
      expect([reply?.status, reply?.body]).toEqual([200, expect.stringContaining('/identity/return?code=')]);
      await connection.abort(false);
    };
  }

  test.each(['/identity/callback', '/identity/start'])(
    'F119 one in more than 1,024 pieces is 408 by itself, at %s, and an older honest one is served',
    async (address) => {
      const app = await open({ options: { limits } });
      const finish = await beginHonest(app);
      const [all, more] = [await begin(app, address), await begin(app, address)];
      await all.more(pieces(1_024, 1));
      expect(all.open).toBe(true);
      more.send(pieces(1_025, 1));
      await expectGivenUp(more);
      all.send(last);
      expect((await all.reply('POST'))?.status).not.toBe(408);
      for (let count = 0; count < 10; count += 1) {
        const flood = await begin(app, address);
        flood.send(pieces(15_000, 1));
        await expectGivenUp(flood);
      }
      await finish();
      await all.abort(false);
    },
  );

  test('F119 past 64 MB together the one in the most pieces goes first, however old an honest one is', async () => {
    const app = await open({ options: { limits } });
    const finish = await beginHonest(app);
    const bodies: Begun[] = [];
    for (let count = 0; count < 110; count += 1) bodies.push(await begin(app));
    for (const [at, body] of bodies.entries()) body.send(pieces(at === 60 ? 1_024 : 1_000, 1));
    await expectServed(app); // 66 MB are held
    expect(bodies.every((body) => body.open)).toBe(true);
    const large = await begin(app);
    const filling = [large];
    for (let count = 0; count < 5; count += 1) filling.push(await begin(app));
    for (const body of filling) body.send(pieces(1, 255 * 1024));
    await expectGivenUp(bodies[60] as Begun);
    await expectServed(app);
    expect(large.open).toBe(true);
    await finish();
    await Promise.all([...bodies, ...filling].map(async (body) => await body.abort(false)));
  });

  test('F119 a large proof that comes as a network brings it does not go before an older body', async () => {
    const app = await open({ options: { limits } });
    const bodies: Begun[] = [];
    const fill = async (bodyCount: number) => {
      for (let count = 0; count < bodyCount; count += 1) bodies.push(await begin(app));
      for (const body of bodies.slice(-bodyCount)) body.send(pieces(1, 255 * 1024));
      await turns(2);
    };
    await fill(200);
    const { state } = await app.begin();
    const honest = await begin(app);
    await honest.more(Buffer.concat([said(`state=${state}&presentation=good&more=`), pieces(150, 1_400)]));
    await fill(66);
    await expectGivenUp(bodies[0] as Begun);
    await expectServed(app);
    honest.send(last);
    expect(await honest.reply('POST')).toMatchObject({ status: 200 });
    await Promise.all([honest, ...bodies].map(async (body) => await body.abort(false)));
  });
});
