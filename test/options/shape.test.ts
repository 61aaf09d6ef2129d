import { describe, expect, test } from '@jest/globals';
import { configured, good, refusal } from './settings.js';

describe('unknown options', () => {
  test.each([
    [{ succesRedirect: '/' }, 'Unknown option succesRedirect. Did you mean successRedirect?'],
    [{ onsuccess: () => {} }, 'Unknown option onsuccess. Did you mean onSuccess?'],
    [{ baseURL: 'https://x.example' }, 'Unknown option baseURL. Did you mean baseUrl?'],
    [{ limits: { hookTimout: '3s' } }, 'Unknown option hookTimout of limits. Did you mean hookTimeout?'],
    [
      { limits: { timeout: 3 } },
      'Unknown option timeout of limits. Known options: requestTimeout, verifyTimeout, hookTimeout, callbackBytes, contextBytes, keptBytes, pendingPerSession, concurrentStarts, concurrentVerifications.',
    ],
    [{ routes: { callbck: '/x' } }, 'Unknown option callbck of routes. Did you mean callback?'],
    [
      { requests: { age: { reveal: ['birth_date'], purpos: 'x' } } },
      'Unknown option purpos of requests.age. Did you mean purpose?',
    ],
    [
      { requests: { age: { reveal: ['birth_date'], maxAge: '1d' } } },
      'Unknown option maxAge of requests.age. Known options: reveal, derived, purpose, keep, keepFor, successRedirect, issuer.',
    ],
    [{ reveall: undefined }, 'Unknown option reveall. Did you mean reveal?'],
  ])('%j', (change, message) => {
    expect(refusal(change)).toBe(message);
  });

  test('a name that is like none gets the list', () => {
    expect(refusal({ zzzzzzzz: 1 })).toMatch(
      /^Unknown option zzzzzzzz\. Known options: reveal, derived, .*onEvent\.$/,
    );
  });
});

describe('undefined is absent', () => {
  test('everywhere that an option has a default or may be left out', () => {
    const undefinedOnes = Object.fromEntries(
      [
        'derived purpose requests variant allowSandbox path routes successRedirect errorRedirect sameDevice subject',
        'context keep keepFor store flowTtl confirm limits fetch clock onVerified onSuccess onError onEvent',
      ].flatMap((line) => line.split(' ').map((name) => [name, undefined])),
    );
    const plain = configured();
    const changed = configured(undefinedOnes);
    expect(JSON.parse(JSON.stringify(changed))).toEqual(JSON.parse(JSON.stringify(plain)));
    expect([changed.requests.get('default')?.keepFor, changed.flowTtl, changed.path]).toEqual([
      28_800_000,
      600_000,
      '/identity',
    ]);
  });

  test('inside limits, routes, requests, derived and trust', () => {
    const config = configured({
      limits: { hookTimeout: undefined, pendingPerSession: undefined },
      routes: { start: undefined },
      requests: { age: { reveal: ['birth_date'], purpose: undefined, keep: undefined }, gone: undefined },
      derived: { nationality: undefined },
      trust: { ...good.trust, 'xx-sandbox': undefined },
    });
    expect(config.limits.hookTimeout).toBe(10_000);
    expect(config.routes.start).toBe('/start');
    expect([...config.requests.keys()]).toEqual(['default', 'age']);
    expect(config.requests.get('default')?.derived).toEqual({});
    expect(Object.keys(config.trust)).toEqual(['de-ausweis']);
  });

  test('null is not', () => {
    for (const name of [
      'keepFor',
      'flowTtl',
      'limits',
      'routes',
      'requests',
      'derived',
      'trust',
      'keep',
      'path',
      'variant',
    ]) {
      expect(refusal({ [name]: null })).toMatch(new RegExp(`^Option ${name}: `));
    }
  });
});

