import { MemoryStore } from 'express-session';
import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import { attributeIds } from '../../lib/types/attributes.js';
import type { AppSetup, Running } from '../support/app.js';
import { openSandbox, startApp } from '../support/app.js';
import { accessOf, walletOptions } from '../support/wallets.js';

/** A path of so many characters. */
const path = (length: number): string => `/${'a'.repeat(length - 1)}`;
const startOf = (returnTo: string): string => `/identity/start?returnTo=${encodeURIComponent(returnTo)}`;

/** An app whose stores say how many bytes of each start they were given. */
async function open(setup: AppSetup = {}) {
  const written: { flow: number[]; session: number[] } = { flow: [], session: [] };
  const flows = memoryStore();
  const sessions = new MemoryStore();
  const set = sessions.set.bind(sessions);
  sessions.set = (id, data, done) => {
    written.session.push(JSON.stringify(data).length);
    set(id, data, done);
  };
  const app = await startApp({
    ...setup,
    session: { store: sessions, ...(setup.session !== false && setup.session) },
    options: {
      store: {
        ...flows,
        create: async (id: string, value: string, ttlMs: number) => {
          written.flow.push(value.length);
          return await flows.create(id, value, ttlMs);
        },
      },
      ...setup.options,
    },
  });
  return { app, written };
}

const start = async (app: Running, address: string): Promise<number> =>
  (await app.browser().post(`${app.url}${address}`)).status;

describe('F96 what a start of nobody costs', () => {
  test('F96 500 characters of returnTo are kept, and one more is refused before anything is stored', async () => {
    const { app, written } = await open();
    expect(await start(app, startOf(path(500)))).toBe(303);
    const before = { ...written, flow: [...written.flow], session: [...written.session] };
    for (const returnTo of [path(501), path(2_000), `/${'ä'.repeat(84)}`, `/?q=${'"'.repeat(166)}`]) {
      expect([returnTo.length, await start(app, startOf(returnTo))]).toEqual([returnTo.length, 400]);
      const page = await app.browser().get(`${app.url}${startOf(returnTo)}`);
      expect([page.status, page.text.includes('return_to_invalid')]).toEqual([400, true]);
      const form = await app.browser().post(`${app.url}/identity/start`, { returnTo });
      expect(form.status).toBe(400);
    }
    expect(written).toEqual(before);
  });

  test('F96 the dearest start leaves less than 1 kB of a flow, and less than 1.1 kB of a session', async () => {
    const { app, written } = await open({
      options: { reveal: attributeIds, derived: { nationality: 'DE' } },
    });
    expect(await start(app, `${startOf(path(500))}&more=${'x'.repeat(5_000)}&lang=de`)).toBe(303);
    const [flow = 0, ...others] = written.flow;
    expect([others, flow > 800, flow < 1_000]).toEqual([[], true, true]);
    expect(Math.max(...written.session)).toBeLessThan(1_100);
  });

  test('F96 a start with wallets leaves at most 120 bytes more of a flow than the same start with a service', async () => {
    const sandbox = await openSandbox({ issuer: 'de-ausweis' });
    const forwarded = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' };
    const lengths = [path(1), path(2), path(3), path(500)]; // three bytes are four characters of what is sealed
    const lengthsWith = async (options: object): Promise<readonly number[]> => {
      const { app, written } = await open({
        sandbox,
        before: (it) => it.set('trust proxy', true),
        options: {
          reveal: [...attributeIds],
          appUrl: 'https://app.example', // the origin is in the record, and ports are not all as long
          ...options,
        },
      });
      for (const returnTo of lengths) {
        const shown = await app.browser().post(`${app.url}${startOf(returnTo)}`, undefined, forwarded);
        expect(shown.status).toBe(303);
      }
      return written.flow;
    };
    const service = await lengthsWith({});
    const wallets = await lengthsWith(walletOptions(sandbox, await accessOf()));
    expect([service.length, wallets.length]).toEqual([lengths.length, lengths.length]);
    const more = wallets.map((length, index) => length - (service[index] ?? 0));
    expect(more).toEqual([109, 109, 110, 109]);
    // The dearest start of all: its kB has these bytes beside it.
    expect(wallets.at(-1)).toBeLessThan(1_000 + 120);
  });

  test('F96 a guard does not send anybody into that refusal', async () => {
    const { app } = await open();
    app.app.get(/^\/a/, app.identity.require(), (_req, res) => void res.send('guarded'));
    const shown = await app.browser().get(`${app.url}${path(501)}`);
    expect([shown.status, shown.location]).toEqual([303, '/identity/start']);
    const fits = await app.browser().get(`${app.url}${path(500)}`);
    expect(fits.location).toBe(`/identity/start?returnTo=${encodeURIComponent(path(500))}`);
    const current = { 'hx-request': 'true', 'hx-current-url': `${app.url}${path(501)}` };
    expect((await app.browser().get(`${app.url}/a`, current)).headers.get('hx-redirect')).toBe(
      '/identity/start',
    );
  });

  test('F96 an app can keep the session of somebody who only started for a quarter of an hour', async () => {
    const sandbox = await openSandbox();
    const [quarter, month] = [15 * 60_000, 30 * 86_400_000];
    const { app } = await open({
      sandbox,
      session: { cookie: { maxAge: quarter } },
      options: {
        onSuccess: ({ req }: { req: { session: { cookie: { maxAge: number } } } }) => {
          req.session.cookie.maxAge = month;
        },
      },
    });
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    // express-session reads the clock twice to set it: a millisecond may be missing.
    const lives = (): number[] =>
      Object.values(app.stored()).map((text) => {
        const { cookie } = JSON.parse(text) as { cookie: { originalMaxAge: number } };
        return Math.round(cookie.originalMaxAge / 1_000) * 1_000;
      });
    await app.start(app.browser());
    expect(lives()).toEqual([quarter]);
    await app.released();
    expect(lives()).toEqual([quarter, month]);
  });
});
