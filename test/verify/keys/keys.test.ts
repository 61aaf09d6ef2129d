import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Jwk } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { deep } from '../../support/deep.js';
import { refusingPort } from '../../support/refusing-port.js';
import { anchoredIn, caOf, explainChain, signerBelow } from '../../support/verify/chains.js';
import {
  clock,
  issuerKeys,
  type KeyPair,
  mint,
  newKeyPair,
  walletKeys,
} from '../../support/verify/issuer.js';
import {
  type Answer,
  issuerServer,
  keysVerifier,
  servingJson,
  servingKeys,
  servingStatus,
} from '../../support/verify/servers.js';
import {
  checkOf,
  checkOfMint,
  checkOfSdJwt,
  expected,
  judge,
  judgeEach,
  judgeValues,
  present,
  refuseEach,
  thrown,
  trustIn,
} from '../../support/verify/verdicts.js';
import { keyPair } from '../../support/key-pair.js';

describe('sizes', () => {
  const published = issuerServer();
  const bytes = (member: unknown) => Buffer.from(String(member), 'base64url');

  /** An RSA key pair with this public exponent. */
  const rsa = (publicExponent: number): KeyPair => {
    const { publicKey, privateKey } = keyPair('rsa', { modulusLength: 2048, publicExponent });
    const [jwk, privateJwk] = [publicKey, privateKey].map((key) => key.export({ format: 'jwk' }) as Jwk);
    return { alg: 'PS256', publicKey, privateKey, jwk: jwk as Jwk, privateJwk: privateJwk as Jwk };
  };

  /** Other spellings of the same public key, which Node imports all the same. */
  function respelled({ jwk }: KeyPair): [what: string, jwk: Jwk][] {
    const { x } = jwk;
    const all: [what: string, x: string][] = [
      ['a coordinate with a zero in front', Buffer.concat([Buffer.alloc(1), bytes(x)]).toString('base64url')],
      ['a coordinate with padding', `${String(x)}=`],
      ['a coordinate in base64', bytes(x).toString('base64')],
    ];
    // 48 bytes may look the same in both alphabets
    return all.filter(([, other]) => other !== x).map(([what, other]) => [what, { ...jwk, x: other }]);
  }

  /** A key whose first coordinate begins with a zero, which a sloppy encoder leaves out. */
  function shortened(): KeyPair {
    for (;;) {
      const keys = newKeyPair();
      const x = bytes(keys.jwk['x']);
      if (x[0] === 0) return { ...keys, jwk: { ...keys.jwk, x: x.subarray(1).toString('base64url') } };
    }
  }
  const short = shortened();

  /** The verdict on what these keys signed, which are configured like this. */
  const configured = (jwk: Jwk, issuer?: KeyPair, algorithms = ['ES256', 'PS256']) =>
    checkOf(present(issuer ? { issuer } : {}), trustIn({ keys: { jwks: { keys: [jwk] } }, algorithms }));

  describe('K17 the sizes of what a key is made of', () => {
    const wrong: [what: string, jwk: Jwk, keys: KeyPair][] = [
      ...respelled(walletKeys).map(([what, jwk]): [string, Jwk, KeyPair] => [what, jwk, walletKeys]),
      ['a coordinate without its zero', short.jwk, short],
    ];
    const message = "trust['de-ausweis'].keys.jwks.keys[0] is a key with members of a wrong size.";

    test.each(wrong)('K17 a cnf.jwk with %s', async (_, jwk, wallet) => {
      expect(await checkOfMint({ payload: { cnf: { jwk } }, binding: { wallet } })).toBe('K17');
    });
    const rows = wrong.map(([what, jwk]) => [what, jwk, message] as const);
    refuseEach('K17 a configured key with %s', rows, (jwk) => configured(jwk));
    test.each(wrong)('K17 a published key with %s does not count', async (_, jwk, issuer) => {
      published.answer = servingJson({ keys: [{ ...jwk, kid: 'one' }] });
      expect(await keysVerifier(published.jwksUri).judge('one', issuer)).toBe('key_not_found K15');
    });

    for (const alg of ['ES384', 'ES512', 'EdDSA']) {
      const keys = newKeyPair(alg);
      judgeEach(configured, { [`K17 of ${alg}`]: ['valid', keys.jwk, keys, ['ES256', alg]] });
      refuseEach(`K17 of ${alg}: %s`, respelled(keys), (jwk) => configured(jwk, keys, ['ES256', alg]));
    }
  });

  describe('K17 RSA exponents', () => {
    const small = rsa(3);
    const usual = rsa(65_537);
    const algorithms = ['ES256', 'PS256'];
    const exponent = (value: bigint): Jwk => {
      const hex = value.toString(16);
      const e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
      return { ...usual.jwk, e };
    };
    const confirming = (wallet: KeyPair) => ({ payload: { cnf: { jwk: wallet.jwk } }, binding: { wallet } });

    judgeEach(configured, { 'K17 3 is accepted in a key of the configuration': ['valid', small.jwk, small] });
    judgeEach(checkOfMint, {
      'K17 3 is accepted in no other key': ['K17', confirming(small), { algorithms }],
      'K17 65537 is accepted in any': ['valid', confirming(usual), { algorithms }],
    });
    const noKey = [1n, 2n, 4n, 65_538n, 2n ** 32n + 1n, 2n ** 64n + 1n].map(
      (value) => [value, exponent(value)] as const,
    );
    const noText = [undefined, 7, '', '=', 'AQAB='].map((e) => [e, { ...usual.jwk, e }] as const);
    refuseEach('K17 %s in no key at all', noKey, (jwk) => configured(jwk));
    refuseEach('K17 nor where e is %p', noText, (jwk: Jwk) => configured(jwk));

    const anchor = caOf('Small Root', { keys: small });
    const below = (issuerKeys: KeyPair, keys = newKeyPair()) => {
      const issuer = caOf('CA', { issuer: anchor, keys: issuerKeys });
      return explainChain([signerBelow(issuer, { keys }), issuer], anchoredIn([anchor], { algorithms }));
    };
    judgeEach(below, {
      'K17 not in the anchor that the operator chose': ['valid', usual],
      'K17 in the leaf of a chain': ['K17 x5c[0] has an RSA key with an unsafe exponent.', usual, small],
      'K17 in a CA of a chain': ['K17 x5c[1] has an RSA key with an unsafe exponent.', small],
    });
  });
});

