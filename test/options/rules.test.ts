import { describe, expect, test } from '@jest/globals';
import { configured, good, refusal, withEnvironment } from './settings.js';

const local = 'http://127.0.0.1:4000';

describe('https', () => {
  test('baseUrl: https, or loopback', () => {
    const bad =
      'http://service.example service.example ftp://service.example https://user:marker@service.example';
    for (const baseUrl of [...bad.split(' '), 'marker'])
      expect(refusal({ baseUrl })).toBe(
        'Option baseUrl (or IDENTITY_BASE_URL): must be an https URL (http only on loopback).',
      );
    for (const baseUrl of `https://service.example/api http://localhost:4000 ${local} http://[::1]:4000`.split(
      ' ',
    ))
      expect(configured({ baseUrl }).baseUrl).toBe(baseUrl);
    expect(refusal({ baseUrl: 'https://service.example/api/prove' })).toBe(
      "baseUrl (or IDENTITY_BASE_URL) must be the service's address without /prove.",
    );
  });

  test('F77 wherever an entry fetches keys or anchors from, derivedBy included: https, or http where baseUrl is on loopback too', () => {
    const entry = {
      format: 'sd-jwt-vc',
      keys: { jwksUri: 'https://x.example' },
      vct: ['x'],
      keyBinding: { nonce: 'state-sha256', audience: 'x' },
    };
    const inside = (change: object): object => ({ 'de-ausweis': { ...entry, ...change } });
    const ways: [place: string, keys: (url: unknown) => object][] = [
      ['keys.jwksUri', (jwksUri) => ({ jwksUri })],
      ['keys.x5c.trustedList.url', (url) => ({ x5c: { trustedList: { url } } })],
    ];
    const words = `jwks http://localhost/jwks http://[::1]/ http://issuer.example/jwks ${local}/jwks`;
    const bad = [...words.split(' '), 7, null];
    for (const [place, keys] of ways) {
      for (const [below, trust] of [
        ['', (url: unknown) => inside({ keys: keys(url) })],
        ['derivedBy.', (url: unknown) => inside({ derivedBy: { format: 'jwt', keys: keys(url) } })],
      ] as const) {
        const message = `Option trust.de-ausweis.${below}${place}: must be https (http only on loopback, where baseUrl is too).`;
        for (const url of bad) expect(refusal({ trust: trust(url) })).toBe(message);
        expect(configured({ trust: trust('https://issuer.example/jwks') }).trust).toBeDefined();
        expect(configured({ baseUrl: local, trust: trust(`${local}/jwks`) }).trust).toBeDefined();
        expect(refusal({ baseUrl: local, trust: trust('http://issuer.example/jwks') })).toBe(message);
      }
    }
  });

  const origin =
    'Option appUrl (or APP_URL) must be an https origin (http on loopback where baseUrl is too), ' +
    'optionally followed by the path prefix that your proxy strips.';
  test('appUrl is an origin, with a path at the most', () => {
    const [shop, bad] = ['https://shop.example', '/shop// /%41 /shop?a /?a ? #'.split(' ')];
    const others = 'http://shop.example http://localhost:3000 https://user@shop.example shop.example *'.split(
      ' ',
    );
    for (const appUrl of [...bad.map((rest) => shop + rest), ...others, `${shop}/a b`, `${shop},${shop}`]) {
      expect(refusal({ appUrl })).toBe(origin);
      expect(refusal({ appUrl: ['https://other.example', appUrl] })).toBe(origin);
    }
  });

  test('appUrl: an origin may have the path that a proxy takes off, and stands there once', () => {
    const appUrl = ['https://shop.example/shop/', 'https://www.shop.example/a/b', 'https://x.example'];
    const config = configured({ appUrl });
    expect(config.origins).toEqual([
      'https://shop.example/shop',
      'https://www.shop.example/a/b',
      'https://x.example',
    ]);
    expect(config.scope).toBe('/identity /a/b /shop');
    expect(configured({ appUrl: ['https://shop.example', 'https://www.shop.example/'] }).scope).toBe(
      '/identity',
    );
    expect(refusal({ appUrl: ['https://shop.example/a', 'https://shop.example/b'] })).toBe(
      'Option appUrl: an origin may be listed once.',
    );
  });

  test('appUrl: origins, written as browsers write them', () => {
    expect(configured({ appUrl: ['HTTPS://Shop.example:443/', 'https://www.shop.example'] }).origins).toEqual(
      ['https://shop.example', 'https://www.shop.example'],
    );
    expect(configured({ baseUrl: local, appUrl: 'http://localhost:3000' }).origins).toEqual([
      'http://localhost:3000',
    ]);
  });
});

