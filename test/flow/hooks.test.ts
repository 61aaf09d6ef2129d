import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { IdentityError } from '../../lib/errors.js';
import { emitEvent, errorAddress, reportError, runHook } from '../../lib/flow/hooks.js';
import { turns } from '../support/callbacks.js';
import { nightly, seed } from '../support/seed.js';
import { wrongAnswers } from '../support/wrong-answers.js';
import { openProcess, origin, world } from './flow-kit.js';

const heard: string[] = [];
const within = (hookTimeout: number) => ({
  hookTimeout,
  log: { fault: () => {}, once: (what: string) => void heard.push(what) },
});
const hook = async (answer: unknown) => await runHook(within(50), 'onSuccess', origin, () => answer);

describe('runHook', () => {
  test.each([undefined, null, {}, { redirectTo: undefined }])('%j counts as nothing', async (answer) => {
    expect(await hook(answer)).toEqual({ kind: 'done' });
    expect(await hook(Promise.resolve(answer))).toEqual({ kind: 'done' });
  });

  test.each(wrongAnswers)('F66 $name has failed, and is told without a value', async ({ make, said }) => {
    const outcome = await hook(make());
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { code: 'hook_failed', message: `onSuccess returned ${said}` },
    });
    expect('error' in outcome && 'cause' in outcome.error).toBe(false);
  });

  test('F66 of 3,000 made-up answers, only those that say so go on or refuse', async () => {
    const key = fc.oneof(
      fc.constantFrom('refuse', 'redirectTo', 'refused', 'redirect', 'then', '__proto__', 'toString'),
      fc.string(),
      fc
        .tuple(fc.constantFrom('refuse', 'redirectTo'), fc.nat(10), fc.string({ maxLength: 1 }))
        .map(([name, at, put]) => name.slice(0, at) + put + name.slice(at + 1)),
    );
    const value = fc.oneof(
      fc.constantFrom<unknown>('too_young', '/path', '', undefined, null),
      fc.anything(),
    );
    const entries = fc.array(fc.tuple(key, value), { maxLength: 3 });
    const object = entries.map((pairs) => Object.fromEntries(pairs) as unknown);
    const right = fc.record(
      { refuse: fc.string(), redirectTo: fc.constantFrom('/path', '//evil.example') },
      { requiredKeys: [] },
    );
    let [done, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(object, object, right, fc.anything({ withNullPrototype: true })),
        async (answer) => {
          const outcome = await hook(answer);
          const isPlain =
            typeof answer === 'object' &&
            answer !== null &&
            /^\[object (Object)\]$/.test(String(Object.prototype.toString.call(answer)));
          const names = isPlain ? Object.keys(answer) : [];
          const { redirectTo, refuse } = (answer ?? {}) as Record<string, unknown>;
          const isNothing = answer === undefined || answer === null || (isPlain && names.length === 0);
          const isKnown = isPlain && names.every((name) => name === 'refuse' || name === 'redirectTo');
          const pathFits = redirectTo === undefined || typeof redirectTo === 'string';
          const says =
            isNothing || (isKnown && pathFits && !names.includes('refuse'))
              ? 'done'
              : isKnown && pathFits && typeof refuse === 'string' && refuse !== ''
                ? 'refused'
                : 'failed';
          done += Number(says === 'done');
          refused += Number(says === 'refused');
          expect([outcome.kind, names]).toEqual([says, names]);
        },
      ),
      { seed, numRuns: nightly ? 30_000 : 3_000 },
    );
    expect([done > 50, refused > 50]).toEqual([true, true]);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'https://app.example/own',
    'javascript:alert(1)',
    'relative',
    '/a\r\nSet-Cookie: b',
    '',
  ])('a redirectTo of %j is ignored, and that is said', async (redirectTo) => {
    heard.length = 0;
    expect(await hook({ redirectTo })).toEqual({ kind: 'done' });
    expect(heard).toEqual(['onSuccess returned a redirectTo that is no path of this app: it is ignored.']);
    expect(await hook({ redirectTo, refuse: 'no' })).toEqual({
      kind: 'refused',
      error: expect.objectContaining({ code: 'refused' }),
    });
  });

  test('a path of the app is taken as a browser will read it', async () => {
    heard.length = 0;
    expect(await hook({ redirectTo: '/a/../b?c=d#e' })).toEqual({ kind: 'done', redirectTo: '/b?c=d#e' });
    expect(heard).toEqual([]);
  });

  test('a refusal carries its own code, capped', async () => {
    const outcome = await hook({ refuse: 'x'.repeat(300), redirectTo: '/no' });
    expect(outcome).toEqual({ kind: 'refused', redirectTo: '/no', error: expect.any(IdentityError) });
    expect(outcome).toMatchObject({ error: { code: 'refused', serviceCode: 'x'.repeat(100) } });
  });

  test.each([new Error('own'), 'a text', undefined])(
    'a hook that throws %p has failed, with that as cause',
    async (cause) => {
      const outcome = await runHook(
        within(50),
        'onSuccess',
        origin,
        async () => await Promise.reject(cause as Error),
      );
      expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'hook_failed', retryable: true } });
      expect('error' in outcome && outcome.error.cause).toBe(cause);
    },
  );

  test('an answer that throws when it is read has failed too', async () => {
    const answer = {
      get redirectTo() {
        throw new Error('getter');
      },
    };
    expect(await hook(answer)).toMatchObject({ kind: 'failed', error: { code: 'hook_failed' } });
  });

  describe('in time', () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    afterEach(() => {
      process.off('unhandledRejection', note);
    });

    test('a hook that takes too long has timed out, its signal says so, and its late rejection hurts nobody', async () => {
      process.on('unhandledRejection', note);
      let given: AbortSignal | undefined;
      let end = (): void => undefined;
      const outcome = await runHook(within(20), 'onSuccess', origin, async ({ signal }) => {
        given = signal;
        await new Promise<never>((_resolve, reject) => {
          end = () => {
            reject(new Error('late'));
          };
        });
      });
      expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'hook_timeout', status: 504 } });
      expect('error' in outcome && 'cause' in outcome.error).toBe(false);
      expect(given?.aborted).toBe(true);
      end();
      await turns();
      expect(unhandled).toEqual([]);
    });

    test('a hook that ends in time is not told to stop', async () => {
      let given: AbortSignal | undefined;
      jest.useFakeTimers();
      await runHook(within(20), 'onSuccess', origin, ({ signal }) => {
        given = signal;
      });
      jest.advanceTimersByTime(1_000);
      jest.useRealTimers();
      expect(given?.aborted).toBe(false);
    });
  });
});