describe('small order', () => {
  /**
   * Every encoding of every point whose order divides eight, computed from the equation of the curve (RFC 8032, section
   * 5.1) and not copied from the list that refuses them: five y, modulo p or not, with either sign.
   */
  const encodings = [
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA',
    'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA',
    'JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU',
    'JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_IU',
    'xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o',
    'xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA_o',
    '7P_______________________________________38',
    '7P________________________________________8',
    '7f_______________________________________38',
    '7f________________________________________8',
    '7v_______________________________________38',
    '7v________________________________________8',
  ];
  const algorithms = ['ES256', 'EdDSA'];
  const published = issuerServer();
  const jwkOf = (x: string): Jwk => ({ kty: 'OKP', crv: 'Ed25519', x });

  /** A presentation with a key binding that nobody signed: R is the neutral element, S is zero. */
  function unsigned(x: string): string {
    const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url');
    const bound = mint({ payload: { cnf: { jwk: jwkOf(x) } }, binding: { wallet: newKeyPair('EdDSA') } });
    return `${bound.slice(0, bound.lastIndexOf('.'))}.${neutral}`;
  }

  describe('F77 a point of Ed25519 that makes one signature fit everything is no key', () => {
    test.each(encodings)('F77 %s', async (x) => {
      expect(await checkOfSdJwt(unsigned(x), { algorithms })).toBe('K17');
      const keys = { jwks: { keys: [jwkOf(x)] } };
      expect(await thrown(async () => await judge(present(), trustIn({ keys, algorithms })))).toMatchObject({
        code: 'config_invalid',
        message: "trust['de-ausweis'].keys.jwks.keys[0] is a point of small order.",
      });
      published.answer = servingJson({ keys: [{ ...jwkOf(x), kid: 'one' }] });
      expect(await keysVerifier(published.jwksUri).judge('one', issuerKeys)).toBe('key_not_found K15');
    });

    test('F77 any other key of the curve is one', async () => {
      const wallet = newKeyPair('EdDSA');
      const token = mint({ payload: { cnf: { jwk: wallet.jwk } }, binding: { wallet } });
      expect(await checkOfSdJwt(token, { algorithms })).toBe('valid');
    });
  });
});