describe('trust', () => {
  test('an issuer without an entry is refused', () => {
    const message = 'Option trust has no entry for the issuer de-ausweis: nothing could be verified.';
    expect(refusal({ trust: undefined })).toBe(message);
    expect(refusal({ trust: {} })).toBe(message);
    expect(refusal({ trust: { 'de-ausweis': undefined } })).toBe(message);
    expect(refusal({ trust: { 'DE-AUSWEIS': good.trust['de-ausweis'] } })).toBe(
      `${message} It has one for DE-AUSWEIS: the names must be equal.`,
    );
    expect(refusal({ issuer: 'constructor' })).toBe(message.replace('de-ausweis', 'constructor'));
    expect(refusal({ issuer: 'toString', trust: {} })).toBe(message.replace('de-ausweis', 'toString'));
  });

  test('the issuer of a named request needs an entry of its own, and the sandbox its permission', () => {
    const trust = { ...good.trust, 'fr-wallet': good.trust['de-ausweis'] };
    const requests = { age: { reveal: ['birth_date'], issuer: 'fr-wallet' } };
    expect(refusal({ requests })).toBe(
      'Option trust has no entry for the issuer fr-wallet: nothing could be verified.',
    );
    const config = configured({ requests, trust });
    expect([...config.requests.values()].map(({ issuer }) => issuer)).toEqual(['de-ausweis', 'fr-wallet']);
    withEnvironment({ NODE_ENV: 'production' }, () => {
      const sandboxed = { age: { reveal: ['birth_date'], issuer: 'xx-sandbox' } };
      expect(refusal({ requests: sandboxed })).toMatch(/^The issuer xx-sandbox proves nothing/);
    });
  });
});

describe('the sandbox', () => {
  const sandbox = { issuer: 'xx-sandbox', trust: { 'xx-sandbox': good.trust['de-ausweis'] } };
  const message =
    'The issuer xx-sandbox proves nothing: it needs NODE_ENV=development or test, or allowSandbox: true.';

  // With an entry that bears the sandbox's mark: F74 in sandbox-mark.test.ts.
  test('is refused outside development unless it is allowed, by code or environment', () => {
    withEnvironment({ IDENTITY_ISSUER: 'xx-sandbox' }, () => {
      for (const options of [sandbox, { ...sandbox, issuer: undefined }]) {
        expect(refusal({ ...options, allowSandbox: false })).toBe(message);
        expect(configured({ ...options, allowSandbox: true }).issuer).toBe('xx-sandbox');
      }
    });
    withEnvironment({ NODE_ENV: 'development' }, () => {
      expect(configured(sandbox).issuer).toBe('xx-sandbox');
    });
  });

  test('trust for another issuer stands beside it without harm', () => {
    withEnvironment({ NODE_ENV: 'production' }, () => {
      expect(configured({ trust: { ...good.trust, ...sandbox.trust } }).issuer).toBe('de-ausweis');
    });
  });
});

