import { describe, expect, test } from '@jest/globals';
import type { MemoryStore, SessionData } from 'express-session';
import { openRecord, splitValue } from '../../lib/flow/record.js';
import { open as unseal, namesOf, replyKey, resultKey } from '../../lib/flow/secrets.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { me } from '../support/account.js';
import { type AppSetup, type Running, startApp, testClock } from '../support/app.js';
import { gate } from '../support/callbacks.js';
import { decide } from '../support/wallet.js';

describe('session and store', () => {
  async function open(setup: AppSetup = {}): Promise<Running> {
    return await startApp({
      ...setup,
      options: {
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        ...setup.options,
      },
      after: (app, identity) => {
        me(app, identity);
        setup.after?.(app, identity);
      },
    });
  }

  test('F31 the callback touches no session and sets no cookie, though its caller sends one', async () => {
    const app = await open();
    const browser = app.browser();
    await app.start(browser);
    const before = JSON.stringify(await all(app.sessions));
    const cookie = `connect.sid=${browser.cookies.get('connect.sid')}`;
    const reply = await app.callback(
      { state: 'A'.repeat(43), error: 'x', error_description: '' },
      { cookie },
    );
    expect(reply.status).toBe(200);
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(JSON.stringify(await all(app.sessions))).toBe(before);
  });

  test('F31 a request that overlaps the callback and saves its old session loses nothing', async () => {
    const [arrived, held] = [gate(), gate()];
    const app = await open({
      before: (app) =>
        app.get('/slow', (req, res) => {
          arrived.open();
          void held.opened.then(() => {
            Object.assign(req.session, { seen: true });
            res.end();
          });
        }),
    });
    const browser = app.browser();
    const wallet = await app.start(browser);
    const slow = browser.get(`${app.url}/slow`);
    await arrived.opened;
    const back = await decide(wallet, 'approve');
    held.open();
    await slow;
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
  });

  test('F31 the kit re-reads before it writes: what another request stored during onSuccess stays', async () => {
    let id = '';
    const app = await open({
      options: {
        onSuccess: async () => {
          const stored = await read(app.sessions, id);
          await write(app.sessions, id, { ...stored, basket: 3 } as unknown as SessionData);
        },
      },
      after: (app) =>
        app.get('/basket', (req, res) => {
          res.json((req.session as typeof req.session & { basket?: number }).basket ?? null);
        }),
    });
    const browser = app.browser();
    const back = await app.toReturn(browser);
    [id = ''] = Object.keys(await all(app.sessions));
    await browser.get(back);
    expect((await browser.get(`${app.url}/basket`)).json()).toBe(3);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
    expect(Object.keys(await all(app.sessions))).not.toContain(id);
  });

  test('F31 what JSON does not have, in the session of a request, is no value of the session', async () => {
    const app = await open({
      before: (app) =>
        app.use((req, _res, next) => {
          Object.assign(req.session, { greet: () => 'hello', nothing: undefined });
          next();
        }),
    });
    const browser = app.browser();
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
    const [session] = Object.values(await all(app.sessions));
    expect(Object.keys(session ?? {})).toEqual(['cookie', 'pidgate /identity']);
  });

  test('F31 a store that cannot make the new session: nothing runs, and the same address works at once', async () => {
    let broken = true;
    let ran = 0;
    const app = await open({
      options: { onSuccess: () => void (ran += 1) },
      before: (app) =>
        app.use('/identity/return', (req, _res, next) => {
          const { sessionStore } = req;
          const { generate } = sessionStore;
          if (broken) {
            sessionStore.generate = () => {
              sessionStore.generate = generate;
              throw new Error('marker');
            };
          }
          next();
        }),
    });
    const browser = app.browser();
    const back = await app.toReturn(browser);
    const failed = await browser.get(back);
    expect(failed.status).toBe(503);
    expect(failed.text).not.toContain('marker');
    expect(ran).toBe(0);
    expect(app.events.at(-1)).toMatchObject({ type: 'hook.failed', code: 'session_save_failed' });
    broken = false;
    expect((await browser.get(back)).status).toBe(303);
    expect(ran).toBe(1);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
  });

  test('F31 a session destroyed during onSuccess is not written back', async () => {
    const app = await open({
      options: {
        onSuccess: async () => {
          await new Promise((resolve) => {
            app.sessions.clear(resolve);
          });
        },
      },
    });
    const browser = app.browser();
    const back = await app.toReturn(browser);
    const ended = await browser.get(back);
    expect([ended.status, ended.headers.getSetCookie()]).toEqual([200, []]);
    expect(ended.text).toContain('http-equiv="refresh"');
    expect(await all(app.sessions)).toEqual({});
    expect((await browser.visit(back)).status).toBe(403);
    expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
  });

  test.each([{ resave: false }, { resave: true, rolling: true }])(
    'F31 two returns of one session at once both finish and the session stays usable (%o)',
    async (session) => {
      const app = await open({
        session,
        options: { requests: { name: { reveal: ['family_name'], keep: () => 'name' } } },
        after: (app, identity) =>
          app.get('/name', (req, res) => {
            res.json(identity.of(req, { request: 'name' })?.kept ?? null);
          }),
      });
      const browser = app.browser();
      const first = await app.toReturn(browser);
      const shown = await browser.post(`${app.url}/identity/start/name`);
      const second = await decide(shown.location ?? '', 'approve');
      const both = await Promise.all([browser.visit(first), browser.visit(second)]);
      expect(both.map((it) => it.url)).toEqual([`${app.url}/`, `${app.url}/`]);
      expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
      expect((await browser.get(`${app.url}/name`)).json()).toBe('name');
      expect(Object.keys(await all(app.sessions))).toHaveLength(1);
    },
  );

  test('F31 a return on an old session id that no longer leads anywhere releases nothing', async () => {
    let succeeded = 0;
    const app = await open({ options: { onSuccess: () => void (succeeded += 1) } });
    const browser = app.browser();
    const back = await app.toReturn(browser);
    await new Promise((resolve) => {
      app.sessions.clear(resolve);
    });
    expect((await browser.visit(back)).status).toBe(403);
    expect(succeeded).toBe(0);
  });

  test("F31 with unset: 'destroy' neither a link to /return nor a POST to /callback ends a session", async () => {
    const app = await open({ session: { unset: 'destroy' } });
    const browser = app.browser();
    await app.start(browser);
    const before = JSON.stringify(await all(app.sessions));
    const code = `${'A'.repeat(43)}.${'A'.repeat(43)}`;
    expect((await browser.get(`${app.url}/identity/return?code=${code}`)).status).toBe(200);
    const cookie = `connect.sid=${browser.cookies.get('connect.sid')}`;
    await app.callback({ state: 'A'.repeat(43), error: 'x' }, { cookie });
    expect(JSON.stringify(await all(app.sessions))).toBe(before);
  });

  test('F35 flow store and session store together, between callback and return, hold no attribute', async () => {
    const values = new Map<string, string>();
    const inner = memoryStore();
    const store = {
      ...inner,
      create: async (id: string, value: string, ttl: number) => {
        values.set(id, value);
        return await inner.create(id, value, ttl);
      },
      replace: async (id: string, version: number, value: string, ttl: number) => {
        values.set(id, value);
        return await inner.replace(id, version, value, ttl);
      },
    };
    const app = await open({
      options: { store, reveal: ['given_name', 'family_name', 'birth_date', 'nationality'] },
    });
    await app.toReturn(app.browser());
    const sessions = JSON.stringify(await all(app.sessions));
    expect(values.size).toBe(1);
    const [[id, value] = ['', '']] = values;
    const state =
      /\\"state\\":\\"([\w-]{43})/.exec(JSON.stringify(Object.values(JSON.parse(sessions))))?.[1] ?? '';
    const { id: derived, key } = namesOf(state, '/identity');
    expect(derived).toBe(id);
    const envelope = splitValue(value);
    const record = envelope?.kind === 'sealed' ? openRecord(key, id, envelope) : undefined;
    // With both dumps the record opens, but the result inside needs the code, and the reply needs the body.
    expect(record?.status).toBe('verified');
    const everything = `${value} ${sessions} ${JSON.stringify(record)}`;
    for (const secret of ['Erika', 'Mustermann', '1964-08-12', '"DE"'])
      expect(everything).not.toContain(secret);
    const held = [state, id, record?.code ?? '', ...Object.values(record ?? {}).map(String)];
    for (const guess of held) {
      expect(unseal(replyKey(state, guess), id, record?.reply ?? '')).toBeUndefined();
      expect(unseal(resultKey(guess), id, record?.result ?? '')).toBeUndefined();
    }
  });

  test('F36 the raw presentation is kept nowhere, and what is kept leaves at its deadline', async () => {
    const clock = testClock();
    const app = await open({ options: { clock, keepFor: '1h' } });
    const browser = app.browser();
    await browser.get(await app.toReturn(browser));
    const kept = JSON.stringify(await all(app.sessions));
    expect(kept).toContain('Erika');
    expect(kept).not.toMatch(/eyJ[A-Za-z0-9_-]+\./);
    clock.forward(59 * 60_000);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
    clock.forward(60_000);
    expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
    await browser.post(`${app.url}/identity/start`); // the next write of the session erases it
    expect(JSON.stringify(await all(app.sessions))).not.toContain('Erika');
  });
});

async function all(sessions: MemoryStore): Promise<Record<string, unknown>> {
  return await new Promise((resolve, reject) => {
    sessions.all((error, found) => {
      if (error) reject(error as Error);
      else resolve((found ?? {}) as Record<string, unknown>);
    });
  });
}

async function read(sessions: MemoryStore, id: string): Promise<SessionData | null | undefined> {
  return await new Promise((resolve) => {
    sessions.get(id, (_error, found) => {
      resolve(found);
    });
  });
}

async function write(sessions: MemoryStore, id: string, data: SessionData): Promise<void> {
  await new Promise((resolve) => {
    sessions.set(id, data, resolve);
  });
}