describe('what each option must be', () => {
  test.each([undefined, null, 7, 'x', [], () => good])('the options themselves: not %p', (options) => {
    expect(refusal(options)).toBe('The options must be an object.');
  });

  const pathLike = 'must be a path such as /identity';
  test.each([
    ['reveal', 'given_name', 'must be a list of attribute ids'],
    ['reveal', [], 'must name at least one attribute'],
    ['derived', ['DE'], 'must be an object of derived attributes'],
    ['derived.nationality', { nationality: '' }, 'must not be empty'],
    ['derived.nationality', { nationality: 7 }, 'must be a string'],
    ['purpose', '', 'must not be empty'],
    ['requests', [], 'must be an object of requests'],
    [
      'requests.default',
      { default: { reveal: ['given_name'] } },
      'a request is named with letters, digits, - and _, and not default',
    ],
    [
      'requests.a b',
      { 'a b': { reveal: ['given_name'] } },
      'a request is named with letters, digits, - and _, and not default',
    ],
    ['requests.age.reveal', { age: {} }, 'must be a list of attribute ids'],
    ['apiKey', 7, 'must be a string or a function'],
    ['apiKey', '', 'must not be empty'],
    ['issuer', '', 'must not be empty'],
    ['trust', [], 'must be an object by issuer id'],
    ['allowSandbox', 'yes', 'must be true or false'],
    ['path', 'identity', pathLike],
    ['path', '/', pathLike],
    ['path', '/identity/', pathLike],
    ['path', '/a/../b', pathLike],
    ['path', '/a b', pathLike],
    ['path', '/:name', pathLike],
    ['appUrl', [], 'must be an origin or a list of origins'],
    ['appUrl', () => 'https://shop.example', 'must be an origin or a list of origins'],
    ['routes.start', { start: 'start' }, 'must be a path such as /start, or false'],
    ['routes.return', { return: true }, 'must be a path such as /start, or false'],
    ['sameDevice', 'always', "must be 'auto', a boolean or a function"],
    ['subject', 'erika', 'must be a function'],
    ['context', {}, 'must be a function'],
    ['keep', true, 'must be a function'],
    ['store', {}, 'must have the functions create, read, replace and delete'],
    [
      'store',
      { create() {}, read() {}, replace() {} },
      'must have the functions create, read, replace and delete',
    ],
    ['limits.pendingPerSession', { pendingPerSession: 0 }, 'must be a whole number of at least 1'],
    ['limits.callbackBytes', { callbackBytes: '256kb' }, 'must be a whole number of at least 1'],
    ['limits.concurrentStarts', { concurrentStarts: 1.5 }, 'must be a whole number of at least 1'],
    ['fetch', 'fetch', 'must be a function'],
    ['clock', new Date(), 'must be a function'],
    ['onSuccess', 'log', 'must be a function'],
    ['onEvent', {}, 'must be a function'],
  ])('%s: not %p', (where, value, must) => {
    const [name = ''] = where.split('.');
    expect(refusal({ [name]: value })).toBe(`Option ${where}: ${must}.`);
  });

  test.each([
    ['variant', 'v2'],
    ['confirm', 'later'],
  ])('%s is one of its words, not %s', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(
      new RegExp(`^Option ${name}: Invalid option: expected one of `),
    );
  });

  test('an attribute that is nearly one is named', () => {
    expect(refusal({ reveal: ['given_name', 'birthdate'] })).toMatch(
      /^Option reveal\.1: Invalid option: expected one of .* Did you mean birth_date\?$/,
    );
    expect(refusal({ requests: { age: { reveal: ['birth-date'] } } })).toMatch(
      /^Option requests\.age\.reveal\.0: .* Did you mean birth_date\?$/,
    );
    expect(refusal({ reveal: ['marker-of-a-stranger'] })).not.toContain('Did you mean');
    expect(refusal({ reveal: [7] })).not.toContain('Did you mean');
  });
});

describe('durations', () => {
  test.each([
    [1, 1],
    ['250ms', 250],
    ['30s', 30_000],
    ['10m', 600_000],
    ['8h', 28_800_000],
    ['30d', 2_592_000_000],
    ['1.5h', 5_400_000],
  ])('keepFor %p is %d ms', (keepFor, ms) => {
    expect(configured({ keepFor }).requests.get('default')?.keepFor).toBe(ms);
  });

  const must = "must be milliseconds or a string such as '30s', '10m', '8h', '30d'";
  test.each([
    0,
    -1,
    Number.NaN,
    Infinity,
    '10',
    '10 m',
    '-1d',
    '0s',
    '1w',
    '8H',
    '',
    'eight hours',
    true,
    {},
    '9e9d',
    '1e400d',
    '999999999999d',
  ])('keepFor is not %p', (keepFor) => {
    expect(refusal({ keepFor })).toBe(`Option keepFor: ${must}.`);
  });

  test('what a timer must wait for is bounded by what a timer can', () => {
    for (const name of ['requestTimeout', 'verifyTimeout', 'hookTimeout']) {
      expect(configured({ limits: { [name]: '24d' } }).limits).toMatchObject({ [name]: 24 * 86_400_000 });
      expect(refusal({ limits: { [name]: '25d' } })).toBe(`Option limits.${name}: ${must}, at most 24 days.`);
    }
    expect(refusal({ flowTtl: '25d' })).toBe(`Option flowTtl: ${must}, at most 24 days.`);
  });

  test('the defaults of the limits', () => {
    expect(configured().limits).toEqual({
      requestTimeout: 10_000,
      verifyTimeout: 5_000,
      hookTimeout: 10_000,
      callbackBytes: 262_144,
      contextBytes: 8_192,
      keptBytes: 8_192,
      pendingPerSession: 5,
      concurrentStarts: 50,
      concurrentVerifications: 100,
    });
  });
});
