import { afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import type { Expected, Verdict } from '../../lib/types/trust.js';
import { maxRefusedBodies } from '../../lib/flow/transitions.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { type AppSetup, openSandbox, type Running, startApp } from './app.js';
import type { Browser } from './browser.js';
import { testClock, type TestClock } from './clock.js';

/** Bodies that no verifier accepts, all of which a flow remembers. */
export const badBodies: readonly string[] = Array.from(
  { length: maxRefusedBodies },
  (_, index) => `bad body ${index}`,
);

export type Confirm = 'return' | 'callback';
export const bothForms: readonly Confirm[] = ['return', 'callback'];

/** The hook that runs in the callback. */
export const hookOf = (confirm: Confirm): 'onVerified' | 'onSuccess' =>
  confirm === 'return' ? 'onVerified' : 'onSuccess';

/** What the service reads of our reply. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly redirect_uri?: string;
    readonly error?: string;
    readonly error_description?: string;
  };
}

/** A flow that a browser has started and of which the service knows the state. */
export interface Begun {
  readonly state: string;
  readonly flow: string;
  readonly browser: Browser;
}

type Hook = (args: never) => unknown;
export type Judge = (presentation: string, expected: Expected) => Verdict | Promise<Verdict>;

export interface CallbackSetup extends Omit<AppSetup, 'sandbox'> {
  readonly confirm?: Confirm;
  /** What the hooks do; `onError` is always there, the others only where they are named here. */
  readonly hooks?: { readonly onVerified?: Hook; readonly onSuccess?: Hook; readonly onError?: Hook };
  readonly judge?: Judge;
}

/** An app whose service takes every start, and whose callbacks the test delivers itself. */
export interface CallbackApp extends Running {
  readonly clock: TestClock;
  /** The hooks that ran, in order; `onError` with its step and code. */
  readonly ran: string[];
  /** The presentations that were judged, in order. */
  readonly judged: string[];
  begin(query?: string, browser?: Browser): Promise<Begun>;
  deliver(form: Record<string, string> | string, headers?: Record<string, string>): Promise<Reply>;
  /** A flow whose good presentation is in, and its return address. */
  verified(query?: string): Promise<Begun & { readonly back: string }>;
  /** What the flow's own browser is told of it. */
  statusOf(begun: Begun): Promise<unknown>;
}

const person = { given_name: 'Erika', birth_date: '1964-08-12' };
export const valid: Verdict = { valid: true, attributes: person, derived: {} };

/** Presentations that begin with `good` are valid, with `away` have no verdict, all others are invalid. */
export const byName: Judge = (presentation) => {
  if (presentation.startsWith('away')) throw new IdentityError('keys_unavailable');
  return presentation.startsWith('good') ? valid : { valid: false, reason: 'Not a good one.', check: 'B07' };
};

/** A promise that the test fulfils. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    opened,
    open: () => {
      open();
    },
  };
}

/** Lets everything that is ready happen. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

type Fetch = (url: string, init: { body: string }) => Response | Promise<Response>;

/** A service that takes every start. */
const takesEverything: Fetch = () =>
  Response.json({ success: true, redirect_url: 'https://wallet.example/' });

/** Opens apps for the tests of one file, and closes them after each. */
export function callbackApps(): (setup?: CallbackSetup) => Promise<CallbackApp> {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  return async ({ confirm = 'return', hooks = {}, judge = byName, options = {}, ...setup } = {}) => {
    const { fetch: answer = takesEverything, ...others } = options as { fetch?: Fetch };
    const clock = testClock();
    const ran: string[] = [];
    const judged: string[] = [];
    const states: string[] = [];
    const noted = (name: 'onVerified' | 'onSuccess') => {
      const hook = hooks[name];
      if (hook === undefined) return {};
      const run = async (args: never): Promise<unknown> => {
        ran.push(name);
        return await hook(args);
      };
      return { [name]: run };
    };
    const app = await startApp({
      ...setup,
      sandbox,
      options: {
        issuer: 'xx-test',
        trust: {
          'xx-test': async (presentation: string, expected: Expected) => {
            judged.push(presentation);
            return await judge(presentation, expected);
          },
        },
        fetch: async (url: string, init: { body: string }) => {
          states.push((JSON.parse(init.body) as { state: string }).state);
          return await answer(url, init);
        },
        clock,
        store: memoryStore({ clock }),
        confirm,
        ...noted('onVerified'),
        ...noted('onSuccess'),
        onError: async (args: { step: string; error: { code: string } }): Promise<unknown> => {
          ran.push(`onError ${args.step} ${args.error.code}`);
          return await hooks.onError?.(args as never);
        },
        ...others,
      },
    });

    const callbackApp: CallbackApp = {
      ...app,
      clock,
      ran,
      judged,
      async begin(query = '', browser = app.browser()) {
        await app.start(browser, query);
        const state = states.at(-1) ?? '';
        const { flow = '' } = app.events.findLast(({ type }) => type === 'flow.started') ?? {};
        return { state, flow, browser };
      },
      async deliver(form, headers = {}) {
        const response = await app.callback(form, headers);
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          text,
          body: JSON.parse(text) as Reply['body'],
        };
      },
      async verified(query) {
        const begun = await callbackApp.begin(query);
        const { body } = await callbackApp.deliver({ presentation: 'good', state: begun.state });
        return { ...begun, back: body.redirect_uri ?? '' };
      },
      async statusOf({ flow, browser }) {
        const shown = await browser.get(`${app.url}/identity/status?flow=${flow}`);
        return (shown.json() as { status?: unknown }).status;
      },
    };
    return callbackApp;
  };
}