describe('remote keys', () => {
  const published = issuerServer();
  const next = newKeyPair();
  const both = servingKeys({ one: issuerKeys, two: next });
  const unknown = 'key_not_found K12';
  const requests = () => published.requests.length;
  const start = () => keysVerifier(published.jwksUri);

  /** A verifier that has fetched the first key. */
  async function started() {
    const verifier = start();
    expect(await verifier.judge()).toBe('valid');
    return verifier;
  }

  describe('K12 a static JWK set', () => {
    const { jwk } = issuerKeys;
    const [one, two] = [
      { ...jwk, kid: 'one' },
      { ...walletKeys.jwk, kid: 'two' },
    ];
    const limited = { ...newKeyPair('ES384').jwk, kid: 'one', alg: 'ES384' };
    const check = (kid: unknown, ...keys: object[]) =>
      checkOf(present({ header: { kid } }), trustIn({ keys: { jwks: { keys } } }));

    judgeEach(check, {
      'K12 the kid selects exactly one key': ['valid', 'one', two, one],
      'K12 the kid selects another key': ['K02', 'two', two, one],
      'K12 without a kid the only key is meant': ['valid', undefined, one],
      'K12 without a kid the only key, which has none, is meant': ['valid', undefined, jwk],
      'K12 no kid and several keys': [unknown, undefined, one, two],
      'K12 an unknown kid': [unknown, 'three', one, two],
      'K12 a kid, and a key without': [unknown, 'one', jwk],
      'H02 the selected key is limited to another algorithm': ['H02', 'one', limited, two],
    });
    judgeValues('K12 the kid is %j', [7, null, ['one'], {}], unknown, (kid) => check(kid, one));
    judgeValues('K12 the kid is %j, and the key has none', [7, null, ['one'], {}], unknown, (kid) =>
      check(kid, jwk),
    );

    test('a changed trust object does not change what was compiled', async () => {
      const keys = [{ ...jwk }];
      const verifier = createVerifiers(trustIn({ keys: { jwks: { keys } } }), { clock }).get('de-ausweis');
      keys[0] = { ...walletKeys.jwk };
      expect(await verifier?.(present(), expected)).toMatchObject({ valid: true });
    });
  });

  describe('K12 keys that the issuer publishes', () => {
    test('K12 they are fetched once, and only for a token that needs them', async () => {
      const { judge, wait } = start();
      expect(requests()).toBe(0);
      expect(await judge()).toBe('valid');
      wait(300);
      expect(await judge('one', next)).toBe('K02');
      expect(await judge()).toBe('valid');
      expect(requests()).toBe(1);
      expect(published.requests[0]).toMatchObject({ method: 'GET', url: '/jwks.json' });
      expect(published.requests[0]?.headers['accept']).toBe('application/jwk-set+json, application/json');
    });

    test('K12 those who need them at once wait for one fetch', async () => {
      const { judge } = start();
      expect(await Promise.all([judge(), judge(), judge()])).toEqual(['valid', 'valid', 'valid']);
      expect(requests()).toBe(1);
    });

    test('K12 an unknown kid causes one refresh, and then none for half a minute', async () => {
      const { judge, wait } = await started();
      published.answer = both;
      expect(await judge('two', next)).toBe('valid');
      expect(requests()).toBe(2);
      wait(29);
      expect(await judge('three', next)).toBe(unknown);
      expect(requests()).toBe(2);
      wait(1);
      expect(await judge('three', next)).toBe(unknown);
      expect(await judge('three', next)).toBe(unknown);
      expect(requests()).toBe(3);
    });

    test('K12 a key that was taken away is no longer believed once the set is stale', async () => {
      const { judge, wait } = await started();
      published.answer = servingKeys({ two: next });
      wait(599);
      expect(await judge()).toBe('valid');
      wait(1);
      expect(await judge()).toBe(unknown);
      expect(requests()).toBe(3); // and one for the kid, which nobody has any more
    });

    test('K12 no kid and several keys that are published', async () => {
      expect(await start().judge(null)).toBe('valid');
      published.answer = both;
      expect(await start().judge(null)).toBe(unknown);
      expect(requests()).toBe(2);
    });

    test('K12 keys that check no signatures do not count', async () => {
      const others = [{ ...next.jwk, use: 'enc' }, { kty: 'oct', k: 'a' }, 7, next.privateJwk];
      published.answer = servingJson({ keys: [...others, { ...issuerKeys.jwk, kid: 'one' }] });
      expect(await start().judge()).toBe('valid');
    });

    judgeValues(
      'K15 a set of no usable keys: %j',
      [[], [{ kty: 'oct', k: 'a' }]],
      'key_not_found K15',
      (keys) => {
        published.answer = servingJson({ keys });
        return start().judge();
      },
    );

    test('K15 a set without keys is asked for again soon, whatever it says of its freshness', async () => {
      published.answer = servingJson({ keys: [] }, { 'cache-control': 'max-age=86400' });
      const { judge, wait } = start();
      expect(await judge()).toBe('key_not_found K15');
      published.answer = servingKeys({ one: issuerKeys });
      wait(29);
      expect(await judge()).toBe('key_not_found K15');
      wait(1);
      expect(await judge()).toBe('valid');
    });

    test('K12 a clock that is set back believes no key that was withdrawn meanwhile', async () => {
      const { judge, wait } = start();
      wait(7 * 86_400);
      expect(await judge()).toBe('valid');
      published.answer = servingKeys({ two: next });
      wait(-7 * 86_400);
      expect(await judge()).toBe(unknown);
      expect(await judge('two', next)).toBe('valid');
    });
  });

  describe('K14 for how long a reply may be used again', () => {
    const isKeptFor = async (seconds: number, cacheControl: string, headers: object) => {
      published.answer = servingKeys({ one: issuerKeys }, { 'cache-control': cacheControl, ...headers });
      const { judge, wait } = await started();
      wait(seconds - 1);
      expect(await judge()).toBe('valid');
      expect(requests()).toBe(1);
      wait(1);
      expect(await judge()).toBe('valid');
      expect(requests()).toBe(2);
    };

    test.each([
      ['max-age=60', {}, 60],
      ['public, MAX-AGE="60"', {}, 60],
      ['max-age=60', { age: '20' }, 40],
      ['max-age=60', { age: 'soon' }, 60],
      ['max-age=60', { age: '-80000' }, 60],
      ['max-age=9999999999', {}, 86_400],
      ['public', {}, 600],
    ])('K14 %s %j', async (cacheControl, headers, seconds) => {
      await isKeptFor(seconds, cacheControl, headers);
    });

    test.each([
      ['no-store', {}],
      ['private, no-cache', {}],
      ['max-age=0', {}],
      ['max-age=9', {}],
      ['max-age=60', { age: '61' }],
    ])('F75 K14 %s %j: ten seconds all the same', async (cacheControl, headers) => {
      await isKeptFor(10, cacheControl, headers);
    });
  });

  describe('K12 an issuer that rotates its keys under load', () => {
    type Verifier = ReturnType<typeof start>;
    const tally = (outcomes: readonly string[]): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
      return counts;
    };
    /** 200 verifications at once, every second one with the key that is newer. */
    const load = async ({ judge }: Verifier) =>
      tally(
        await Promise.all(
          Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? judge() : judge('two', next))),
        ),
      );

    test('K12 loses no valid verification: the new key is found by the first token that it signed', async () => {
      const verifier = await started();
      published.answer = both;
      expect(await load(verifier)).toEqual({ valid: 200 });
      expect(requests()).toBe(2);
    });

    deep.test(
      'K12 a server that fails in between leaves the old key good and the new one to be tried again',
      async () => {
        const verifier = await started();
        published.answer = servingStatus(503);
        expect(await load(verifier)).toEqual({ valid: 100, 'keys_unavailable K14': 100 });
        published.answer = both;
        verifier.wait(30);
        expect(await load(verifier)).toEqual({ valid: 200 });
      },
    );

    test('K12 two keys under one kid are still ambiguous after a rotation', async () => {
      const { judge } = await started();
      const rotated = [next, newKeyPair()].map(({ jwk }) => ({ ...jwk, kid: 'two' }));
      published.answer = servingJson({ keys: [{ ...issuerKeys.jwk, kid: 'one' }, ...rotated] });
      expect(await judge('two', next)).toBe(unknown);
    });
  });
});

describe('unavailable keys', () => {
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
      'K14 a body over the limit': [
        why('came in a reply that is too large.'),
        servingJson({ keys: [large] }),
      ],
      'K14 a connection that breaks': [why('could not be fetched.'), (res) => res.destroy()],
      'K14 it answers with 500': [why('came with the status 500.'), servingStatus(500)],
      'K14 it sends a page': [
        why('are not JSON.'),
        (res) => res.end('<!doctype html><title>Sign in</title>'),
      ],
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
});
