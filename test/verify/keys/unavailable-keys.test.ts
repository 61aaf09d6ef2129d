import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { issuerKeys, newKeyPair } from '../../support/verify/issuer.js';
import { json, jwksServer, serving, status as answering, verifierOf } from './jwks-server.js';

const published = jwksServer();
const next = newKeyPair();

afterEach(() => {
  jest.useRealTimers();
});

describe('K14 keys that cannot be had are no verdict on the presentation', () => {
  const unavailable = 'keys_unavailable K14';

  test.each([301, 302, 307, 404, 500, 503])('K14 the status %d', async (status) => {
    published.answer = (res, req) => {
      if (req.url === '/elsewhere') serving({ one: issuerKeys })(res, req);
      else res.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify({ keys: [] }));
    };
    expect(await verifierOf(published.url).judge()).toBe(unavailable);
    expect(published.requests).toHaveLength(1);
  });

  test.each([200, 299])('K14 the status %d is good', async (status) => {
    published.answer = (res) => {
      res.writeHead(status).end(JSON.stringify({ keys: [issuerKeys.jwk] }));
    };
    expect(await verifierOf(published.url).judge(null)).toBe('valid');
  });

  test.each([['<html>'], ['[]'], ['{}'], ['{"keys":{}}'], ['null'], ['']])(
    'K14 the body %p',
    async (body) => {
      published.answer = (res) => {
        res.end(body);
      };
      expect(await verifierOf(published.url).judge()).toBe(unavailable);
    },
  );

  test('K14 a body over the limit', async () => {
    published.answer = json({ keys: [{ ...issuerKeys.jwk, kid: 'one', more: 'a'.repeat(256 * 1024) }] });
    expect(await verifierOf(published.url).judge()).toBe(unavailable);
  });

  test('K14 a connection that breaks', async () => {
    published.answer = (res) => {
      res.destroy();
    };
    expect(await verifierOf(published.url).judge()).toBe(unavailable);
  });

  test('K14 a server that does not answer in five seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    let signal: AbortSignal | null | undefined;
    const { judge } = verifierOf(published.url, async (_url, init) => {
      signal = init?.signal;
      queueMicrotask(() => jest.advanceTimersByTime(5000));
      return await new Promise<Response>(() => undefined);
    });
    expect(await judge()).toBe(unavailable);
    expect(signal?.aborted).toBe(true);
  });

  test('F75 K14 a failure is remembered for half a minute, and then it is tried again', async () => {
    published.answer = answering(503);
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe(unavailable);
    published.answer = serving({ one: issuerKeys });
    wait(29);
    expect(await judge()).toBe(unavailable);
    expect(published.requests).toHaveLength(1);
    wait(1);
    expect(await judge()).toBe('valid');
  });

  describe('F75 100 forged presentations while no key is fresh', () => {
    /** Good for the flow, and signed by nobody's key: a few under the right kid, most under one of their own. */
    async function forge({ judge }: ReturnType<typeof verifierOf>): Promise<void> {
      published.requests = [];
      for (let index = 0; index < 100; index += 1) {
        expect(await judge(index % 5 === 0 ? 'one' : `forged-${index}`, next)).not.toBe('valid');
      }
    }

    test.each<[what: string, headers: Parameters<typeof serving>[1] | undefined]>([
      ['the server was never there', undefined],
      ['and the server says no-store', { 'cache-control': 'no-store' }],
      ['and the server says max-age=0', { 'cache-control': 'max-age=0' }],
      ['and the server works', {}],
    ])('F75 %s: at most three fetches, one after the other or at once', async (_, headers) => {
      published.answer = headers === undefined ? answering(503) : serving({ one: issuerKeys }, headers);
      await forge(verifierOf(published.url));
      expect(published.requests.length).toBeLessThanOrEqual(3);
      published.requests = [];
      const { judge } = verifierOf(published.url);
      const all = Array.from({ length: 100 }, async (__, index) => await judge(`forged-${index}`, next));
      expect(await Promise.all(all)).not.toContain('valid');
      expect(published.requests.length).toBeLessThanOrEqual(3);
    });

    test.each([
      ['has gone', 503],
      ['redirects', 302],
    ])('F75 the keys went stale and the server %s: at most three fetches', async (_, code) => {
      const verifier = verifierOf(published.url);
      expect(await verifier.judge()).toBe('valid');
      published.answer = answering(code);
      verifier.wait(600);
      await forge(verifier);
      expect(published.requests).toHaveLength(1);
    });
  });

  test('K14 keys that went stale are not used where they cannot be renewed', async () => {
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe('valid');
    published.answer = answering(503);
    wait(600);
    expect(await judge()).toBe(unavailable);
  });

  test('F55 30 presentations with unknown kids cause one fetch, and good ones do not wait for it', async () => {
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe('valid');
    const held: ServerResponse[] = [];
    published.answer = (res) => held.push(res);
    published.requests = [];
    const unknown = Array.from({ length: 10 }, async (_, index) => await judge(`at-once-${index}`));
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await judge()).toBe('valid'); // while the fetch hangs
    for (const res of held) res.destroy();
    expect(new Set(await Promise.all(unknown))).toEqual(new Set([unavailable]));
    for (let index = 0; index < 20; index += 1) {
      wait(1);
      expect(await judge(`later-${index}`)).toBe(unavailable);
      expect(await judge()).toBe('valid');
    }
    expect(published.requests).toHaveLength(1);
    published.answer = serving({ one: issuerKeys, two: next });
    wait(9);
    expect(await judge('two', next)).toBe(unavailable);
    wait(1);
    expect(await judge('two', next)).toBe('valid');
    expect(published.requests).toHaveLength(2);
  });

  test('K12 after a failed refresh, a clock that is set back does not put off the next one', async () => {
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe('valid');
    wait(500);
    published.answer = answering(503);
    expect(await judge('two', next)).toBe(unavailable);
    published.answer = serving({ one: issuerKeys, two: next });
    wait(-400);
    expect(await judge('two', next)).toBe('valid');
  });

  test('K14 nothing is fetched for a token that fails a check of its own', async () => {
    const { judge } = verifierOf(published.url);
    expect(await judge('one', issuerKeys, 'another flow')).toBe('presentation_invalid B07');
    expect(published.requests).toHaveLength(0);
  });
});
