import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IdentityError } from '../../lib/index.js';
import { startApp } from '../support/app.js';
import { type Confirm, callbackApps } from '../support/callbacks.js';
import { listen } from '../support/lines.js';
import { decide } from '../support/wallet.js';
import { wrongAnswers } from '../support/wrong-answers.js';

type Place = 'onSuccess at the return' | 'onVerified' | 'onSuccess in the callback';

const places: readonly Place[] = ['onSuccess at the return', 'onVerified', 'onSuccess in the callback'];

/** A club that lets in who is 18, with a minor at the wallet; what its hook returns is the test's. */
async function openClub(place: Place) {
  const told: string[] = [];
  const { lines, logger } = listen();
  const club = { answer: (): unknown => undefined, ran: 0, shown: 0 };
  const hook = (): unknown => {
    club.ran += 1;
    return club.answer();
  };
  const confirm = place === 'onSuccess in the callback' ? 'callback' : 'return';
  const app = await startApp({
    wallet: { person: 'minor', wait: async () => {} },
    options: {
      confirm,
      logger,
      ...(confirm === 'return' && { keep: () => ({ member: true }) }),
      ...(place === 'onVerified' ? { onVerified: hook } : { onSuccess: hook }),
      onError: ({ error, step }: { error: IdentityError; step: string }) =>
        void told.push(`${step} ${error.code} ${error.message}`),
    },
    after: (its, identity) => {
      if (confirm === 'callback') return;
      its.get('/club', identity.require(), (_req, res) => {
        club.shown += 1;
        res.end('in');
      });
    },
  });
  return Object.assign(club, { app, lines, told });
}
type Club = Awaited<ReturnType<typeof openClub>>;

describe.each(places)('F66 %s', (place) => {
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
  });
  afterEach(() => void jest.restoreAllMocks());
  const hook = place === 'onVerified' ? 'onVerified' : 'onSuccess';
  const step = place === 'onSuccess at the return' ? 'return' : 'callback';

  test(`F66 ${wrongAnswers.length} wrong answers let no minor in, each is told with its fix, and the hook may run again`, async () => {
    const club = await openClub(place);
    const { app } = club;
    const seen: unknown[] = [];
    for (const { name, make } of wrongAnswers) {
      club.told.length = 0;
      club.answer = make;
      club.ran = 0;
      const browser = app.browser();
      const begun = await browser.post(`${app.url}/identity/start?returnTo=/club`);
      const address = await decide(begun.location ?? '', 'approve');
      const back = await browser.visit(address);
      const inside = step === 'return' ? await browser.get(`${app.url}/club`) : undefined;
      const page = [back.status, back.text.includes('<code>hook_failed</code>')];
      const guard = [inside?.status, inside?.location?.includes('/identity/start')];
      const isKept = Object.values(app.stored()).some((session) => session.includes('member'));
      seen.push([name, ...page, ...guard, club.ran, isKept, [...club.told]]);
    }
    const statusOfPage = step === 'return' ? 500 : 200;
    const guard = step === 'return' ? [303, true] : [undefined, undefined];
    expect(seen).toEqual(
      wrongAnswers.map(({ name, said }) => [
        name,
        statusOfPage,
        true,
        ...guard,
        1,
        false,
        [`${step} hook_failed ${hook} returned ${said}`],
      ]),
    );
    expect(club.shown).toBe(0);
    expect(app.events.filter(({ type }) => type === 'flow.confirmed' || type === 'flow.failed')).toEqual([]);
    expect(app.events.filter(({ type }) => type === 'hook.failed')).toHaveLength(wrongAnswers.length);
    expect(club.lines.join('\n')).not.toMatch(/Leon|too_young|2008/);
  }, 40_000);

  const arrive = async ({ app }: Club): Promise<string> => {
    const { browser, back } = await app.waiting('?returnTo=/welcome');
    return (await browser.visit(back)).url;
  };

  const rightAnswers: readonly [string, () => unknown, string][] = [
    ['undefined', () => undefined, '/welcome'],
    ['null', () => null, '/welcome'],
    ['{}', () => ({}), '/welcome'],
    ['a frozen {}', () => Object.freeze({}), '/welcome'],
    ['{} without a prototype', () => Object.create(null) as unknown, '/welcome'],
    ['redirectTo', () => ({ redirectTo: '/own' }), '/own'],
    ['redirectTo: undefined', () => ({ redirectTo: undefined }), '/welcome'],
    ['a promise of redirectTo', async () => await Promise.resolve({ redirectTo: '/own' }), '/own'],
    ['a redirectTo of another site', () => ({ redirectTo: 'https://evil.example/' }), '/welcome'],
  ];
  test.each(rightAnswers)('F66 %s goes on', async (_name, answer, path) => {
    const club = await openClub(place);
    club.answer = answer;
    const url = await arrive(club);
    expect([url, club.told]).toEqual([`${club.app.url}${path}`, []]);
    expect(club.app.events.map(({ type }) => type)).toContain('flow.confirmed');
  });

  const refusals: readonly [string, () => unknown][] = [
    ['refuse', () => ({ refuse: 'too_young' })],
    ['refuse and redirectTo', () => ({ refuse: 'too_young', redirectTo: '/own' })],
    ['a refuse that is read once', () => onceReadable()],
    ['a hidden refuse', () => Object.defineProperty({}, 'refuse', { value: 'too_young' })],
    ['a refuse without a prototype', () => Object.assign(Object.create(null) as object, { refuse: 'x' })],
  ];
  test.each(refusals)('F66 %s refuses', async (name, answer) => {
    const club = await openClub(place);
    club.answer = answer;
    const url = await arrive(club);
    const path = name === 'refuse and redirectTo' ? '/own' : '/identity/return?error=refused';
    expect(url.replace(/&flow=[\w-]+$/, '')).toBe(`${club.app.url}${path}`);
    expect(club.app.events.map(({ type }) => type)).toContain('flow.failed');
    expect(club.told).toEqual([`${step} refused The app refused this identity.`]);
  });
});

