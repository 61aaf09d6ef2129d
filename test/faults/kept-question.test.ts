import { describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { deployed, seenBy } from '../support/deployments.js';

type Given = Readonly<Record<string, unknown>>;

const appWith = async (options: Given, store: MemoryStore) =>
  await deployed(store, { keep: () => 'kept', ...options });

const never = async () => await Promise.resolve({ valid: false, reason: 'Never.' });
const asked = { reveal: ['given_name', 'birth_date'], derived: { nationality: 'DE' } };

describe('F53 what was kept counts only for the question it was kept for', () => {
  test.each<[string, Given]>([
    ['asks for more', { ...asked, reveal: ['given_name', 'birth_date', 'family_name'] }],
    ['asks for less', { ...asked, reveal: ['given_name'] }],
    ['asks about another nationality', { ...asked, derived: { nationality: 'FR' } }],
    ['asks about no nationality', { reveal: asked.reveal }],
    ['asks another issuer', { ...asked, issuer: 'xx-other', trust: { 'xx-other': never } }],
  ])('F53 not where the app now %s', async (_, now) => {
    const store = new MemoryStore();
    const before = await appWith(asked, store);
    const browser = await before.released();
    expect(await seenBy(before, browser)).toEqual(['kept', 200]);
    expect(await seenBy(await appWith(now, store), browser)).toEqual([null, 303]);
  });

  test('F53 the order in which attributes are asked for makes no difference', async () => {
    const store = new MemoryStore();
    const before = await appWith(asked, store);
    const browser = await before.released();
    const now = await appWith({ ...asked, reveal: ['birth_date', 'given_name'] }, store);
    expect(await seenBy(now, browser)).toEqual(['kept', 200]);
  });

  test('F53 a record without a question, as an older version kept it, does not count', async () => {
    const store = new MemoryStore();
    const app = await appWith(asked, store);
    const browser = await app.released();
    const sessions = app.stored();
    for (const [id, text] of Object.entries(sessions)) {
      sessions[id] = text.replace(/\\"question\\":\\"[\w-]{43}\\",/, '');
      expect(sessions[id]).not.toBe(text);
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
