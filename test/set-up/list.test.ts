import { describe, expect, test } from '@jest/globals';
import type { Facts, SessionFacts } from '../../lib/set-up/facts.js';
import { findingsIn, mistakes, wordsOf } from '../../lib/set-up/list.js';

const paths = {
  mount: '/identity',
  start: '/identity/start',
  callback: '/identity/callback',
  request: '/identity/request',
};
const page = { status: 200, isKits: true, replaced: [] };
const cookie: SessionFacts = {
  secure: true,
  sameSite: 'lax',
  name: '__Host-session',
  httpOnly: true,
  readsOther: true,
};
const json = 'application/json; charset=utf-8';

/** An app in production with which all is well. */
const good = {
  appUrl: new URL('https://shop.example/'),
  isLocal: false,
  mode: 'production',
  issuer: 'de-ausweis',
  paths,
  unset: [],
  serviceAddress: 'https',
  page,
  post: { status: 403, error: 'cross_site' },
  callback: { status: 400, error: 'callback_malformed', type: json, isEvent: false },
  service: { status: 400, error: 'error_missing_parameter', host: 'service.example' },
  skew: 4,
  session: cookie,
  isHttps: true,
  isForwarded: true,
  trustsProxy: true,
  flowTtl: 600_000,
  store: { memory: false },
  signs: 'good',
  sharesSecret: true,
} satisfies Facts;

const local = {
  appUrl: new URL('http://localhost:3000/'),
  isLocal: true,
  isHttps: false,
  mode: 'development',
  serviceAddress: 'local',
} as const;
const session = (change: Partial<SessionFacts>): Facts => ({ session: { ...cookie, ...change } });
const callback = (change: object): Facts => ({ callback: { ...good.callback, error: undefined, ...change } });
const called = (status: number): string => `POST /identity/callback returns ${status}`;

