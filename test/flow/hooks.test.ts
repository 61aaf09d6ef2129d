import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { IdentityError } from '../../lib/index.js';
import { appErrorAddress, createFlow } from '../../lib/flow/flow.js';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import { throws } from '../support/app.js';
import { gate, turns } from '../support/callbacks.js';
import { deep } from '../support/deep.js';
import { nightly, seed } from '../support/seed.js';
import { unhandledIn } from '../support/unhandled.js';
import { wrongAnswers } from '../support/wrong-answers.js';
import { type Setup, addressOf, flowSettings, openProcess, origin, started, world } from './flow-kit.js';

const heard: string[] = [];
const log = {
  fault: () => {},
  warn: () => {},
  once: (what: string) => void heard.push(what),
};
const kinds: Record<string, string> = {
  confirmed_at_once: 'done',
  callback_hook_refused: 'refused',
  callback_hook_failed: 'failed',
};

type HookArgs = Parameters<NonNullable<NonNullable<Setup['hooks']>['onSuccess']>>[0];

interface Decided {
  readonly kind: string | undefined;
  readonly error?: IdentityError;
  readonly redirectTo?: string;
}

/** An app whose hooks have so many milliseconds; to be called with one: what it decided, and the error that was told. */
function appWith(hookTimeout: number): (hook: (args: HookArgs) => unknown) => Promise<Decided> {
  let current: (args: HookArgs) => unknown = () => undefined;
  let error: IdentityError | undefined;
  const hooks = {
    onSuccess: (args: HookArgs) => current(args),
    onError: (args: { error: IdentityError }) => void ({ error } = args),
  };
  const app = openProcess(world(), { confirm: 'callback', hookTimeout, log, hooks });
  return async (hook) => {
    [current, error] = [hook, undefined];
    const { state } = await app.start();
    const delivery = await app.deliver(state);
    const redirectTo = addressOf(delivery).slice(origin.length);
    const isOwn = redirectTo === '/done' || redirectTo.startsWith('/identity/return?');
    return {
      kind: kinds[delivery.transition],
      ...(error !== undefined && { error }),
      ...(!isOwn && { redirectTo }),
    };
  };
}
const run = async (hookTimeout: number, hook: (args: HookArgs) => unknown) =>
  await appWith(hookTimeout)(hook);
const app = appWith(50);
const hook = async (answer: unknown) => await app(() => answer);

describe('the signal of a hook', () => {
  afterEach(() => void jest.restoreAllMocks());

  test('is made for the one that asks for it, and for no other', async () => {
    const Controller = AbortController;
    const made = jest.spyOn(globalThis, 'AbortController').mockImplementation(() => new Controller());
    expect((await app(() => undefined)).kind).toBe('done');
    expect(made).not.toHaveBeenCalled();
    const signals: unknown[] = [];
    expect((await app((args) => void signals.push(args.signal, args.signal))).kind).toBe('done');
    expect([made.mock.calls.length, signals[0] === signals[1]]).toEqual([1, true]);
    expect(signals[0]).toBeInstanceOf(AbortSignal);
  });
});

describe('a hook', () => {
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
    expect(outcome.error !== undefined && 'cause' in outcome.error).toBe(false);
  });

  deep.test('F66 of 3,000 made-up answers, only those that say so go on or refuse', async () => {
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
      {
        refuse: fc.oneof(fc.constant('too_young'), fc.string()),
        redirectTo: fc.constantFrom('/path', '//evil.example'),
      },
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
              : isKnown && pathFits && typeof refuse === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(refuse)
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

  const elsewhere =
    '//evil.example /\\evil.example /.//evil.example https://evil.example/ relative javascript:alert(1)';
  test.each([...elsewhere.split(' '), 'https://app.example/own', '/a\r\nSet-Cookie: b', ''])(
    'a redirectTo of %j is ignored, and that is said',
    async (redirectTo) => {
      heard.length = 0;
      expect(await hook({ redirectTo })).toEqual({ kind: 'done' });
      expect(heard).toEqual([
        'onSuccess returned a redirectTo that is no path of this app: it is ignored. Return a path such as /welcome; a route of yours there may redirect to another site.',
      ]);
      const error = expect.objectContaining({ code: 'refused' });
      expect(await hook({ redirectTo, refuse: 'no' })).toEqual({ kind: 'refused', error });
    },
  );

  test('a path of the app is taken as a browser will read it', async () => {
    heard.length = 0;
    expect(await hook({ redirectTo: '/a/../b?c=d#e' })).toEqual({ kind: 'done', redirectTo: '/b?c=d#e' });
    expect(heard).toEqual([]);
  });

  test('a refusal carries its own code', async () => {
    const outcome = await hook({ refuse: 'x'.repeat(64), redirectTo: '/no' });
    expect(outcome).toEqual({ kind: 'refused', redirectTo: '/no', error: expect.any(IdentityError) });
    expect(outcome).toMatchObject({ error: { code: 'refused', serviceCode: 'x'.repeat(64) } });
  });

  test.each([new Error('own'), 'a text', undefined])(
    'a hook that throws %p has failed, with that as cause',
    async (cause) => {
      const outcome = await run(50, async () => await Promise.reject(cause as Error));
      expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'hook_failed', retryable: true } });
      expect(outcome.error?.cause).toBe(cause);
    },
  );

  test('an answer that throws when it is read has failed too', async () => {
    const answer = Object.defineProperty({}, 'redirectTo', { get: throws(), enumerable: true });
    expect(await hook(answer)).toMatchObject({ kind: 'failed', error: { code: 'hook_failed' } });
  });

  test('a hook that takes too long has timed out, its signal says so, and its late rejection hurts nobody', async () => {
    const end = gate();
    let given: AbortSignal | undefined;
    const unhandled = await unhandledIn(async () => {
      const outcome = await run(20, async ({ signal }) => {
        given = signal;
        await end.opened;
        throw new Error('late');
      });
      const message = 'onSuccess took longer than 20 milliseconds.';
      const error = { code: 'hook_timeout', status: 504, message };
      expect(outcome).toMatchObject({ kind: 'failed', error });
      expect(outcome.error !== undefined && 'cause' in outcome.error).toBe(false);
      expect(given?.aborted).toBe(true);
      end.open();
      await turns();
    });
    expect(unhandled).toEqual([]);
  });
});

