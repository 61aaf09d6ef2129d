import { afterEach, describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type Running, startApp } from '../support/app.js';
import type { Browser } from '../support/browser.js';

type Given = Readonly<Record<string, unknown>>;

const open: Running[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** An app over this session store: the same one as those before it, asking something else now. */
async function appWith(options: Given, store: MemoryStore): Promise<Running> {
  const app = await startApp({
    session: { store },
    origins: open.map(({ url }) => url),
    options: { keep: () => 'kept', ...options },
    after: (its, identity) => {
      its.get('/me', (req, res) => {
        res.json(identity.of(req)?.kept ?? null);
      });
      its.get('/club', identity.require(), (_req, res) => {
        res.send('open');
      });
    },
  });
  open.push(app);
  return app;
}

const seenBy = async (app: Running, browser: Browser): Promise<unknown> => [
  (await browser.get(`${app.url}/me`)).json(),
  (await browser.get(`${app.url}/club`)).status,
];

const asked = { reveal: ['given_name', 'birth_date'], derived: { nationality: 'DE' } };

describe('F53 what was kept counts only for the question it was kept for', () => {
  test.each<[string, Given]>([
    ['asks for more', { ...asked, reveal: ['given_name', 'birth_date', 'family_name'] }],
    ['asks for less', { ...asked, reveal: ['given_name'] }],
    ['asks about another nationality', { ...asked, derived: { nationality: 'FR' } }],
    ['asks about no nationality', { reveal: asked.reveal }],
    [
      'asks another issuer',
      {
        ...asked,
        issuer: 'xx-other',
        trust: { 'xx-other': async () => await Promise.resolve({ valid: false, reason: 'Never.' }) },
      },
    ],
  ])('F53 not where the app now %s', async (_, now) => {
    const store = new MemoryStore();
    const before = await appWith(asked, store);
    const browser = before.browser();
    await browser.get(await before.toReturn(browser));
    expect(await seenBy(before, browser)).toEqual(['kept', 200]);
    expect(await seenBy(await appWith(now, store), browser)).toEqual([null, 303]);
  });

  test('F53 the order in which attributes are asked for makes no difference', async () => {
    const store = new MemoryStore();
    const before = await appWith(asked, store);
    const browser = before.browser();
    await browser.get(await before.toReturn(browser));
    const now = await appWith({ ...asked, reveal: ['birth_date', 'given_name'] }, store);
    expect(await seenBy(now, browser)).toEqual(['kept', 200]);
  });

  test('F53 a record without a question, as an older version kept it, does not count', async () => {
    const store = new MemoryStore();
    const app = await appWith(asked, store);
    const browser = app.browser();
    await browser.get(await app.toReturn(browser));
    const sessions = store['sessions' as never] as Record<string, string>;
    for (const [id, text] of Object.entries(sessions)) {
      sessions[id] = text.replace(/(kept(?: \S+){7}) \S+/, '$1');
    }
    expect(await seenBy(app, browser)).toEqual([null, 303]);
  });

  test('F53 what a flow brings that began under another question is not counted either', async () => {
    const store = new MemoryStore();
    const before = await appWith(asked, store);
    const browser = before.browser();
    const back = await before.toReturn(browser);
    await browser.get(back);
    const after = await appWith({ ...asked, reveal: ['given_name'] }, store);
    expect(await seenBy(after, browser)).toEqual([null, 303]);
    expect(await seenBy(before, browser)).toEqual(['kept', 200]);
  });
});
