import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { issuerKeys, newKeyPair } from '../../support/verify/issuer.js';
import { type Answer, issuerServer, keysVerifier, servingJson } from '../../support/verify/servers.js';
import { servingKeys, servingStatus } from '../../support/verify/servers.js';
import { judgeEach, judgeValues } from '../../support/verify/verdicts.js';
import { refusingPort } from '../../support/refusing-port.js';

const published = issuerServer();
const next = newKeyPair();
const both = servingKeys({ one: issuerKeys, two: next });
const unavailable = 'keys_unavailable K14';
const start = () => keysVerifier(published.jwksUri);
const noTimers = ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] as const;

/** A verifier that has fetched the issuer's key. */
async function started() {
  const verifier = start();
  expect(await verifier.judge()).toBe('valid');
  return verifier;
}

afterEach(() => {
  jest.useRealTimers();
});

describe('K14 keys that cannot be had are no verdict on the presentation', () => {
  judgeValues(
    'K14 the status %d',
    [301, 302, 307, 404, 500, 503],
    `${unavailable} by 1 request`,
    async (status) => {
      published.answer = (res, req) => {
        if (req.url === '/elsewhere') both(res, req);
        else res.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify({ keys: [] }));
      };
      return `${await start().judge()} by ${published.requests.length} request`;
    },
  );
  judgeValues('K14 the status %d is good', [200, 299], 'valid', (status) => {
    published.answer = (res) => res.writeHead(status).end(JSON.stringify({ keys: [issuerKeys.jwk] }));
    return start().judge(null);
  });
  judgeValues('K14 the body %p', ['<html>', '[]', '{}', '{"keys":{}}', 'null', ''], unavailable, (body) => {
    published.answer = (res) => res.end(body);
    return start().judge();
  });

  const explain = (answer: Answer) => {
    published.answer = answer;
    return start().explain();
  };
  const why = (what: string) => `${unavailable} The issuer's keys ${what}`;
  const large = { ...issuerKeys.jwk, kid: 'one', more: 'a'.repeat(256 * 1024) };

  judgeEach(explain, {
    'K14 a body over the limit': [why('came in a reply that is too large.'), servingJson({ keys: [large] })],
    'K14 a connection that breaks': [why('could not be fetched.'), (res) => res.destroy()],
    'K14 it answers with 500': [why('came with the status 500.'), servingStatus(500)],
    'K14 it sends a page': [why('are not JSON.'), (res) => res.end('<!doctype html><title>Sign in</title>')],
    'K14 it sends no text': [why('came in a reply that is not UTF-8.'), (res) => res.end(Buffer.of(0xff))],
    'K14 it sends no JWK set': [why('are not a JWK set.'), (res) => res.end('{"error":"no_such_tenant"}')],
  });

  test('K14 it is down', async () => {
    const verifier = keysVerifier(`http://127.0.0.1:${await refusingPort()}/jwks.json`);
    expect(await verifier.explain()).toBe(why('could not be fetched.'));
  });

  test('K14 it sends without end', async () => {
    let sent = 0;
    const endless: Answer = (res) => {
      const more = () => {
        while (!res.destroyed && res.write('a'.repeat(65_536))) sent += 65_536;
        res.once('drain', more);
      };
      more();
    };
    expect(await explain(endless)).toBe(why('came in a reply that is too large.'));
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  /** Its patience ends in this reply, and not before. */
  const late = (answer: Answer) => {
    jest.useFakeTimers({ doNotFake: [...noTimers] });
    return explain((res, req) => {
      answer(res, req);
      // Only once the reply is on its way to the client is its patience put to the test.
      setImmediate(() => jest.advanceTimersByTime(4999));
      setImmediate(() => jest.advanceTimersByTime(1));
    });
  };
  const tooLate = why('did not come within 5 seconds.');
  judgeEach(late, {
    'K14 it never answers': [tooLate, () => undefined],
    'K14 it sends headers alone': [tooLate, (res: ServerResponse) => res.writeHead(200).flushHeaders()],
    'K14 it sends half a body': [tooLate, (res: ServerResponse) => res.writeHead(200).write('{"')],
  });

  test('K14 a server that does not answer in five seconds is left', async () => {
    jest.useFakeTimers({ doNotFake: [...noTimers] });
    let signal: AbortSignal | null | undefined;
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      signal = init?.signal;
      queueMicrotask(() => jest.advanceTimersByTime(5000));
      return await new Promise<Response>(() => undefined);
    };
    expect(await keysVerifier(published.jwksUri, { fetch }).judge()).toBe(unavailable);
    expect(signal?.aborted).toBe(true);
  });

  test('F75 K14 a failure is remembered for half a minute, and then it is tried again', async () => {
    published.answer = servingStatus(503);
    const { judge, wait } = start();
    expect(await judge()).toBe(unavailable);
    published.answer = servingKeys({ one: issuerKeys });
    wait(29);
    expect(await judge()).toBe(unavailable);
    expect(published.requests).toHaveLength(1);
    wait(1);
    expect(await judge()).toBe('valid');
  });

  describe('F75 100 forged presentations while no key is fresh', () => {
    /** Good for the flow, and signed by nobody's key: a few under the right kid, most under one of their own. */
    async function forge({ judge }: ReturnType<typeof start>): Promise<void> {
      published.requests = [];
      for (let index = 0; index < 100; index += 1) {
        expect(await judge(index % 5 === 0 ? 'one' : `forged-${index}`, next)).not.toBe('valid');
      }
    }

    test.each<[what: string, headers: Parameters<typeof servingKeys>[1] | undefined]>([
      ['the server was never there', undefined],
      ['and the server says no-store', { 'cache-control': 'no-store' }],
      ['and the server says max-age=0', { 'cache-control': 'max-age=0' }],
      ['and the server works', {}],
    ])('F75 %s: at most three fetches, one after the other or at once', async (_, headers) => {
      published.answer =
        headers === undefined ? servingStatus(503) : servingKeys({ one: issuerKeys }, headers);
      await forge(start());
      expect(published.requests.length).toBeLessThanOrEqual(3);
      published.requests = [];
      const { judge } = start();
      const all = Array.from({ length: 100 }, async (__, index) => await judge(`forged-${index}`, next));
      expect(await Promise.all(all)).not.toContain('valid');
      expect(published.requests.length).toBeLessThanOrEqual(3);
    });

    test.each([
      ['has gone', 503],
      ['redirects', 302],
    ])('F75 the keys went stale and the server %s: at most three fetches', async (_, code) => {
      const verifier = await started();
      published.answer = servingStatus(code);
      verifier.wait(600);
      await forge(verifier);
      expect(published.requests).toHaveLength(1);
    });
  });

  test('K14 keys that went stale are not used where they cannot be renewed', async () => {
    const { judge, wait } = await started();
    published.answer = servingStatus(503);
    wait(600);
    expect(await judge()).toBe(unavailable);
  });

  test('F55 30 presentations with unknown kids cause one fetch, and good ones do not wait for it', async () => {
    const { judge, wait } = await started();
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
    published.answer = both;
    wait(9);
    expect(await judge('two', next)).toBe(unavailable);
    wait(1);
    expect(await judge('two', next)).toBe('valid');
    expect(published.requests).toHaveLength(2);
  });

  test('K12 after a failed refresh, a clock that is set back does not put off the next one', async () => {
    const { judge, wait } = await started();
    wait(500);
    published.answer = servingStatus(503);
    expect(await judge('two', next)).toBe(unavailable);
    published.answer = both;
    wait(-400);
    expect(await judge('two', next)).toBe('valid');
  });

  test('K14 nothing is fetched for a token that fails a check of its own', async () => {
    const { judge } = start();
    expect(await judge('one', issuerKeys, 'another flow')).toBe('B07');
    expect(published.requests).toHaveLength(0);
  });
});
