import { afterEach, expect, test } from '@jest/globals';
import { IdentityError } from '../../../lib/errors.js';
import type { Json } from '../../../lib/types/json.js';
import type { Verdict } from '../../../lib/types/trust.js';
import { readReturnCode } from '../../../lib/flow/secrets.js';
import type { FlowStore } from '../../../lib/types/store.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { type TestSession, driveReturn, openProcess, serviceThat, world } from '../../flow/flow-kit.js';
import { withComplete } from '../../flow/returning.js';
import { traceRecorder } from '../../flow/trace-recorder.js';

const recorder = traceRecorder();
afterEach(() => {
  recorder.stop();
});

const flows = 10_000;
/** In everything that a person, a wallet, the service, a store or the app brings; also as a code would be spelt. */
const marker = /MARKER|marker/;

/** Takes the next of a few ways: each kind turns at its own pace, so that all of them meet. */
const turn = <T>(ways: readonly T[], at: number): T => ways[at % ways.length] as T;

const marked = (n: number): string => `MARKER ${n} Erika Mustermann`;
const fail = (n: number): never => {
  throw Object.assign(new Error(marked(n)), { code: `MARKER_${n}`, error: marked(n), transition: marked(n) });
};

function hookFor(n: number): () => unknown {
  return turn(
    [
      () => undefined,
      () => ({ redirectTo: `/${marked(n)}` }),
      () => ({ transition: marked(n), error: marked(n) }),
      () => ({ refuse: `marker_${n}` }),
      () => fail(n),
    ],
    n,
  );
}

function verdictFor(n: number): Verdict {
  const valid = { given_name: marked(n), birth_date: marked(n) };
  return turn<() => Verdict>(
    [
      () => ({ valid: true, attributes: valid, derived: {} }),
      () => ({ valid: true, attributes: valid, derived: {} }),
      () => ({ valid: false, reason: marked(n), check: marked(n), code: `marker_${n}` }),
      () => fail(n),
      () => {
        throw new IdentityError(`marker_${n}`, { message: marked(n), serviceCode: marked(n) });
      },
    ],
    n,
  )();
}

/** A store that fails now and then, with words that quote what was written. */
function leaky(inner: FlowStore): FlowStore {
  let calls = 0;
  const sometimes = async <T>(call: () => Promise<T>): Promise<T> =>
    (calls += 1) % 97 === 0 ? fail(calls) : await call();
  return {
    create: async (...args) => await sometimes(async () => await inner.create(...args)),
    read: async (id) => await sometimes(async () => await inner.read(id)),
    replace: async (...args) => await sometimes(async () => await inner.replace(...args)),
    delete: async (id) => await inner.delete(id),
  };
}

/** Everything that an error holds. */
const wordsOf = (error: unknown): unknown[] =>
  Reflect.ownKeys(error as object).map((name) => (error as Record<PropertyKey, unknown>)[name]);

const sessionFor = (n: number): TestSession => ({
  isStored: async () => await Promise.resolve(true),
  regenerate: () => undefined,
  keep: () => turn<() => unknown>([() => ({ name: marked(n), error: marked(n) }), () => fail(n)], n >> 2)(),
  save: async () => {
    const end = turn(['saved', 'saved', 'subject_changed', 'return_abandoned', 'session_left', fail], n >> 1);
    return await Promise.resolve(typeof end === 'function' ? end(n) : (end as 'saved'));
  },
  rollback: async () => {},
});

test('the steps of 10,000 generated flows hold no marker value, and none of their secrets', async () => {
  recorder.start();
  const shared = world((clock) => leaky(memoryStore({ clock, max: 1_000_000 })));
  let n = 0;
  const app = openProcess(shared, {
    verifier: async () => await Promise.resolve(verdictFor(n)),
    hooks: {
      onVerified: () => hookFor(n >> 2)(),
      onSuccess: () => hookFor(n >> 3)(),
      onError: () => hookFor(n)(),
    },
    service: serviceThat(async () => {
      if (n % 11 === 0)
        throw new IdentityError(`marker_${n}`, { message: marked(n), serviceCode: marked(n) });
      if (n % 13 === 0) fail(n);
      return await Promise.resolve({ redirectUrl: `https://wallet.example/?${marked(n)}` });
    }),
  });
  const { flow } = app;
  const leaks: string[] = [];
  const spoken = { steps: 0, codes: new Set<unknown>(), outcomes: new Set<unknown>() };
  for (; n < flows; n += 1) {
    const secrets: string[] = [];
    const about = { context: { of: marked(n) } as Json, subject: marked(n), returnTo: `/${marked(n)}` };
    await one(secrets, about).catch(() => undefined); // a failure is a part of the picture
    for (const { step, trace } of [...recorder.ended, ...recorder.failed]) {
      const { error, ...rest } = trace;
      const values = [...Object.values(rest), ...(error === undefined ? [] : wordsOf(error))];
      const text = values.join(' ');
      if (values.some((it) => typeof it !== 'string')) leaks.push(`${step} holds more than strings`);
      if (marker.test(text) || secrets.some((it) => text.includes(it))) leaks.push(`${step} ${text}`);
      spoken.codes.add(trace['code']);
      spoken.outcomes.add(trace['outcome']);
    }
    spoken.steps += recorder.ended.length;
    recorder.ended.length = 0;
    recorder.failed.length = 0;
    if (n % 100 === 0) shared.clock.forward(3_600_000);
  }
  expect(leaks.slice(0, 3)).toEqual([]);
  expect(spoken.steps).toBeGreaterThan(flows * 5);
  const outcomes = ['verified', 'body_refused', 'no_verdict', 'confirmed', 'callback_hook_refused'];
  expect([...spoken.outcomes]).toEqual(expect.arrayContaining([...outcomes, 'return_wrong_browser']));
  const codes = ['service_error', 'hook_failed', 'store_unavailable', 'refused', 'return_wrong_browser'];
  expect([...spoken.codes]).toEqual(expect.arrayContaining(codes));

  async function one(secrets: string[], about: { context: Json; subject: string; returnTo: string }) {
    const state = await app.start(about);
    secrets.push(state);
    const form = turn(
      [
        { presentation: marked(n) },
        { presentation: marked(n) },
        { error: `marker_${n}`, error_description: marked(n) },
      ],
      n >> 1,
    );
    const delivery = await app.deliver(state, form);
    const to = 'redirectUri' in delivery ? delivery.redirectUri : 'https://app.example/';
    const code = readReturnCode(new URL(to).searchParams.get('code'));
    if (code === undefined) return;
    secrets.push(code.secret);
    if (n % 7 === 0) {
      await flow.revokeCode(code);
      return;
    }
    const subject = n % 5 === 0 ? marked(n + 1) : about.subject;
    const input = { ...code, state, subject, sessionId: marked(n) };
    try {
      const req = { url: marked(n) };
      const { complete } = withComplete(await driveReturn(flow, input, sessionFor(n), req));
      await complete?.(n % 13 !== 0);
    } catch (fault) {
      await flow.failReturn(code, fault);
    }
  }
}, 300_000);
