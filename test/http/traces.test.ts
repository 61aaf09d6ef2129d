import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { traces } from '../../lib/flow/tracing.js';
import { traceRecorder } from '../flow/trace-recorder.js';
import { noCode } from '../support/app.js';
import { callbackApps, turns } from '../support/callbacks.js';

const openApp = callbackApps();
const nothing = (): undefined => undefined;
const anyText: unknown = expect.any(String);

const recorder = traceRecorder();
afterEach(() => {
  recorder.stop();
  jest.restoreAllMocks();
});

/** What the steps were told to be, in the order in which they ended. */
const told = (): unknown[] => recorder.ended.map(({ step, trace }) => ({ step, ...trace }));

test('a start whose session has ended is told as that, and no hook of the app is blamed', async () => {
  const app = await openApp();
  const browser = app.browser();
  browser.cookies.set('connect.sid', 's%3Aended.AAAA');
  recorder.start();
  const shown = await browser.post(`${app.url}/identity/start`, {});
  expect(shown.text).toContain('Prove who you are');
  expect(told()).toEqual([{ step: 'start', flow: anyText, question: 'default', outcome: 'session_left' }]);
  expect(recorder.failed).toEqual([]);
});

describe('the traces of a return', () => {
  test('return: onSuccess, keep, and how it ended', async () => {
    const app = await openApp({ hooks: { onSuccess: nothing } });
    const { browser, back, flow } = await app.verified();
    recorder.start();
    await browser.get(back);
    while (!recorder.ended.some(({ step }) => step === 'return')) await turns(1);
    const hook = { step: 'hook', flow, question: 'default' };
    expect(told().filter((it) => (it as { step: string }).step !== 'store')).toEqual([
      { ...hook, operation: 'onSuccess' },
      { ...hook, operation: 'keep' },
      { step: 'return', flow, outcome: 'confirmed' },
    ]);
  });

  test('what the app keeps is not looked into', async () => {
    const keep = () => ({ transition: 'verified', error: { code: 'busy' } });
    const app = await openApp({ options: { keep } });
    const { browser, back, flow } = await app.verified();
    recorder.start();
    await browser.get(back);
    expect(told()).toContainEqual({ step: 'hook', flow, question: 'default', operation: 'keep' });
  });

  test('an id that only claims to be a flow is not told', async () => {
    const app = await openApp();
    recorder.start();
    await app.browser().get(`${app.url}/identity/return?code=${noCode}&reload=2`);
    expect(told()).toContainEqual({ step: 'return', outcome: 'return_unfit', code: 'return_code_invalid' });
    const [id = ''] = noCode.split('.');
    expect(JSON.stringify(told())).not.toContain(id);
  });

  test('without a subscriber nothing is published in a whole flow, and no object is made for it', async () => {
    const spies = Object.values(traces).flatMap((channel) => [
      jest.spyOn(channel, 'tracePromise'),
      ...[channel.start, channel.end, channel.asyncStart, channel.asyncEnd, channel.error].flatMap((it) => [
        jest.spyOn(it, 'publish'),
        jest.spyOn(it, 'runStores'),
      ]),
    ]);
    const app = await openApp({ hooks: { onVerified: nothing, onSuccess: nothing } });
    const { state, browser } = await app.begin();
    await app.deliver({ state, presentation: 'bad' });
    const { body } = await app.deliver({ state, presentation: 'good' });
    expect((await browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(app.ran).toEqual(['onError callback presentation_invalid', 'onVerified', 'onSuccess']);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});
