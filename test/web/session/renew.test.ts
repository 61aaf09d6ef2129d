import { describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../../lib/errors.js';
import type { AppRequest } from '../../../lib/options/options.js';
import { createReleases } from '../../../lib/web/session/renew.js';
import { dataOf } from '../../../lib/web/session/session.js';

const key = 'pidgate /identity';

/** express-session as far as a release needs it: sessions in a map, ids in a row. */
function sessions() {
  const stored = new Map<string, string>();
  let made = 0;
  const faults = { get: false, save: false };

  function request(id: string): AppRequest {
    const req: { headers: object; sessionID: string; session?: unknown } = {
      headers: { cookie: `connect.sid=s%3A${id}.signature` },
      sessionID: id,
    };
    const open = (data: object): object => ({
      ...data,
      save(done: (error?: unknown) => void) {
        if (faults.save) throw new Error('secret words of the store');
        stored.set(req.sessionID, JSON.stringify(req.session));
        done();
      },
      regenerate(done: () => void) {
        stored.delete(req.sessionID);
        req.sessionID = `new-${(made += 1)}`;
        req.session = open({ cookie: {} });
        done();
      },
      reload(done: (error?: unknown) => void) {
        const text = stored.get(req.sessionID);
        if (text === undefined) done(new Error('failed to load session'));
        else {
          req.session = open(JSON.parse(text) as object);
          done();
        }
      },
    });
    Object.assign(req, {
      session: open(JSON.parse(stored.get(id) ?? '{"cookie":{}}') as object),
      sessionStore: {
        get(wanted: string, done: (error: unknown, found?: unknown) => void) {
          if (faults.get) done(new Error('secret words of the store'));
          else done(null, stored.has(wanted) ? JSON.parse(stored.get(wanted) ?? '') : null);
        },
        set(wanted: string, value: object, done: () => void) {
          stored.set(wanted, JSON.stringify(value));
          done();
        },
      },
    });
    return req as unknown as AppRequest;
  }

  const put = (id: string, data: object): void =>
    void stored.set(id, JSON.stringify({ cookie: {}, ...data }));
  const read = (id: string): unknown => {
    const text = stored.get(id);
    return text === undefined ? undefined : dataOf(JSON.parse(text) as never);
  };
  return { put, read, request, stored, faults };
}

const session = (req: AppRequest): Record<string, unknown> =>
  (req as unknown as { session: Record<string, unknown> }).session;

const withKept = (name: string) => (own: { flows: readonly never[]; kept: object }) =>
  ({ ...own, kept: { ...own.kept, [name]: name } }) as never;

describe('a release', () => {
  test("keeps what others stored meanwhile, and what this request's hook changed, added and deleted", async () => {
    const { put, read, request } = sessions();
    put('a', { basket: 1, gone: true, theirs: 'old' });
    const req = request('a');
    const open = await createReleases(key, 1_000).open(req);
    put('a', { basket: 1, gone: true, theirs: 'new', added: 'by another' });
    Object.assign(session(req), { basket: 2, mine: true });
    delete session(req)['gone'];
    await open?.commit(withKept('x') as never);
    expect(read('a')).toBeUndefined();
    expect(read('new-1')).toEqual({
      basket: 2,
      theirs: 'new',
      added: 'by another',
      mine: true,
      [key]: { flows: [], kept: { x: 'x' } },
    });
  });

  test('a request on the id before is led to the new session, and its hook changes come along', async () => {
    const { put, read, request } = sessions();
    put('a', { basket: 1 });
    const releases = createReleases(key, 1_000);
    const [first, second] = [request('a'), request('a')];
    await (await releases.open(first))?.commit(withKept('x') as never);
    const open = await releases.open(second);
    Object.assign(session(second), { second: true });
    await open?.commit(withKept('y') as never);
    expect(read('new-1')).toEqual({
      basket: 1,
      second: true,
      [key]: { flows: [], kept: { x: 'x', y: 'y' } },
    });
    expect((second as unknown as { sessionID: string }).sessionID).toBe('a');
  });

  test('a session that ended while the hook ran is not written, whether it has moved or not', async () => {
    const { put, request, stored } = sessions();
    put('a', {});
    put('b', {});
    const releases = createReleases(key, 1_000);
    const [first, second, third] = [request('a'), request('a'), request('a')];
    const open = await releases.open(request('b'));
    await (await releases.open(first))?.commit(withKept('x') as never);
    const moved = await releases.open(second);
    stored.clear();
    const ended = { code: 'session_save_failed', message: 'The session ended while the app was at work.' };
    await expect(moved?.commit(withKept('y') as never)).rejects.toMatchObject(ended);
    await expect(open?.commit(withKept('z') as never)).rejects.toMatchObject(ended);
    expect(await releases.open(third)).toBeUndefined();
    expect(stored.size).toBe(0);
  });

  test("a store's own words go nowhere", async () => {
    const { put, request, faults } = sessions();
    put('a', {});
    const open = await createReleases(key, 1_000).open(request('a'));
    faults.get = true;
    const plain = { code: 'session_save_failed', message: errorCodes.session_save_failed };
    await expect(open?.commit(withKept('x') as never)).rejects.toMatchObject(plain);
    faults.get = false;
    faults.save = true;
    await expect(open?.commit(withKept('x') as never)).rejects.toMatchObject(plain);
  });

  test('a hook that gave the session a new id itself: what is kept goes there', async () => {
    const { put, read, request } = sessions();
    put('a', { basket: 1 });
    const req = request('a');
    const open = await createReleases(key, 1_000).open(req);
    (session(req) as unknown as { regenerate(done: () => void): void }).regenerate(() => undefined);
    Object.assign(session(req), { user: 'erika' });
    await open?.commit(withKept('x') as never);
    await open?.leave();
    expect(read('new-1')).toEqual({ user: 'erika', [key]: { flows: [], kept: { x: 'x' } } });
    expect(session(req)).toBeDefined();
  });

  test('a response leaves without a session that has ended, moved on or cannot be asked for', async () => {
    const { put, request, stored, faults } = sessions();
    put('a', {});
    const releases = createReleases(key, 1_000);
    const [stays, ended, unknown] = [request('a'), request('a'), request('a')];
    await (await releases.open(stays))?.leave();
    expect(session(stays)).toBeDefined();
    const asks = await releases.open(unknown);
    faults.get = true;
    await asks?.leave();
    expect(session(unknown)).toBeUndefined();
    faults.get = false;
    const ends = await releases.open(ended);
    stored.clear();
    await ends?.leave();
    expect(session(ended)).toBeUndefined();
  });

  test('who waits too long for a turn is told so, and those behind still come after the one before', async () => {
    const releases = createReleases(key, 20);
    const first = await releases.turn('a');
    await expect(releases.turn('a')).rejects.toMatchObject({ code: 'busy' });
    let third = false;
    const waiting = releases.turn('a').then((done) => {
      third = true;
      done();
    });
    await new Promise(setImmediate);
    expect(third).toBe(false);
    first();
    await waiting;
    expect(third).toBe(true);
  });

  test('turns of one session come one after the other, those of another do not wait', async () => {
    const releases = createReleases(key, 1_000);
    const order: string[] = [];
    const first = await releases.turn('a');
    const waiting = releases.turn('a').then((done) => {
      order.push('second of a');
      done();
    });
    (await releases.turn('b'))();
    order.push('b');
    first();
    await waiting;
    expect(order).toEqual(['b', 'second of a']);
  });
});