/** Facts that differ from the good ones, and what is seen in them: nothing else. */
const table: readonly (readonly [id: string, facts: Facts, seen?: string])[] = [
  [
    'environment-incomplete',
    { unset: ['IDENTITY_API_KEY', 'IDENTITY_ISSUER'] },
    'not IDENTITY_API_KEY, IDENTITY_ISSUER',
  ],
  ['service-address-unsafe', { serviceAddress: 'unsafe' }],
  [
    'app-url-unsafe',
    { ...local, isLocal: false, appUrl: new URL('http://shop.test/'), ...session({ secure: false }) },
    'http://shop.test',
  ],
  [
    'app-url-unsafe',
    { ...local, ...session({ secure: false }), serviceAddress: 'https' },
    'http://localhost:3000',
  ],
  [
    'app-url-of-router',
    { appUrl: new URL('https://shop.example/identity/') },
    'https://shop.example/identity/',
  ],
  ['sandbox-in-production', { issuer: 'xx-sandbox' }],
  ['secrets-equal', { oneSecretForBoth: true }],
  ['app-unreachable', { page: { why: 'ECONNREFUSED' }, callback: { why: 'ECONNREFUSED' } }, 'ECONNREFUSED'],
  ['not-mounted', { page: { status: 404, isKits: false }, ...callback({ status: 404 }) }, '/identity/start'],
  ['start-not-there', { page: { status: 404, isKits: false } }, '/identity/start'],
  ['start-shadowed', { page: { status: 200, isKits: false } }, '/identity/start'],
  ['mounted-elsewhere', { mountedAt: '/verify' }, 'at /verify, and its option is /identity'],
  [
    'app-url-unknown',
    { page: { status: 400, isKits: false, isOriginUnknown: true } },
    'https://shop.example',
  ],
  [
    'app-url-without-prefix',
    { page: { ...page, leadsTo: 'it leads to /a, and people reach it at /b' } },
    'it leads to /a, and people reach it at /b',
  ],
  ['app-url-without-prefix', { prefix: { taken: '/shop', known: '' } }, '/shop'],
  ['policy-replaced', { page: { ...page, replaced: ['content-security-policy'] } }],
  ['referrer-policy-replaced', { page: { ...page, replaced: ['referrer-policy'] } }],
  ['page-cached', { page: { ...page, replaced: ['cache-control'] } }],
  ['start-blocked', { post: { status: 403 } }, 'with 403'],
  ['start-blocked', { post: { status: 415 } }, 'with 415'],
  ['page-open', { open: { address: '/club', isData: false } }, '/club'],
  ['page-data-open', { open: { address: '/club.data', isData: true } }, '/club.data'],
  ['guard-above-router', { guards: { path: '/identity/start', is: 'router' } }, '/identity/start'],
  [
    'guard-above-router',
    callback({ status: 401, error: 'identity_required' }),
    'it answers the callback with 401',
  ],
  [
    'guard-above-router',
    callback({ status: 401, error: 'identity_stale' }),
    'it answers the callback with 401',
  ],
  ['error-page-guarded', { guards: { path: '/sorry', is: 'errorRedirect' } }, '/sorry'],
  ['session-missing', { session: 'missing' }],
  ['session-below', { session: 'below' }],
  ['session-pathless', { session: 'pathless' }, '/identity'],
  ['session-unsupported', { session: 'unsupported' }],
  ['trust-proxy', { trustsProxy: false }],
  ['cookie-secure-on-http', { ...local }, 'http://localhost:3000'],
  ['cookie-not-secure', session({ secure: false }), 'https://shop.example'],
  ['cookie-without-prefix', session({ name: 'session' }), 'session'],
  ['cookie-same-site-none', { ...local, ...session({ secure: false, sameSite: 'none' }) }],
  ['cookie-same-site-auto', session({ sameSiteVaries: true })],
  ['cookie-function', { ...local, ...session({ secure: false, unresolved: 'secure' }) }, 'secure'],
  ['cookie-domain', session({ domain: '.evil.example' }), 'evil.example'],
  ['cookie-partitioned', session({ partitioned: true })],
  ['cookie-too-short', session({ life: 60 }), 'after 60 milliseconds, and flowTtl is 600000'],
  ['cookie-too-short', session({ life: 598_999 }), 'after 598999 milliseconds, and flowTtl is 600000'],
  [
    'cookie-before-kept',
    { outlives: { name: 'keepFor', wished: '90 days', cookie: '1 hour' } },
    'keepFor is 90 days, and the cookie lasts 1 hour',
  ],
  ['cookie-for-scripts', session({ httpOnly: false })],
  ['session-revived', session({ revives: true })],
  ['subject-missing', { loggedIn: 'req.session.userId' }, 'write subject: (req) => req.session.userId'],
  ['session-store-away', session({ away: true })],
  ['sessions-in-memory', session({ memory: true })],
  ['session-secret-differs', session({ readsOther: false })],
  ['callback-redirected', callback({ status: 302 }), called(302)],
  ['callback-forbidden', callback({ status: 419 }), called(419)],
  ['callback-missing', callback({ status: 404 }), called(404)],
  ['body-consumed', callback({ status: 500, error: 'body_consumed' }), called(500)],
  ['callback-limited', callback({ status: 429 }), called(429)],
  ['callback-unlike-interface', callback({ status: 200 }), called(200)],
  [
    'callback-unlike-interface',
    callback({ status: 400, error: 'callback_malformed', type: 'text/html' }),
    called(400),
  ],
  [
    'callback-unreachable',
    { callback: { why: 'it closed the connection' } },
    'POST /identity/callback: it closed the connection',
  ],
  ['body-lost', callback({ error: 'callback_malformed', isEvent: true })],
  [
    'service-unreachable',
    { service: { host: 'service.example', why: 'ECONNREFUSED' } },
    'service.example: ECONNREFUSED',
  ],
  ['key-refused', { service: { host: 'x', status: 401, error: 'error_api_key' } }],
  ['account-refused', { service: { host: 'x', status: 401, error: 'error_account' } }],
  ['service-unlike-interface', { service: { host: 'x', status: 302 } }, 'x answers POST /prove with 302'],
  ['service-unlike-interface', { service: { host: 'x', status: 400 } }, 'x answers POST /prove with 400'],
  ['clock-skewed', { skew: 5.4 }, '5 seconds ahead of the service'],
  ['clock-skewed', { skew: -3600, asksWallets: true }, '3600 seconds behind the app'],
  ['request-stopped', { request: { status: 302 } }, 'GET /identity/request is answered with 302'],
  [
    'request-stopped',
    { request: { why: 'nothing came' } },
    'GET /identity/request gets no response: nothing came',
  ],
  ['access-key-wrong', { signs: 'it failed.' }, 'it failed'],
  ['access-expires-soon', { accessEnds: 'on 2026-12-01' }, 'on 2026-12-01'],
  ['anchor-expired', { expired: ['CN=A', 'CN=B'] }, 'CN=A; CN=B'],
  ['anchor-expires-soon', { expiring: ['CN=A'] }, 'CN=A'],
  ['keys-away', { keysAway: ['de-ausweis'] }, 'de-ausweis'],
  ['flows-in-memory', { store: { memory: true } }],
  ['flow-secret-differs', { sharesSecret: false }],
  ['flow-store-away', { store: { memory: false, failed: 'replace' } }, 'replace failed'],
];

