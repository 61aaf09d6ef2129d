import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { issuerKeys, newKeyPair } from '../../support/verify/issuer.js';
import { refusingPort } from '../../support/refusing-port.js';
import { jwksServer, serving, status, verifierOf } from './jwks-server.js';

const published = jwksServer();
const next = newKeyPair();
const both = serving({ one: issuerKeys, two: next });

type Verifier = ReturnType<typeof verifierOf>;

/** So many verifications at once, every second one with the key that is newer. */
const load = async ({ judge }: Verifier, count = 200): Promise<Record<string, number>> => {
  const outcomes = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      index % 2 === 0 ? await judge() : await judge('two', next),
    ),
  );
  return tally(outcomes);
};

function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('K12 an issuer that rotates its keys under load', () => {
  test('K12 loses no valid verification: the new key is found by the first token that it signed', async () => {
    const verifier = verifierOf(published.url);
    expect(await verifier.judge()).toBe('valid');
    published.answer = both;
    expect(await load(verifier)).toEqual({ valid: 200 });
    expect(published.requests).toHaveLength(2);
  });

  test('K12 nor where the keys rotate while the first fetch of them is on its way', async () => {
    published.answer = (res, req) => {
      serving({ one: issuerKeys })(res, req);
      published.answer = both;
    };
    expect(await load(verifierOf(published.url))).toEqual({ valid: 200 });
    expect(published.requests).toHaveLength(2);
  });

  test('K12 nor where they rotate while verifications come and go', async () => {
    const verifier = verifierOf(published.url);
    const before = Array.from({ length: 100 }, async () => await verifier.judge());
    await before[0];
    published.answer = both;
    const after = Array.from({ length: 100 }, async () => await verifier.judge('two', next));
    expect(tally(await Promise.all([...before, ...after]))).toEqual({ valid: 200 });
    expect(published.requests).toHaveLength(2);
  });

  test('K12 a server that fails in between leaves the old key good and the new one to be tried again', async () => {
    const verifier = verifierOf(published.url);
    expect(await verifier.judge()).toBe('valid');
    published.answer = status(503);
    expect(await load(verifier)).toEqual({ valid: 100, 'keys_unavailable K14': 100 });
    published.answer = both;
    verifier.wait(30);
    expect(await load(verifier)).toEqual({ valid: 200 });
  });

  test('K12 two keys under one kid are still ambiguous after a rotation', async () => {
    const verifier = verifierOf(published.url);
    expect(await verifier.judge()).toBe('valid');
    published.answer = (res) => {
      const keys = [issuerKeys, next, newKeyPair()].map(({ jwk }, index) => ({
        ...jwk,
        kid: index > 0 ? 'two' : 'one',
      }));
      res.end(JSON.stringify({ keys }));
    };
    expect(await verifier.judge('two', next)).toBe('key_not_found K12');
  });
});

describe('K14 a server that is in trouble: each trouble has its own reason, within five seconds', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const reason = async (url = published.url) => await verifierOf(url).why();

  test('K14 it is down', async () => {
    expect(await reason(`http://127.0.0.1:${await refusingPort()}/jwks.json`)).toBe(
      "keys_unavailable K14: The issuer's keys could not be fetched.",
    );
  });

  const slow: [what: string, answer: (res: ServerResponse) => void][] = [
    ['never answers', () => undefined],
    ['sends headers and no body', (res) => res.writeHead(200).flushHeaders()],
    ['sends half of its body', (res) => res.writeHead(200).write('{"keys":[')],
  ];

  test.each(slow)('K14 it is slow and %s', async (_, answer) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    published.answer = (res) => {
      answer(res);
      // Only once the reply is on its way to the client is its patience put to the test.
      setImmediate(() => jest.advanceTimersByTime(4999));
      setImmediate(() => jest.advanceTimersByTime(1));
    };
    expect(await reason()).toBe("keys_unavailable K14: The issuer's keys did not come within 5 seconds.");
  });

  test('K14 it answers with 500', async () => {
    published.answer = status(500);
    expect(await reason()).toBe("keys_unavailable K14: The issuer's keys came with the status 500.");
  });

  test('K14 it sends without end', async () => {
    let sent = 0;
    published.answer = (res) => {
      const more = () => {
        while (!res.destroyed && res.write('a'.repeat(65_536))) sent += 65_536;
        res.once('drain', more);
      };
      more();
    };
    expect(await reason()).toBe("keys_unavailable K14: The issuer's keys came in a reply that is too large.");
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('K14 it sends a page instead', async () => {
    published.answer = (res) => {
      res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
    };
    expect(await reason()).toBe("keys_unavailable K14: The issuer's keys are not JSON.");
  });

  test('K14 it sends bytes that are no text', async () => {
    published.answer = (res) => {
      res.writeHead(200).end(Buffer.from([0x7b, 0xff, 0x7d]));
    };
    expect(await reason()).toBe("keys_unavailable K14: The issuer's keys came in a reply that is not UTF-8.");
  });

  test('K14 it sends JSON that is no JWK set', async () => {
    published.answer = (res) => {
      res.end('{"error":"no_such_tenant"}');
    };
    expect(await reason()).toBe("keys_unavailable K14: The issuer's keys are not a JWK set.");
  });
});
