import { describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { shownTo, showing } from '../support/account.js';
import { startApp } from '../support/app.js';
import { gate } from '../support/callbacks.js';
import { sessionsAround } from '../support/stores.js';

/** Where the form of a page leads. */
const formOf = (text: string): string =>
  /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** An app whose second look at a session, that of a start, waits at the gate. */
async function open() {
  const [looking, goOn] = [gate(), gate()];
  let looks = Infinity;
  const inner = new MemoryStore();
  const sessions = sessionsAround(async (call, work) => {
    if (call === 'get' && (looks -= 1) === 0) {
      looking.open();
      await goOn.opened;
    }
    return await work();
  }, inner);
  const app = await startApp({
    session: { store: sessions },
    before: (it) => {
      it.post('/basket', (req, res) => {
        Object.assign(req.session, { basket: 'full' });
        res.end();
      });
      it.post('/login', (req, res) => {
        const { basket } = req.session as unknown as { basket?: string };
        req.session.regenerate(() => {
          Object.assign(req.session, { user: 'erika', basket });
          res.end();
        });
      });
    },
    after: showing(['user', 'basket']),
  });
  return {
    app,
    looking: looking.opened,
    goOn: goOn.open,
    /** From now on; the first look is the session middleware's. */
    stopAtSecondLook: () => void (looks = 2),
  };
}

describe('F89 a start whose session gets another id meanwhile', () => {
  test('F89 by a log-in of the app: the person presses once more, and stays logged in', async () => {
    const { app, looking, goOn, stopAtSecondLook } = await open();
    const [tab, other] = [app.browser(), app.browser()];
    await tab.post(`${app.url}/basket`);
    for (const [name, value] of tab.cookies) other.cookies.set(name, value);

    stopAtSecondLook();
    const starting = tab.post(`${app.url}/identity/start?returnTo=/club`);
    await looking;
    await other.post(`${app.url}/login`);
    goOn();
    const { status, headers, text } = await starting;
    expect([status, headers.getSetCookie()]).toEqual([200, []]);

    for (const [name, value] of other.cookies) tab.cookies.set(name, value); // one browser has both tabs
    const again = await tab.post(`${app.url}${formOf(text)}`);
    expect([again.status, again.headers.getSetCookie()]).toEqual([303, []]);
    expect(await shownTo(app, tab)).toEqual(['erika', 'full', null]);
  });
});