describe('report', () => {
  const error = new IdentityError('presentation_invalid', { check: 'B07' });

  test('sends the event of the table, and asks onError where the table has it', async () => {
    const seen: unknown[] = [];
    const onError = (args: unknown) => {
      seen.push(args);
      return { redirectTo: '/sorry' };
    };
    const { deps, events } = openProcess(world(), { hooks: { onError } });
    const about = { flow: 'a flow', request: 'age', origin, context: { order: 7 } };
    expect(await reportError(deps, 'body_refused', error, about)).toBe('/sorry');
    expect(await reportError(deps, 'body_refused_past_limit', error, about)).toBeUndefined();
    expect(seen).toEqual([{ error, step: 'callback', context: { order: 7 } }]);
    const event = {
      type: 'callback.refused',
      flow: 'a flow',
      request: 'age',
      code: 'presentation_invalid',
      check: 'B07',
    };
    expect(events).toEqual([event, event]);
  });

  test('names nothing that is not known', async () => {
    const seen: unknown[] = [];
    const { deps, events } = openProcess(world(), { hooks: { onError: (args) => void seen.push(args) } });
    await reportError(deps, 'return_wrong_browser', new IdentityError('return_wrong_browser'), { origin });
    expect(seen.map((args) => Object.keys(args as object))).toEqual([['error', 'step']]);
    expect(events).toEqual([{ type: 'flow.failed', code: 'return_wrong_browser' }]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('own')), 'hook_failed'],
    ['hangs', async () => await new Promise(() => undefined), 'hook_timeout'],
  ])('an onError that %s changes nothing, and is an event', async (_name, onError, code) => {
    const app = openProcess(world(), { hooks: { onError }, hookTimeout: 20 });
    const state = await app.start();
    expect(await app.deliver(state, { presentation: 'junk' })).toEqual({
      transition: 'body_refused',
      redirectUri: `${origin}/identity/return?error=presentation_invalid`,
    });
    expect(app.events.slice(1)).toMatchObject([{ type: 'callback.refused' }, { type: 'hook.failed', code }]);
    expect((await app.deliver(state)).transition).toBe('verified');
  });

  test('F66 an onError that refuses is ignored: it decides about a page at most', async () => {
    const onError = () => ({ refuse: 'no', redirectTo: '/sorry' });
    const app = openProcess(world(), { hooks: { onError } });
    const state = await app.start();
    expect(await app.deliver(state, { presentation: 'junk' })).toMatchObject({
      redirectUri: `${origin}/identity/return?error=presentation_invalid`,
    });
    expect((await app.recordOf(state)).status).toBe('pending');
  });

  test('without an onError there is the event', async () => {
    const { deps, events } = openProcess(world());
    expect(await reportError(deps, 'no_verdict', error, { origin })).toBeUndefined();
    expect(events).toMatchObject([{ type: 'callback.refused' }]);
  });

  test('a transition without an event announces nothing', () => {
    const { deps, events } = openProcess(world());
    emitEvent(deps, 'body_known', { flow: 'a flow' });
    expect(events).toEqual([]);
  });
});

describe('errorAddress', () => {
  test.each([
    ['hook_failed', 'hook_failed'],
    ['error_api_key', 'error_api_key'],
    ['user_cancelled', 'service_error'],
    ['constructor', 'service_error'],
    ['"><script>', 'service_error'],
  ])('%s is named %s', (code, named) => {
    const own = openProcess(world()).deps;
    const theirs = openProcess(world(), { errorRedirect: '/oops?a=b#c' }).deps;
    expect(errorAddress(own, { code })).toBe(`/identity/return?error=${named}`);
    expect(errorAddress(theirs, { code })).toBe(`/oops?a=b&error=${named}#c`);
  });

  test.each([
    ['too_young', 'too_young'],
    ['declined', 'refused'],
    ['error_api_key', 'refused'],
    ['Too young', 'refused'],
    ['"><script>', 'refused'],
    ['constructor', 'constructor'],
    [undefined, 'refused'],
  ])("a refusal as %p is named %s on the app's own page, and refused on the kit's", (refuse, named) => {
    const error = new IdentityError('refused', refuse === undefined ? {} : { serviceCode: refuse });
    const own = openProcess(world()).deps;
    const theirs = openProcess(world(), { errorRedirect: '/oops' }).deps;
    expect(errorAddress(own, error)).toBe('/identity/return?error=refused');
    expect(errorAddress(theirs, error)).toBe(`/oops?error=${named}`);
  });
});
