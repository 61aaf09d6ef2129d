import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { me } from '../../support/account.js';
import { type Running, startApp } from '../../support/app.js';
import { seed } from '../../support/seed.js';

const key = 'pidgate /identity';

async function open(): Promise<Running> {
  return await startApp({
    options: { keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name },
    after: (app, identity) => {
      me(app, identity);
      app.get('/club', identity.require(), (_req, res) => void res.send('open'));
    },
  });
}

/** Changes what the kit has in each stored session. */
function rewrite(app: Running, change: (session: Record<string, unknown>) => void): void {
  for (const [id, text] of Object.entries(app.stored())) {
    const session = JSON.parse(text) as Record<string, unknown>;
    change(session);
    app.stored()[id] = JSON.stringify(session);
  }
}

const record = { verifiedAt: 1, until: 9e15, releasedAt: 1, question: 'c', origin: 'https://app.example' };

/** As another version of the kit, or of an app, may have left it. */
const forms: readonly unknown[] = [
  null,
  0,
  '',
  'flows',
  [],
  {},
  JSON.stringify({ flows: [{ id: 'a', state: 'b', request: 'default', expiresAt: 1 }], kept: {} }),
  { last: 'a', kept: 'b', done: 'c' },
  { last: {}, kept: {}, done: {} },
  { last: { state: 7, until: 'soon' }, kept: { default: null } },
  { last: { state: 'a', until: 9e15, returnTo: 7, lang: {} }, kept: { default: 'Erika' } },
  { kept: { default: { ...record, receipt: null } } },
  { kept: { default: { ...record, receipt: { id: 7 } } } },
  { kept: { default: { ...record, until: 'soon', receipt: { id: 'a' } } } },
  { kept: [record], done: { id: 'a', destination: 'javascript:alert(1)' } },
  { done: { id: 7, destination: 'https://evil.example/' } },
];

describe('a session that has another form', () => {
  test.each(forms.map((form) => [JSON.stringify(form), form]))(
    'counts as one in which nothing is kept (%s), and every page has a way on',
    async (_, form) => {
      const app = await open();
      const browser = await app.released();
      expect((await browser.get(`${app.url}/club`)).status).toBe(200);
      rewrite(app, (session) => {
        session['pidgate'] = form;
        session[key] = form;
      });
      const denied = await browser.get(`${app.url}/club`);
      expect([denied.status, denied.location]).toEqual([303, '/identity/start?returnTo=%2Fclub']);
      expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
      const shown = [
        await browser.get(`${app.url}/identity/start`),
        await browser.get(`${app.url}/identity/return?error=state_unknown`),
      ];
      for (const page of shown) {
        expect(page.status).toBe(200);
        expect(page.text).toMatch(/class="button"|<button/);
      }
      const back = await app.toReturn(browser);
      expect((await browser.get(back)).status).toBe(303);
      expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
    },
  );

  test('what another factory keeps stays as it is', async () => {
    const app = await open();
    const browser = app.browser();
    const back = await app.toReturn(browser);
    const other = { last: { state: 'theirs', until: 1 }, kept: { default: 'theirs' } };
    rewrite(app, (session) => void (session['pidgate /other'] = other));
    expect((await browser.get(back)).status).toBe(303);
    await app.start(browser);
    const [text = '{}'] = Object.values(app.stored());
    expect(JSON.parse(text)).toMatchObject({ 'pidgate /other': other });
  });

  test('what the app keeps comes back as it was, whatever it is', async () => {
    let kept: unknown;
    const app = await startApp({
      options: { keep: () => kept },
      after: (its, identity) => its.get('/kept', (req, res) => res.json({ kept: identity.of(req)?.kept })),
    });
    const browser = app.browser();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        kept = value;
        await browser.get(await app.toReturn(browser));
        const { kept: found } = (await browser.get(`${app.url}/kept`)).json() as { kept: unknown };
        expect(found).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed, numRuns: 25 },
    );
  });
});
