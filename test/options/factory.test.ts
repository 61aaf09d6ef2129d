import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { identityVerification, memoryStore, sdJwtVc, signedJwt } from '../../lib/index.js';
import { en } from '../../lib/options/pages/en.js';
import { configured, good, withEnvironment } from './settings.js';

const make = (change: object = {}): unknown => identityVerification({ ...good, ...change } as never);

describe('the configuration', () => {
  test('is frozen, and no part of it follows what the caller changes later', () => {
    const options = {
      ...good,
      reveal: ['given_name'],
      derived: { nationality: 'DE' },
      appUrl: ['https://shop.example'],
      limits: { concurrentStarts: 3 },
      routes: { start: '/begin' },
      requests: { age: { reveal: ['birth_date'] } },
      trust: { ...good.trust },
    };
    const config = configured(options);
    options.reveal.push('family_name');
    options.derived.nationality = 'FR';
    options.appUrl.push('https://evil.example');
    options.limits.concurrentStarts = 9;
    options.routes.start = '/other';
    options.requests.age.reveal.push('nationality');
    expect(config.requests.get('default')).toMatchObject({
      reveal: ['given_name'],
      derived: { nationality: 'DE' },
    });
    expect(config.requests.get('age')?.reveal).toEqual(['birth_date']);
    const request = config.requests.get('age');
    const { limits, routes, origins } = config;
    expect([origins, limits.concurrentStarts, routes.start]).toEqual([
      options.appUrl.slice(0, 1),
      3,
      '/begin',
    ]);
    for (const part of [config, limits, routes, origins, request, request?.reveal, request?.derived]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test('the clock is the platform’s where none is given', () => {
    const before = Date.now();
    expect(configured().clock().getTime()).toBeGreaterThanOrEqual(before);
    const clock = (): Date => new Date(0);
    expect(configured({ clock }).clock).toBe(clock);
  });
});

describe('the factory', () => {
  const warnings: unknown[][] = [];
  afterEach(() => {
    jest.restoreAllMocks();
    warnings.length = 0;
  });
  const listen = (): void => {
    jest.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void warnings.push(args));
  };

  const warning = (code: string, words: string) => [
    expect.stringContaining(words),
    { type: 'PidgateWarning', code: `PIDGATE_${code}` },
  ];

  test('throws config_invalid at construction, without a secret', () => {
    for (const apiKey of ['marker key', 'marker\n', 'märker']) {
      const message = 'apiKey may contain only printable ASCII characters, no spaces.';
      expect(() => make({ apiKey })).toThrow(expect.objectContaining({ code: 'config_invalid', message }));
    }
    expect(() => make({ trust: { 'de-ausweis': { format: 'marker' } } })).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.not.stringContaining('marker') }),
    );
    for (const entry of [null, 7, 'text', []]) {
      expect(() => make({ trust: { 'de-ausweis': entry } })).toThrow(
        expect.objectContaining({ code: 'config_invalid' }),
      );
    }
  });

  test('warns once in production of flows that live in one process', () => {
    listen();
    withEnvironment({ NODE_ENV: 'production' }, () => {
      make();
      expect(warnings).toEqual([warning('MEMORY', 'more than one process')]);
      make({ store: { ...memoryStore() }, secret: 'x'.repeat(32) }); // one that the kit did not make
      expect(warnings).toHaveLength(1);
    });
    make();
    expect(warnings).toHaveLength(1);
  });

  test("warns of an appUrl that has the router's own path at its end", () => {
    listen();
    make({ appUrl: 'https://identity.example' });
    make({ appUrl: 'https://shop.example/identity-shop' });
    make({ appUrl: 'https://shop.example/identity' });
    const words =
      'pidgate: appUrl is https://shop.example/identity: remove /identity, unless a proxy strips it.';
    expect(warnings).toEqual([warning('APP_URL', words)]);
  });

  test('P39 names all texts at once that a language lacks', () => {
    listen();
    make({ pages: { texts: { eo: { ...en, cancel: undefined, redirect_text: undefined }, de: {} } } });
    const words =
      'pidgate: pages.texts.eo lacks cancel, redirect_text: English stands in. pidgate/texts.en.json has all texts.';
    expect(warnings).toEqual([warning('TEXTS', words)]);
  });

  test("says once what confirm: 'callback' gives up", () => {
    listen();
    make({ confirm: 'callback' });
    make({ confirm: 'return' });
    expect(warnings).toEqual([warning('CONFIRM_CALLBACK', 'a result belongs to no browser')]);
  });
});

test('a builder makes the same entry as its format in a plain object', () => {
  const keys = { jwksUri: 'https://issuer.example/jwks.json' };
  const credential = {
    keys,
    vct: ['urn:eudi:pid:1'],
    keyBinding: { nonce: 'state-sha256', audience: 'shop' },
  } as const;
  const token = {
    keys,
    iss: 'https://issuer.example',
    audience: 'shop',
    typ: 'result+jwt',
    binding: { claim: 'nonce', value: 'state-sha256' },
    claims: { given_name: ['given_name'] },
  } as const;
  const entries = { 'de-ausweis': sdJwtVc(credential), 'xx-service': signedJwt(token) };
  expect(entries).toEqual({
    'de-ausweis': { format: 'sd-jwt-vc', ...credential },
    'xx-service': { format: 'jwt', ...token },
  });
  expect(Object.values(entries).every((entry) => Object.isFrozen(entry))).toBe(true);
  expect(configured({ trust: entries }).trust).toEqual(entries);
});
