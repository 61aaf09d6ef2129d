import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { IdentityError } from '../../lib/index.js';
import { trace, traces } from '../../lib/flow/tracing.js';
import { fromService } from '../../lib/service/prove/errors.js';
import { throws, unknownState } from '../support/app.js';
import { openProcess, serviceThat, started, world, cuttableWorld } from './flow-kit.js';
import { traceRecorder } from './trace-recorder.js';

const recorder = traceRecorder();
afterEach(() => {
  recorder.stop();
  jest.restoreAllMocks();
});

/** What the steps were told to be, in the order in which they ended. */
const told = (): unknown[] => recorder.ended.map(({ step, trace }) => ({ step, ...trace }));
const steps = (): string[] =>
  recorder.ended.map(({ step, trace }) => [step, trace['operation']].filter(Boolean).join(' '));

describe('without a subscriber', () => {
  test('the promise of the work is what comes back, and it is called with nothing', async () => {
    const promise = Promise.resolve('done');
    const work = jest.fn(() => promise);
    for (const channel of Object.values(traces)) {
      expect(trace(channel, work, 'flow', 'default', 'read')).toBe(promise);
    }
    expect(work.mock.calls).toEqual(Object.keys(traces).map(() => []));
  });
});

describe('with a subscriber', () => {
  test('start, prove and each call of the store tell flow and question', async () => {
    recorder.start();
    const { id: flow } = await started();
    expect(told()).toEqual([
      { step: 'store', flow, operation: 'create' },
      { step: 'prove', flow, question: 'default' },
      { step: 'start', flow, question: 'default' },
    ]);
  });

  test('callback, verify and hook tell how they ended', async () => {
    const { app, state, id } = await started({
      hooks: { onVerified: () => undefined, onError: () => undefined },
    });
    const flow = id;
    recorder.start();
    await app.deliver(state, { presentation: 'bad' });
    await app.deliver(state);
    const of = { flow, question: 'default' };
    const code = 'presentation_invalid';
    expect(told().filter((it) => (it as { step: string }).step !== 'store')).toEqual([
      { step: 'verify', ...of, code },
      { step: 'hook', ...of, operation: 'onError' },
      { step: 'callback', flow, outcome: 'body_refused' },
      { step: 'verify', ...of },
      { step: 'hook', ...of, operation: 'onVerified' },
      { step: 'callback', flow, outcome: 'verified' },
    ]);
    expect(steps().slice(0, 4)).toEqual(['store read', 'verify', 'store replace', 'hook onError']);
    expect(recorder.failed).toEqual([]); // a refused presentation is no fault
  });

  test('an error callback verifies nothing', async () => {
    const { app, state } = await started();
    recorder.start();
    await app.deliver(state, { error: 'user_declined' });
    expect(steps()).toEqual(['store read', 'store replace', 'callback']);
  });

  test('a hook that throws, and one that refuses: only the first is a fault', async () => {
    const fails = openProcess(world(), { hooks: { onVerified: throws(new Error('SECRET')) } });
    const refuses = openProcess(world(), { hooks: { onVerified: () => ({ refuse: 'secret_word' }) } });
    const [{ state: one }, { state: other }] = [await fails.start(), await refuses.start()];
    recorder.start();
    await fails.deliver(one);
    await refuses.deliver(other);
    const hooks = recorder.ended.filter(({ step }) => step === 'hook').map(({ trace }) => trace);
    expect(hooks).toMatchObject([
      { code: 'hook_failed', error: new Error('hook_failed') },
      { code: 'refused' },
    ]);
    expect(recorder.failed.map(({ step }) => step)).toEqual(['hook']);
  });

  test('a start that the service does not take: the code, at prove and at start; a code of its own is closed', async () => {
    recorder.start();
    for (const code of ['service_timeout', 'error_account', 'erika_mustermann']) {
      const error = code === 'error_account' ? fromService(code) : new IdentityError(code, { status: 401 });
      const service = serviceThat(async () => await Promise.reject(error));
      expect(await openProcess(world(), { service }).tryStart()).toMatchObject({ error: { code } });
    }
    const codes = recorder.failed.map(({ step, trace }) => [step, trace['code'], String(trace['error'])]);
    expect(codes).toEqual(
      ['service_timeout', 'error_account', 'service_error'].flatMap((code) => [
        ['prove', code, `Error: ${code}`],
        ['start', code, `Error: ${code}`],
      ]),
    );
  });

  test('a store that fails tells its code alone, and the flow goes on as without a subscriber', async () => {
    const { shared, cut } = cuttableWorld('read');
    const app = openProcess(shared);
    cut();
    recorder.start();
    await expect(app.deliver(unknownState())).rejects.toMatchObject({ code: 'store_unavailable' });
    const code = 'store_unavailable';
    expect(recorder.failed.map(({ step, trace }) => ({ step, ...trace }))).toMatchObject([
      { step: 'store', operation: 'read', code, error: new Error(code) },
      { step: 'callback', code, error: new Error(code) },
    ]);
  });

  test('what throws something else is a fault of the app', async () => {
    recorder.start();
    const fault = new TypeError('SECRET');
    const work = async () => await Promise.reject(fault);
    await expect(trace(traces.return, work, 'flow')).rejects.toBe(fault);
    expect(told()).toMatchObject([{ step: 'return', flow: 'flow', code: 'hook_failed' }]);
  });

  test('a name that no table has is no outcome', async () => {
    recorder.start();
    await trace(traces.store, async () => await Promise.resolve({ transition: 'SECRET' }));
    expect(told()).toEqual([{ step: 'store' }]);
  });

  test('a step that one subscriber began has its context until it ends', async () => {
    const seen: unknown[] = [];
    recorder.startContexts();
    const inner = async (): Promise<void> => {
      await delay(0);
      seen.push(recorder.current());
    };
    await trace(traces.callback, async () => {
      await trace(traces.verify, inner);
      seen.push(recorder.current());
    });
    expect(seen).toEqual(['verify', 'callback']);
  });
});