/** Facts that look like a mistake, and are none. */
const fine: readonly (readonly [what: string, facts: Facts])[] = [
  ['nothing at all was seen', Object.fromEntries(Object.keys(good).map((name) => [name, undefined]))],
  [
    'a machine of a developer',
    { ...local, ...session({ secure: false, memory: true, name: 'session' }), store: { memory: true } },
  ],
  [
    'http on localhost, for an app that asks wallets',
    { ...local, ...session({ secure: false }), serviceAddress: undefined, asksWallets: true },
  ],
  [
    "the router's path in an address that a proxy takes off",
    { appUrl: new URL('https://shop.example/identity'), isReached: true },
  ],
  ['a longer name in the address', { appUrl: new URL('https://shop.example/identity-hub') }],
  ['a log-in in front of the start', { page: { status: 302, isKits: false }, post: { status: 302 } }],
  ['a path that both know', { prefix: { taken: '/shop', known: '/shop' } }],
  ['a cookie that came back', { ...local, ...session({ cameBack: true }) }],
  [
    'SameSite=None that came back',
    { ...local, ...session({ secure: false, sameSite: 'none', cameBack: true }) },
  ],
  ['a domain that is that of the app', session({ domain: '.shop.example' })],
  ['a cookie that is a moment shorter than what the app set', session({ life: 599_000 })],
  ['a host without neighbours', { appUrl: new URL('https://192.0.2.1/'), ...session({ name: 'session' }) }],
  ['an IPv6 address', { appUrl: new URL('https://[2001:db8::1.2.3.4]/'), ...session({ name: 'session' }) }],
  ['a wallet that is answered by the kit', { request: { status: 404, error: 'state_unknown' } }],
  [
    'a callback where there is no router',
    { page: { status: 302 }, callback: { status: 400, error: 'callback_malformed', type: json } },
  ],
];

describe('the list of what can be set up wrong', () => {
  test.each(table.map(([id, facts, seen = '']) => ({ id, facts, seen })))(
    '$id: it alone is seen',
    ({ id, facts, seen }) => {
      const found = findingsIn({ ...good, ...facts });
      const { what, cause, fix } = mistakes.find((mistake) => mistake.id === id) ?? {};
      const observed = `${what}${seen && ` (${seen})`}.`;
      expect(found).toEqual([{ id, observed, cause, fix }]);
      expect(found.map(wordsOf)).toEqual([`${observed} ${fix} Why: npx pidgate explain ${id}`]);
    },
  );

  test.each(fine)('%s: nothing is wrong', (_, facts) => {
    expect(findingsIn({ ...good, ...facts })).toEqual([]);
  });

  test('has each mistake once in this table and with words of its own', () => {
    const ids = mistakes.map(({ id }) => id);
    expect([...new Set(table.map(([id]) => id))]).toEqual(ids);
    expect(new Set(mistakes.map(({ what }) => what)).size).toBe(ids.length);
    for (const { what, cause, fix } of mistakes) {
      expect([what, cause, fix]).toEqual([
        expect.stringMatching(/^\S.{10,}[^.]$/),
        expect.stringMatching(/^\S.{10,}\.$/),
        expect.stringMatching(/^\S.{10,}$/),
      ]);
    }
  });
});
