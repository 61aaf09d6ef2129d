import { describe, expect, test } from '@jest/globals';
import { idsOf, login, showing, shownTo } from '../../support/account.js';
import { type AppSetup, startApp } from '../../support/app.js';

type HookRequest = {
  session: Record<string, unknown> & Record<'destroy' | 'save' | 'regenerate', (done: () => void) => void>;
};

async function open(options: NonNullable<AppSetup['options']>) {
  const codes: string[] = [];
  const app = await startApp({
    options: {
      keep: () => 'kept',
      requests: { age: { reveal: ['birth_date'], keep: () => 'of age' } },
      onError: ({ error }: { error: { code: string } }) => void codes.push(error.code),
      ...options,
    },
    before: login(),
    after: showing(['user'], 'age'),
  });
  return { app, browser: app.browser(), codes };
}

describe('a return whose onSuccess', () => {
  test('logs somebody else in keeps nothing, for either of them, and the start is offered again', async () => {
    const { app, browser, codes } = await open({
      subject: (req: unknown) => (req as HookRequest).session['user'],
      onSuccess: ({ req }: { req: HookRequest }) => void (req.session['user'] = 'mallory'),
    });
    await browser.post(`${app.url}/login`);
    const shown = await browser.get(await app.toReturn(browser));
    expect([shown.status, shown.location]).toEqual([403, undefined]);
    expect([codes, app.events.at(-1)]).toMatchObject([
      [],
      { type: 'return.refused', code: 'subject_changed' },
    ]);
    expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
  });

  test('ends its own session keeps nothing, and the session of before is there again', async () => {
    let ending = true;
    const { app, browser, codes } = await open({
      onSuccess: async ({ req }: { req: HookRequest }) => {
        if (!ending) return;
        await new Promise<void>((resolve) => req.session.destroy(resolve));
      },
    });
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    expect((await browser.get(back)).status).toBe(503);
    expect(codes).toEqual(['session_save_failed']);
    expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
    ending = false;
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept', null]);
  });

  test('saves its session and then refuses leaves nothing under the new id', async () => {
    const { app, browser } = await open({
      onSuccess: async ({ req }: { req: HookRequest }) => {
        await new Promise<void>((resolve) => req.session.save(resolve));
        return { refuse: 'too_late' };
      },
    });
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    const before = idsOf(app);
    expect((await browser.get(back)).status).toBe(303);
    expect(idsOf(app)).toEqual(before);
    expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
  });

  test('begins a session of its own loses nothing that was kept of another request', async () => {
    let renewing = false;
    const { app, browser } = await open({
      onSuccess: async ({ req }: { req: HookRequest }) => {
        if (!renewing) return;
        await new Promise<void>((resolve) => req.session.regenerate(resolve));
      },
    });
    await browser.get(await app.toReturn(browser, '/age'));
    renewing = true;
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual([null, 'kept', 'of age']);
  });

  test('forgets what was kept before keeps its own result, and what was begun until then is handed to nobody', async () => {
    let other = '';
    const hook: { forgets?: () => Promise<string> } = {};
    const { app, browser } = await open({
      onSuccess: async ({ req }: { req: HookRequest }) => {
        if (hook.forgets === undefined) return;
        other = await hook.forgets();
        await app.identity.forget(req as never);
      },
    });
    await browser.get(await app.toReturn(browser, '/age'));
    const back = await app.toReturn(browser);
    hook.forgets = async () => {
      delete hook.forgets;
      return await app.toReturn(browser, '/age');
    };
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual([null, 'kept', null]);
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.visit(other)).status).toBe(403);
    expect(await shownTo(app, browser)).toEqual([null, 'kept', null]);
  });
});

test('a session that was left behind is led on twice, and then told to start again', async () => {
  const { app, browser } = await open({});
  const back = await app.toReturn(browser);
  const sessions = app.sessions['sessions' as never] as Record<string, string>;
  const [old, cookies] = [{ ...sessions }, [...browser.cookies]];
  expect((await browser.get(back)).status).toBe(303);
  Object.assign(sessions, old); // as where the old session could not be ended
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  const reloads = ['', '&reload=1', '&reload=2'].map(async (reload) => {
    const { status, text } = await browser.get(`${back}${reload}`);
    return [status, /&amp;reload=\d/.exec(text)?.[0]];
  });
  expect(await Promise.all(reloads)).toEqual([
    [200, '&amp;reload=1'],
    [200, '&amp;reload=2'],
    [403, undefined],
  ]);
});
