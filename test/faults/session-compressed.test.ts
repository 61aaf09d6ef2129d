import { createGzip } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { RequestHandler, Response } from 'express';
import expressSession, { MemoryStore } from 'express-session';
import { login, showing, shownTo } from '../support/account.js';
import { noCode, startApp } from '../support/app.js';

/** What a middleware that compresses does: the end comes when everything has been compressed, in a later turn. */
const compressing: RequestHandler = (_req, res, next) => {
  const write = res.write.bind(res) as (part: Buffer) => boolean;
  const [end, writeHead] = [res.end.bind(res) as () => Response, res.writeHead.bind(res)];
  const gzip = createGzip();
  gzip.on('data', write).on('end', end);
  res.writeHead = ((...args: Parameters<typeof writeHead>) => {
    res.removeHeader('Content-Length');
    res.setHeader('Content-Encoding', 'gzip');
    return writeHead(...args);
  }) as typeof writeHead;
  res.write = ((part: string | Buffer) => gzip.write(part)) as typeof res.write;
  res.end = ((part?: string | Buffer) => {
    if (!res.headersSent) res.writeHead(res.statusCode);
    gzip.end(part ?? '');
    return res;
  }) as typeof res.end;
  next();
};

const settings = [
  {},
  { resave: true, rolling: true },
  { saveUninitialized: true },
  { unset: 'destroy' as const },
];
const places = ['before express-session', 'after express-session'];
const cases = settings.flatMap((setting) => places.map((place) => ({ place, setting })));

describe('F45, F65 behind a middleware that compresses', () => {
  test.each(cases)(
    'F45, F65 mounted $place: a release ends well, and reading writes nothing ($setting)',
    async ({ place, setting }) => {
      const store = new MemoryStore();
      const sessions = expressSession({
        secret: 'only for tests',
        resave: false,
        saveUninitialized: false,
        store,
        ...setting,
      });
      const seen: unknown[] = [];
      const app = await startApp({
        session: false,
        options: { keep: () => 'kept' },
        before: (its) => {
          its.use(...(place.startsWith('before') ? [compressing, sessions] : [sessions, compressing]));
          its.use((req, res, next) => {
            res.on('finish', () => seen.push(typeof req.session));
            next();
          });
          login()(its);
        },
        after: showing(['user']),
      });
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      const shown = await browser.get(back);
      expect([shown.status, shown.headers.get('content-encoding')]).toEqual([303, 'gzip']);
      expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
      expect(Object.keys(store['sessions' as never])).toHaveLength(1); // the old one has ended
      expect(app.events.filter(({ type }) => type === 'return.refused')).toEqual([]);
      const begun = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
      const { flowId } = begun.json() as { flowId: string };

      const calls: string[] = [];
      for (const name of ['set', 'touch', 'destroy'] as const) {
        Object.assign(store, { [name]: () => calls.push(name) });
      }
      const before = JSON.stringify(store['sessions' as never]);
      for (const [path, status] of [
        [`/identity/status?flow=${flowId}`, 200],
        ['/identity/start', 200],
        ['/identity/return?error=declined', 200],
        [`/identity/return?code=${noCode}`, 200],
        [`/identity/return?code=${noCode}&reload=1`, 403],
        [back.replace(app.url, ''), 303],
      ] as const) {
        const answer = await browser.get(`${app.url}${path}`);
        expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, status, []]);
      }
      expect([calls, JSON.stringify(store['sessions' as never])]).toEqual([[], before]);
      expect(new Set(seen)).toEqual(new Set(['object'])); // F69
    },
  );
});