describe('F66 a hook whose answer was wrong', () => {
  const open = callbackApps();

  test('F66 runs again at the same return, and its next answer counts', async () => {
    const club = await openClub('onSuccess at the return');
    const { app } = club;
    club.answer = () => ({ refused: 'too_young' });
    const { browser, back } = await app.waiting();
    expect((await browser.get(back)).status).toBe(500);
    club.answer = () => ({ refuse: 'too_young' });
    expect((await browser.get(back)).location).toContain('/identity/return?error=refused&flow=');
    expect([club.ran, club.told.map((it) => it.split(' ')[1])]).toEqual([2, ['hook_failed', 'refused']]);
  });

  test.each<[Confirm, 'onVerified' | 'onSuccess']>([
    ['return', 'onVerified'],
    ['callback', 'onSuccess'],
  ])('F66 runs again with the same callback, and its next answer counts (%s, %s)', async (confirm, hook) => {
    let answer: unknown = { refused: 'too_young' };
    const app = await open({ confirm, hooks: { [hook]: () => answer } });
    const begun = await app.begin();
    const deliver = async (): Promise<string | undefined> =>
      (await app.deliver({ presentation: 'good', state: begun.state })).body.redirect_uri?.split(/[?&]/)[1];
    expect([await deliver(), await app.statusOf(begun)]).toEqual(['error=hook_failed', 'pending']);
    answer = { refuse: 'too_young' };
    expect([await deliver(), await app.statusOf(begun)]).toEqual(['error=refused', 'failed']);
    expect(app.ran).toEqual([hook, 'onError callback hook_failed', hook, 'onError callback refused']);
  });
});

describe('F66 onError', () => {
  test('F66 in the callback it chooses no page; what is not { redirectTo } is ignored too, each named once', async () => {
    const { lines: said, logger } = listen();
    let answer: () => unknown = () => undefined;
    const app = await startApp({ options: { logger, onError: () => answer() } });
    const go = async (): Promise<string> => {
      const browser = app.browser();
      const back = await decide(await app.start(browser), 'decline');
      return (await browser.visit(back)).url.replace(/&flow=[\w-]+$/, '');
    };
    const ours = `${app.url}/identity/return?error=not_shared`;
    answer = () => ({ redirectTo: '/own' });
    expect([await go(), await go()]).toEqual([ours, ours]);
    expect(said).toEqual([
      'warn pidgate: onError returned a redirectTo in the callback: it is ignored there.',
    ]);
    const wrong: readonly [() => unknown, string][] = [
      [() => ({ refuse: 'x' }), 'an object with the key refuse; it may return nothing or'],
      [() => ({ redirectTo: '/own', refuse: 'x' }), 'an object with the keys redirectTo and refuse; it may'],
      [() => ({ redirect: '/own' }), 'an object with the key redirect; did you mean redirectTo?'],
      [() => ({ redirectTo: 7 }), 'a redirectTo that is a number; it must be a path'],
      [() => false, 'a boolean; it may return nothing or'],
      [() => '/own', 'a string; it may return nothing or'],
    ];
    for (const [index, [make, what]] of wrong.entries()) {
      answer = make;
      expect([await go(), await go()]).toEqual([ours, ours]);
      expect(said).toHaveLength(index + 2);
      expect(said.at(-1)).toContain(`warn pidgate: onError returned ${what}`);
      expect(said.at(-1)).toMatch(/ It is ignored\.$/);
    }
    expect(app.events.filter(({ type }) => type === 'hook.failed')).toEqual([]);
  });
});

/** An answer whose getter can be read one time. */
function onceReadable(): unknown {
  let reads = 0;
  return {
    get refuse(): string | undefined {
      reads += 1;
      return reads === 1 ? 'too_young' : undefined;
    },
  };
}
