import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { asVerified } from '../../lib/dev/testing/index.js';
import { createClient } from 'redis';
import { sdJwtVc } from '../../lib/index.js';
import { mysqlStore } from '../../lib/stores/mysql.js';
import { postgresStore } from '../../lib/stores/postgres.js';
import { redisStore } from '../../lib/stores/redis.js';
import { configured, good } from '../options/settings.js';
import { identityWith, startApp } from '../support/app.js';
import { inMode } from '../support/mode.js';

const json = { accept: 'application/json' };
const spyOnWarnings = () => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);

afterEach(() => void jest.restoreAllMocks());

describe('what context reads of the address that a link opens', () => {
  test('is in the form of the start page, but for returnTo and form', async () => {
    const seen: unknown[] = [];
    const app = await startApp({
      options: { context: ({ query }: { query: unknown }) => void seen.push(query) },
    });
    const browser = app.browser();
    const query = '?basket=7&returnTo=/club&form=x&a[b]=%22%3E&returnTo[x]=1';
    const page = await browser.get(`${app.url}/identity/start${query.replace('&returnTo[x]=1', '')}`);
    const action = /<form method="post" action="([^"]+)">/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    expect(action).toBe('/identity/start?returnTo=%2Fclub&basket=7&a%5Bb%5D=%22%3E&form=kit');
    expect((await browser.post(`${app.url}${action}`, {})).status).toBe(303);
    expect(seen).toEqual([expect.objectContaining({ basket: '7', returnTo: '/club' })]);
  });
});

describe('in development a refusal says why, in JSON too', () => {
  const elsewhere = expect.stringContaining(
    'A page of another origin sent this: it may link to /identity/start, and not post or fetch it.',
  );
  const unlisted = expect.stringMatching(
    / \(shop\.test:3111\) is not listed in appUrl: open the app at http:/,
  );
  test.each([
    [
      'cross_site',
      'development',
      { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' },
      elsewhere,
    ],
    ['cross_site', 'test', { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, undefined],
    ['origin_not_allowed', 'development', { 'x-forwarded-host': 'shop.test:3111' }, unlisted],
    ['origin_not_allowed', 'test', { 'x-forwarded-host': 'shop.test:3111' }, undefined],
  ])('%s, in %s', async (code, mode, headers, sentence) => {
    spyOnWarnings();
    const app = await inMode(mode, () => startApp({ before: (it) => it.set('trust proxy', true) }));
    const { status, text } = await app
      .browser()
      .post(`${app.url}/identity/start`, {}, { ...json, ...(headers as Record<string, string>) });
    const { error, hint } = JSON.parse(text) as { error: string; hint?: string };
    expect([status, error]).toEqual([code === 'cross_site' ? 403 : 400, code]);
    expect(hint).toEqual(sentence);
    expect(text.includes('3111')).toBe(sentence === unlisted);
  });
});

describe('the name of a question that is nearly right', () => {
  const questions = { age: { reveal: ['birth_date'] }, member: { reveal: ['given_name'] } };

  test('identity.start names it, in development on the page', async () => {
    spyOnWarnings();
    const app = await inMode('development', () =>
      startApp({
        options: { questions },
        after: (it, identity) => it.post('/go', (req, res) => identity.start(req, res, { question: 'aeg' })),
      }),
    );
    const reply = await app.browser().post(`${app.url}/go`, {}, json);
    expect([reply.status, (JSON.parse(reply.text) as { hint: string }).hint]).toEqual([
      404,
      expect.stringContaining('There is no question named aeg. Did you mean age?'),
    ]);
  });

  test('asVerified refuses it', async () => {
    const app = await startApp({ options: { questions } });
    expect(() => asVerified(app.identity, { question: 'membr' })).toThrow(
      'asVerified: There is no question named membr. Did you mean member?',
    );
    expect(() => asVerified(app.identity, { question: 'x' })).toThrow(
      'Known questions: default, age, member.',
    );
  });

  test('an issuer whose trust entry is misspelled is told beside it', () => {
    const { trust } = configured({});
    expect(() => configured({ issuer: 'xx-pidd', trust: { 'xx-pid': Object.values(trust)[0] } })).toThrow(
      'Option trust has no entry for the issuer xx-pidd: nothing could be verified. It has one for xx-pid: the names must be equal.',
    );
  });
});

describe('maxAge beyond keepFor', () => {
  const warnings = async (maxAge: string | undefined, keepFor?: string) => {
    const warned = spyOnWarnings();
    const app = await inMode('development', () => startApp({ options: { ...(keepFor && { keepFor }) } }));
    warned.mockClear();
    app.identity.require(maxAge === undefined ? {} : { maxAge: maxAge as '1d' });
    return warned.mock.calls;
  };

  test('is told once, where the guard is made', async () => {
    expect(await warnings('30d')).toEqual([
      [
        'pidgate: identity.require: maxAge is longer than keepFor of the question default (8 hours): people verify again when keepFor has passed.',
        { type: 'PidgateWarning', code: 'PIDGATE_MISTAKE' },
      ],
    ]);
  });

  test.each([
    ['8h', undefined],
    ['30d', '30d'],
    [undefined, undefined],
  ])('%s with keepFor %s is fine', async (maxAge, keepFor) => {
    expect(await warnings(maxAge, keepFor)).toEqual([]);
  });
});

describe('what production tells too', () => {
  const refusalOf = (change: Record<string, unknown>): string => {
    try {
      configured(change);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  test('a limit beside limits', () => {
    expect(refusalOf({ requestTimeout: '5s' })).toBe(
      'Option requestTimeout: is one of limits: write limits: { requestTimeout: … }.',
    );
  });

  test('a trust entry without the name of its issuer', () => {
    const entry = sdJwtVc({
      keys: { jwksUri: 'https://issuer.example/jwks.json' },
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'x' },
    });
    expect(refusalOf({ trust: entry })).toBe(
      "Option trust.format: is of one entry. Name its issuer: trust: { 'xx-issuer': sdJwtVc({ … }) }.",
    );
  });

  test('a store that is given its client or pool alone', () => {
    const client = createClient();
    expect(() => redisStore(client as never)).toThrow('redisStore takes an object: redisStore({ client }).');
    const query = (): void => undefined;
    expect(() => postgresStore({ query } as never)).toThrow(
      'postgresStore takes an object: postgresStore({ pool }).',
    );
    expect(() => mysqlStore({ query } as never)).toThrow('mysqlStore takes an object: mysqlStore({ pool }).');
  });

  test('a redis client that was never connected', async () => {
    await expect(redisStore({ client: createClient() }).read('x')).rejects.toThrow(
      'Redis failed: the client is not connected. Call client.connect().',
    );
  });

  test.each(['Production', 'PROD', 'prod'])('NODE_ENV=%s', async (mode) => {
    const warned = spyOnWarnings();
    await inMode(mode, () => identityWith(good));
    expect(warned.mock.calls.map(([sentence]) => sentence)).toEqual([
      `pidgate: NODE_ENV is ${mode}, but only the spelling production counts, for Express and for pidgate. Set NODE_ENV=production.`,
    ]);
  });
});