describe('what the service would refuse', () => {
  test('derived in the base variant', () => {
    const message = 'Option derived: derived is not part of the base variant.';
    expect(refusal({ variant: 'base', derived: { nationality: 'DE' } })).toBe(message);
    expect(configured({ variant: 'base', derived: {} }).variant).toBe('base');
    expect(configured({ derived: { nationality: 'DE' } }).requests.get('default')?.derived).toEqual({
      nationality: 'DE',
    });
    withEnvironment({ IDENTITY_VARIANT: 'base' }, () => {
      expect(refusal({ derived: { nationality: 'DE' } })).toBe(message);
      const requests = { dutch: { reveal: ['given_name'], derived: { nationality: 'NL' } } };
      expect(refusal({ requests })).toBe(message.replace('derived:', 'requests.dutch.derived:'));
    });
  });

  test.each([
    ['Germany', 'DE'],
    ['germany', 'DE'],
    ['Deutschland', 'DE'],
    ['Germny', 'DE'],
    ['de', 'DE'],
    ['Österreich', 'AT'],
    ['Allemagne', 'DE'],
  ])('a nationality of %s: the code that was meant is %s', (nationality, code) => {
    const message =
      'derived.nationality: must be a country code of ISO 3166-1, two capital letters such as FR. Did you mean';
    expect(refusal({ derived: { nationality } })).toBe(`Option ${message} ${code}?`);
    const requests = { age: { reveal: ['birth_date'], derived: { nationality } } };
    expect(refusal({ requests })).toBe(`Option requests.age.${message} ${code}?`);
  });

  test('a nationality is the code of a country', () => {
    for (const nationality of ['DE', 'FR', 'GB', 'NA']) {
      const { requests } = configured({ derived: { nationality } });
      expect(requests.get('default')?.derived).toEqual({ nationality });
    }
    const message =
      'Option derived.nationality: must be a country code of ISO 3166-1, two capital letters such as FR.';
    for (const nationality of [
      '',
      7,
      'D E',
      ...'XX EU DEU QU <b> constructor marker-of-a-stranger'.split(' '),
    ])
      expect(refusal({ derived: { nationality } })).toBe(message);
  });
});

describe('places to go to', () => {
  test.each(['https://evil.example/', '//evil.example', 'welcome', '/\\evil.example', 'javascript:alert(1)'])(
    'not %s',
    (to) => {
      const must = 'must be a path of the app, such as /welcome.';
      expect(refusal({ successRedirect: to })).toBe(`Option successRedirect: ${must}`);
      expect(refusal({ errorRedirect: to })).toBe(`Option errorRedirect: ${must}`);
      expect(refusal({ requests: { age: { reveal: ['birth_date'], successRedirect: to } } })).toBe(
        `Option requests.age.successRedirect: ${must}`,
      );
    },
  );

  test('a request without a place of its own has that of the factory', () => {
    const { requests } = configured({
      successRedirect: '/in',
      requests: { age: { reveal: ['birth_date'] }, bar: { reveal: ['birth_date'], successRedirect: '/bar' } },
    });
    expect([...requests.values()].map((it) => it.successRedirect)).toEqual(['/in', '/in', '/bar']);
    expect(configured().requests.get('default')?.successRedirect).toBe('/');
  });
});

describe('routes', () => {
  test('each has an address of its own', () => {
    expect(refusal({ routes: { start: '/return' } })).toBe('Option routes: two routes have one address.');
    expect(refusal({ routes: { status: '/START' } })).toBe('Option routes: two routes have one address.');
    expect(configured({ routes: { status: false, start: '/status' } }).routes.start).toBe('/status');
  });

  test('none lies where the names of requests are', () => {
    expect(refusal({ routes: { callback: '/Start/callback' } })).toBe(
      "Option routes: a path below /start is a request's name.",
    );
    expect(configured({ routes: { start: false, callback: '/start/callback' } }).routes.callback).toBe(
      '/start/callback',
    );
    expect(configured({ routes: { callback: '/starting/callback' } }).routes.callback).toBe(
      '/starting/callback',
    );
  });

  test('return may be left out only where nothing comes back to it', () => {
    const message = "Option routes.return: false needs confirm: 'callback' and an errorRedirect.";
    const routes = { return: false };
    expect(refusal({ routes })).toBe(message);
    expect(refusal({ routes, errorRedirect: '/sorry' })).toBe(message);
    expect(refusal({ routes, confirm: 'callback' })).toBe(message);
    expect(configured({ routes, confirm: 'callback', errorRedirect: '/sorry' }).routes.return).toBe(false);
  });
});

describe("confirm: 'callback'", () => {
  test('has nothing to keep', () => {
    const message =
      "Option keep: confirm: 'callback' stores nothing in the session; remove keep, or use 'return'.";
    const keep = (): void => undefined;
    expect(refusal({ confirm: 'callback', keep })).toBe(message);
    expect(refusal({ confirm: 'callback', requests: { age: { reveal: ['birth_date'], keep } } })).toBe(
      message.replace('keep', 'requests.age.keep'),
    );
    expect(configured({ confirm: 'callback', requests: { age: { reveal: ['birth_date'] } } }).confirm).toBe(
      'callback',
    );
  });
});