describe('report', () => {
  test('sends the event of the table with what is known, and asks onError where the table has it', async () => {
    const seen: unknown[] = [];
    const onError = (args: unknown) => {
      seen.push(args);
      return { redirectTo: '/sorry' };
    };
    const verifier = async () =>
      await Promise.resolve({ valid: false as const, reason: 'Bad.', check: 'B07' });
    const app = openProcess(world(), { hooks: { onError }, verifier });
    const { state, id } = await app.start({ context: { order: 7 } });
    for (let body = 1; body <= 5; body += 1) await app.deliver(state, { presentation: `bad ${body}` });
    const last = await app.deliver(state, { presentation: 'bad 6' }); // one more than onError hears of
    expect(addressOf(last)).toContain(`${origin}/identity/return?error=presentation_invalid&flow=`);
    const error = expect.objectContaining({ code: 'presentation_invalid', check: 'B07' });
    const about = { flow: id, supportCode: supportCodeOf(id), question: 'default' };
    expect(seen).toEqual(Array(5).fill({ error, step: 'callback', ...about, context: { order: 7 } }));
    const event = { type: 'callback.refused', ...about, code: 'presentation_invalid' }; // the check is the app's own
    expect(app.events.slice(1)).toEqual(Array(6).fill(event));
  });

  test.each([
    ['throws', () => Promise.reject(new Error('own')), 'hook_failed'],
    ['hangs', async () => await new Promise(() => undefined), 'hook_timeout'],
  ])('an onError that %s changes nothing, and is an event', async (_name, onError, code) => {
    const { app, state } = await started({ hooks: { onError }, hookTimeout: 20 });
    expect(await app.deliver(state, { presentation: 'junk' })).toEqual({
      transition: 'body_refused',
      location: expect.stringContaining('/identity/return?error=presentation_invalid&flow='),
    });
    expect(app.events.slice(1)).toMatchObject([{ type: 'callback.refused' }, { type: 'hook.failed', code }]);
    expect((await app.deliver(state)).transition).toBe('verified');
  });

  test('F66 an onError that refuses is ignored: it decides about a page at most', async () => {
    const onError = () => ({ refuse: 'no', redirectTo: '/sorry' });
    const { app, state } = await started({ hooks: { onError } });
    expect(await app.deliver(state, { presentation: 'junk' })).toMatchObject({
      location: expect.stringContaining('/identity/return?error=presentation_invalid&flow='),
    });
    expect(await app.statusOf(state)).toBe('pending');
  });
});

describe('the address of an error', () => {
  test.each([
    ['too_young', 'too_young'],
    ['declined', 'refused'],
    ['error_api_key', 'refused'],
    ['Too young', 'refused'],
    ['"><script>', 'refused'],
    ['constructor', 'constructor'],
  ])("a refusal as %p is named %s on the app's own page, and refused on the kit's", async (refuse, named) => {
    const onSuccess = () => ({ refuse });
    const own = await started({ confirm: 'callback', errorRedirect: '/oops', hooks: { onSuccess } });
    const isWord = refuse === named; // any other is a wrong answer
    expect(addressOf(await own.app.deliver(own.state))).toBe(
      `${origin}/oops?error=${isWord ? named : 'hook_failed'}`,
    );
    const kits = await started({ errorRedirect: '/oops', hooks: { onVerified: onSuccess } });
    expect(addressOf(await kits.app.deliver(kits.state))).toBe(
      `${origin}/identity/return?error=${isWord ? 'refused' : 'hook_failed'}&flow=${kits.id}`,
    );
    const error = new IdentityError('refused', { serviceCode: refuse });
    const doing = { question: 'age', returnTo: '/a?b=c' };
    const { flow } = own.app;
    expect(appErrorAddress(flow, { code: 'marker' })).toBe('/oops?error=service_error');
    expect(appErrorAddress(flow, error, doing)).toBe(
      `/oops?error=${named}&question=age&returnTo=%2Fa%3Fb%3Dc`,
    );
    expect(appErrorAddress(createFlow(flowSettings(world())), error)).toBeUndefined();
  });

  test('a refusal without a word of its own is called refused', () => {
    const flow = createFlow(flowSettings(world(), { errorRedirect: '/oops' }));
    expect(appErrorAddress(flow, new IdentityError('refused'))).toBe('/oops?error=refused');
  });
});
