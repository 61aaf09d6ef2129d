import { afterEach, describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { memoryStore } from '../../lib/index.js';
import {
  type AnswerKind,
  type Transition,
  type TransitionName,
  stepOf,
  transitions,
} from '../../lib/flow/transitions.js';

import { throws, unknownState } from '../support/app.js';
import { accessOf, startWalletApp, type WalletApp, type Waiting } from '../support/wallets.js';
import type { Browser, Shown } from '../support/browser.js';
import {
  badBodies,
  type Begun,
  type CallbackApp,
  type CallbackSetup,
  callbackApps,
  gate,
  type Reply,
  turns,
} from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { traceRecorder } from './trace-recorder.js';
import { cuttableStore, slowLastWrite, storeAround } from '../support/stores.js';

const openApp = callbackApps();

interface Act {
  readonly app: Pick<CallbackApp, 'events' | 'ran' | 'statusOf'>;
  readonly begun?: Begun;
  /** The thing that the row is about. */
  readonly act: () => Promise<Reply | Shown | undefined>;
  /** Lets everything that was held up for the scene come to its end. */
  readonly end?: () => Promise<unknown>;
}

const doNothing = { onVerified: () => undefined, onSuccess: () => undefined };
const start = async (app: CallbackApp): Promise<Shown> =>
  await app.browser().post(`${app.url}/identity/start`);

/** A flow that has begun, and what is delivered for it. */
async function deliver(setup: CallbackSetup, ...presentations: readonly string[]) {
  const app = await openApp({ hooks: doNothing, ...setup });
  const begun = await app.begin();
  const { state } = begun;
  for (const presentation of presentations.slice(0, -1)) await app.deliver({ presentation, state });
  const presentation = presentations.at(-1) ?? '';
  return { app, begun, act: async () => await app.deliver({ presentation, state }) };
}

/** A flow that is verified, and a visit of its return address: by its own browser, unless `visit` says otherwise. */
async function comingBack(
  setup: CallbackSetup = {},
  visit: (back: string, browser: Browser, app: CallbackApp) => Promise<Shown> = async (back, browser) =>
    await browser.get(back),
  query = '',
): Promise<Required<Omit<Act, 'end'>> & { readonly back: string }> {
  const app = await openApp({ hooks: doNothing, ...setup });
  const { back, ...begun } = await app.verified(query);
  return { app, begun, back, act: async () => await visit(back, begun.browser, app) };
}

/** Runs while the flow store is away. */
function whileAway() {
  const { store, cut, restore } = cuttableStore();
  const away = async <T>(work: () => Promise<T>): Promise<T> => {
    cut('read');
    return await work().finally(restore);
  };
  return { options: { store }, away };
}

/** A flow for which the app asks a wallet itself, and what is done to it. */
async function asking(act: (waiting: Waiting, app: WalletApp) => Promise<Shown>, options: object = {}) {
  const ran: string[] = [];
  const onError = ({ step, error }: { step: string; error: { code: string } }): void =>
    void ran.push(`onError ${step} ${error.code}`);
  const app = await startWalletApp({ options: { onError, ...options } });
  const waiting = await app.begin();
  const { state, browser } = waiting;
  const { flow = '' } = app.events.findLast(({ type }) => type === 'flow.started') ?? {};
  const statusOf = async (): Promise<unknown> =>
    ((await browser.get(`${app.url}/identity/status?flow=${flow}`)).json() as { status: string }).status;
  return {
    app: { ...app, ran, statusOf },
    begun: { state, flow, browser },
    act: async () => await act(waiting, app),
  };
}

const requestOf = ({ state }: Waiting, { url }: WalletApp, way: string): string =>
  `${url}/identity/request?state=${state}.${way}`;

const fail = throws(new Error('the hook failed'));
const refuse = () => ({ refuse: 'own_code' });

const scenes: Record<TransitionName, () => Promise<Act>> = {
  async started() {
    const app = await openApp();
    return { app, act: async () => await start(app) };
  },
  async start_failed() {
    const app = await openApp({ options: { fetch: async () => Response.json({}, { status: 500 }) } });
    return { app, act: async () => await start(app) };
  },
  async start_impossible() {
    const app = await openApp({ session: false });
    return { app, act: async () => await start(app) };
  },

  verified: async () => await deliver({}, 'good'),
  confirmed_at_once: async () =>
    await deliver({ confirm: 'callback', hooks: { onSuccess: () => undefined } }, 'good'),
  body_refused: async () => await deliver({}, ...badBodies),
  body_refused_past_limit: async () => await deliver({}, ...badBodies, 'one more'),
  no_verdict: async () => await deliver({}, 'away'),
  callback_hook_failed: async () => await deliver({ hooks: { onVerified: fail } }, 'good'),
  callback_hook_refused: async () => await deliver({ hooks: { onVerified: refuse } }, 'good'),
  body_known: async () => await deliver({}, 'good', 'good'),
  closed: async () => await deliver({}, 'good', 'another'),
  async lease_held() {
    const hook = gate();
    const scene = await deliver({ hooks: { onVerified: () => hook.opened } }, 'good');
    const before = scene.act();
    while (scene.app.ran.length === 0) await turns();
    let came: Reply | Shown | undefined;
    const [waits, also] = [scene.act(), scene.act()].map((it) => it.then((reply) => (came ??= reply)));
    while (came === undefined) await turns(); // one of the two waits, the other is sent away
    return {
      ...scene,
      end: async () => {
        hook.open();
        await Promise.all([before, waits, also]);
      },
    };
  },
  async callback_unavailable() {
    const { options, away } = whileAway();
    const scene = await deliver({ options }, 'good');
    return { ...scene, act: async () => await away(scene.act) };
  },
  async callback_malformed() {
    const { app, begun } = await deliver({});
    const act = async () => await app.deliver({ presentation: 'good', error: 'x', state: begun.state });
    return { app, begun, act };
  },
  async state_malformed() {
    const { app, begun } = await deliver({});
    return {
      app,
      begun,
      act: async () => await app.deliver({ presentation: 'good', state: 'none of ours' }),
    };
  },
  body_consumed: async () =>
    await deliver(
      {
        before: (app) =>
          app.use('/identity/callback', (req, _res, next) => {
            req.resume().once('end', () => next());
          }),
      },
      'good',
    ),

  confirmed: async () => await comingBack(),
  async return_repeated() {
    const scene = await comingBack();
    await scene.act();
    return scene;
  },
  return_hook_failed: async () => await comingBack({ hooks: { onSuccess: fail } }),
  return_hook_refused: async () => await comingBack({ hooks: { onSuccess: refuse } }),
  async return_interrupted() {
    const { options, away } = whileAway();
    return await comingBack(
      { options },
      async (back, browser) => await away(async () => await browser.get(back)),
    );
  },
  async return_unavailable() {
    const { options, away } = whileAway();
    const stranger = async (back: string, _browser: Browser, app: CallbackApp) =>
      await away(async () => await app.browser().get(`${back}&reload=2`));
    return await comingBack({ options }, stranger);
  },
  session_left: async () => await comingBack({}, async (back, _, app) => await app.browser().get(back)),
  async return_abandoned() {
    const hangUp = ({ req }: { req: Request }) => void req.socket.destroy();
    const { app, begun, act: visit } = await comingBack({ hooks: { onSuccess: hangUp } });
    const act = async (): Promise<undefined> => {
      await expect(visit()).rejects.toThrow('fetch failed');
      while (app.events.length < 3) await turns();
    };
    return { app, begun, act };
  },
  async return_lock_held() {
    const hook = gate();
    const clock = testClock();
    const shared = { clock, store: memoryStore({ clock }) };
    const one = await openApp({ hooks: { onSuccess: () => hook.opened }, options: shared });
    const app = await openApp({
      session: { store: one.sessions },
      options: { ...shared, appUrl: one.url, limits: { hookTimeout: 30 } },
    });
    const { back, ...begun } = await one.verified();
    const before = begun.browser.get(back);
    while (one.ran.length === 0) await turns();
    const act = async () => await begun.browser.get(back.replace(one.url, app.url));
    const end = async () => {
      hook.open();
      await before;
    };
    return { app, begun, act, end };
  },
  async close_failed() {
    const { options, last, goOn } = slowLastWrite(async () => await Promise.reject(new Error('ECONNRESET')));
    const { app, begun, act: visit } = await comingBack({ options });
    await visit();
    await last.opened;
    const act = async (): Promise<undefined> => {
      const events = app.events.length;
      goOn.open();
      while (app.events.length === events) await turns(1);
    };
    return { app, begun, act };
  },
  return_wrong_browser: async () =>
    await comingBack({}, async (back, _, app) => await app.browser().visit(back)),
  async subject_changed() {
    const subject = (req: { query: { user?: string } }) => req.query.user;
    const other = async (back: string, browser: Browser) => await browser.get(`${back}&user=b&reload=1`);
    return await comingBack({ options: { subject } }, other, '?user=a');
  },
  requested: async () =>
    await asking(async (waiting, app) => await waiting.browser.get(requestOf(waiting, app, 'code'))),
  request_unknown: async () =>
    await asking(async (waiting, app) => await waiting.browser.get(requestOf(waiting, app, 'code')), {
      ways: ['link'],
    }),
  request_malformed: async () =>
    await asking(async (waiting, app) => {
      const form = { wallet_nonce: 'two words' };
      return await waiting.browser.post(requestOf(waiting, app, 'link'), form);
    }),
  request_unavailable: async () => {
    const { entry } = await accessOf();
    const wallets = { ...entry, key: throws(new Error('the key is away')) };
    return await asking(async (waiting, app) => await waiting.browser.get(requestOf(waiting, app, 'link')), {
      wallets,
    });
  },
  cancelled: async () => await asking(async ({ browser, page }) => await browser.post(page)),

  async return_unfit() {
    const wrong = (back: string): string => `${back.split('.').slice(0, -1).join('.')}.${unknownState()}`;
    return await comingBack({}, async (back, browser) => await browser.get(wrong(back)));
  },
};

/** What stands for each answer: status, and what is said. */
function said(answer: Reply | Shown): string {
  const { status, text, headers } = answer;
  const location = headers.get('location') ?? '';
  const retry = headers.get('retry-after') === null ? '' : ' later';
  const title = /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';
  return `${status}${retry} ${location || title || text}`;
}

const expected: Record<AnswerKind, RegExp> = {
  wallet: /^303 https:\/\/wallet\.example\/$/,
  reply: /^200 \{"redirect_uri":"http:\/\/127\.0\.0\.1:\d+\/(?:"\}$|identity\/return\?code=)/,
  error_reply:
    /^200 \{"redirect_uri":"http:[^"]*\/identity\/return\?error=(?!state_unknown)\w+(&flow=[\w-]{43})?"\}$/,
  closed_reply: /^200 \{"redirect_uri":"http:[^"]*\/identity\/return\?error=state_unknown"\}$/,
  later: /^503 later \{"error":"\w+","error_description":"[^"]+"\}$/,
  problem: /^[45]\d\d \{"error":"\w+","error_description":"[^"]+"\}$/,
  release: /^303 http:\/\/127\.0\.0\.1:\d+\/$/,
  redirect: /^303 http:\/\/127\.0\.0\.1:\d+(\/|[^ ]*\?error=\w+(&flow=[\w-]{43})?(&supportCode=[\w-]{9})?)$/,
  try_again: /^50\d( later)? Almost done$/,
  reload: /^200 One moment$/,
  start_again:
    /^403 (Your wallet opened a different browser|This verification has ended|The login has changed)$/,
  request: /^200 [\w-]+\.[\w-]+\.[\w-]+$/,
  error_page:
    /^50\d (?:The identity service is not available|The identity service had a problem|We cannot check your ID right now|This site is not set up correctly)$/,
};

/** A row's own hook is all that runs; only the failure of one hook is told to another, and onVerified comes first. */
function hooksBefore(name: TransitionName): string[] {
  if (name.startsWith('callback_hook_')) return ['onVerified'];
  return name.startsWith('return_hook_') || name === 'return_abandoned' ? ['onSuccess'] : [];
}

const recorder = traceRecorder();
afterEach(() => recorder.stop());
const outcomes = (): unknown[] => recorder.ended.flatMap(({ trace }) => trace['outcome'] ?? []);

/** The rows that the trace of a step has to name: starts, faults and what belongs to no flow may have none. */
const isTraced = (name: TransitionName): boolean =>
  stepOf(name) !== 'start' && !untraced.test(name) && name !== 'session_left' && name !== 'close_failed';
const untraced = /_(unavailable|malformed|consumed|interrupted)$|^(request_unknown|cancelled)$/;

describe("every row of a flow's life happens as the table says", () => {
  test.each(Object.entries<Transition>(transitions))('%s', async (name, row) => {
    const { app, begun, act, end } = await scenes[name as TransitionName]();
    const before = begun && (await app.statusOf(begun));
    const [events, ran] = [app.events.length, app.ran.length];
    recorder.start();
    const answer = await act();
    for (let turn = 0; turn < 100 && !outcomes().includes(name); turn += 1) await turns(1);
    const hooks = app.ran.slice(ran).map((hook) => hook.split(' ')[0]);
    const types = app.events.slice(events).map(({ type }) => type);
    const after = begun && (await app.statusOf(begun));
    const ended = outcomes().at(-1);
    await end?.();

    // It is this row that has happened, and no other that is answered alike.
    expect(ended ?? (isTraced(name as TransitionName) ? 'nothing' : name)).toBe(name);
    // Nobody is left to read it where the browser hung up.
    const read = answer === undefined ? 'nothing' : said(answer);
    expect(read).toMatch(answer === undefined ? /^nothing$/ : expected[row.answer]);
    expect(types).toEqual(row.event === undefined ? [] : [row.event]);
    expect(hooks).toEqual([...hooksBefore(name as TransitionName), ...(row.hook ? [row.hook] : [])]);
    expect(after).toBe(row.to === undefined || begun === undefined ? before : row.to);
    const errors = app.ran.slice(ran).filter((hook) => hook.startsWith('onError'));
    expect(errors.map((error) => error.split(' ')[1])).toEqual(
      errors.map(() => stepOf(name as TransitionName)),
    );
  });

  test('a failed start leaves no record, and its own browser is told so', async () => {
    let flow = '';
    const inner = memoryStore();
    const store = storeAround(async (call, work, [id]) => {
      if (call === 'create') flow = String(id);
      return await work();
    }, inner);
    let status = 200;
    const service = async (): Promise<Response> =>
      Response.json({ success: true, redirect_url: 'https://wallet.example/' }, { status });
    const app = await openApp({ options: { store, fetch: service } });
    const browser = app.browser();
    await app.start(browser); // and so it has a session
    status = 500;
    await browser.post(`${app.url}/identity/start`);
    expect(await inner.read(flow)).toBeUndefined();
    expect(await app.statusOf({ state: '', flow, browser })).toBe('expired');
  });
});
