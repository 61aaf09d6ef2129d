import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  createFlow,
  endWithoutFlow,
  type FlowHooks,
  questionDigestOf,
  type StartInput,
} from '../../lib/flow/flow.js';
import { type FlowStore, IdentityError, type IdentityEvent, memoryStore } from '../../lib/index.js';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import { throws } from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import { bothForms, hookOf } from '../support/callbacks.js';
import {
  addressOf,
  flowSettings,
  openProcess,
  origin,
  serviceThat,
  someSession,
  started,
  watched,
  world,
  worldAround,
} from './flow-kit.js';

describe('question', () => {
  type Plan = StartInput['question'];

  const asked = { path: '/identity', isSandbox: (issuer: string): boolean => issuer === 'xx-sandbox' };
  const question: Plan = {
    name: 'default',
    issuer: 'xx-test',
    reveal: ['given_name', 'birth_date'],
    derived: { nationality: 'DE' },
  };

  const digest = (more: Partial<typeof asked> = {}, of: Partial<Plan> = {}): string =>
    questionDigestOf(createFlow(flowSettings(world(), { ...asked, ...more })), { ...question, ...of });

  describe('F53 the digest of a question', () => {
    test.each<[string, Partial<typeof asked>, Partial<Plan>]>([
      ['path', { path: '/age' }, {}],
      ['issuer', {}, { issuer: 'de-ausweis' }],
      ['sandbox', { isSandbox: () => true }, {}],
      ['name of the question', {}, { name: 'age' }],
      ['attribute more', {}, { reveal: ['given_name', 'birth_date', 'family_name'] }],
      ['attribute less', {}, { reveal: ['given_name'] }],
      ['value of a derived result', {}, { derived: { nationality: 'FR' } }],
      ['derived result less', {}, { derived: {} }],
    ])('F53 another %s is another question', (_, more, of) => {
      expect(digest(more, of)).not.toBe(digest());
    });

    test('F53 the order in which attributes are written is no part of it', () => {
      expect(digest({}, { reveal: ['birth_date', 'given_name'] })).toBe(digest());
      const derived = { other: 'x', nationality: 'DE' };
      const turned = { nationality: 'DE', other: 'x' };
      expect(digest({}, { derived })).toBe(digest({}, { derived: turned }));
      expect(digest({}, { derived })).not.toBe(digest());
    });

    test('F53 a flow that the app asked otherwise when it began does not count for what it asks now', () => {
      const flow = createFlow(flowSettings(world(), asked));
      const now = questionDigestOf(flow, question);
      expect(questionDigestOf(flow, { ...question, reveal: ['given_name'] })).not.toBe(now);
      expect(questionDigestOf(flow, question, true)).not.toBe(now);
      expect(questionDigestOf(flow, { ...question })).toBe(now);
    });

    test('F53 two questions of one factory never share it', () => {
      const flow = createFlow(flowSettings(world(), asked));
      const digests = () => [question, { ...question, name: 'age' }].map((it) => questionDigestOf(flow, it));
      const both = digests();
      expect(new Set(both).size).toBe(2);
      expect(digests()).toEqual(both);
    });
  });
});

describe('refused version', () => {
  /**
   * A store written by somebody else that refuses the very version it shows, from when it is told to. All that it
   * says is there at once, so that a loop over it would never let the event loop turn: far more than a loop may ask is a
   * failure, and not a hang.
   */
  function refusing() {
    let [refuses, asked] = [false, 0];
    const shared = worldAround(async (call, work) => {
      if (!refuses || call !== 'replace') return await work();
      asked += 1;
      if (asked > 50) throw new Error('asked for ever');
      return false;
    });
    return { shared, refuse: () => void (refuses = true), asked: () => asked };
  }

  const nothing = () => undefined;
  const unavailable = { code: 'store_unavailable', message: expect.stringContaining('the very version') };

  describe('F50 a store that refuses the version that it shows is unavailable, and nobody asks it for ever', () => {
    test.each<[string, FlowHooks, string, number]>([
      ['without a hook', {}, 'good', 1],
      ['that would take the lease: its hook does not run', { onVerified: nothing }, 'good', 1],
      ['that would remember a bad body: the app is not told', { onError: nothing }, 'junk', 1],
    ])('F50 a callback %s', async (_what, hooks, presentation, judged) => {
      const { shared, refuse, asked } = refusing();
      const { app, state } = await started({ hooks }, shared);
      refuse();
      await expect(app.deliver(state, { presentation })).rejects.toMatchObject(unavailable);
      expect([asked(), app.ran]).toEqual([1, []]);
      expect(app.judged).toHaveLength(judged);
    });

    test('F50 the write after a hook, which runs once', async () => {
      const { shared, refuse, asked } = refusing();
      const { app, state } = await started({ hooks: { onVerified: refuse } }, shared);
      await expect(app.deliver(state)).rejects.toMatchObject(unavailable);
      expect([asked(), app.ran]).toEqual([1, ['onVerified']]);
    });
  });
});

describe('events', () => {
  const at = new Date('2026-08-12T12:00:00Z');
  const clock = (): Date => at;

  /** A callback that no flow can take, and the event of it. */
  function cause(onEvent?: (event: IdentityEvent) => unknown, now = clock): void {
    const shared = { clock: Object.assign(now, { forward: () => undefined }), store: memoryStore() };
    const flow = createFlow(flowSettings(shared, { onEvent }));
    endWithoutFlow(flow, 'body_consumed', new IdentityError('body_consumed'));
  }
  const event = { type: 'callback.refused', at, code: 'body_consumed' };

  describe('events', () => {
    const heard: unknown[] = [];
    const listen = (event: unknown): void => void heard.push(event);
    afterEach(() => {
      unsubscribe('pidgate', listen);
      heard.length = 0;
    });

    test('reach onEvent and the diagnostics channel, dated, and nobody can change them for the other', () => {
      subscribe('pidgate', listen);
      const own: IdentityEvent[] = [];
      cause((said) => void own.push(said));
      expect([own, heard]).toEqual([[event], [event]]);
      expect(Object.isFrozen(heard[0])).toBe(true);
    });

    test('reach the channel where there is no onEvent', () => {
      subscribe('pidgate', listen);
      cause();
      expect(heard).toEqual([event]);
    });

    test('are not even made where nobody listens', () => {
      const asked = jest.fn(clock);
      cause(undefined, asked);
      expect(asked).not.toHaveBeenCalled();
    });

    test.each([
      ['throws', throws(new Error('bad listener'))],
      ['rejects', async () => await Promise.reject(new Error('bad listener'))],
    ])('F57 an onEvent that %s changes nothing', async (_, onEvent) => {
      const app = await startAsking({ options: { onEvent } });
      expect((await app.browser().post(`${app.url}/identity/start`)).status).toBe(303);
    });
  });
});

describe('start', () => {
  const input: StartInput = {
    question: { name: 'default', issuer: 'xx-test', reveal: ['given_name'], derived: { nationality: 'DE' } },
    origin,
    sameDevice: true,
    ways: [],
  };

  /** A session that notes what it is to remember. */
  function noting(session = someSession) {
    const told: unknown[] = [];
    const add: typeof session = async (entry) => {
      told.push(entry);
      return await session(entry);
    };
    return { told, add };
  }

  describe('a start', () => {
    test('the service is sent what is asked and the state, the session what the person is doing', async () => {
      const sent: unknown[] = [];
      const service = serviceThat(async (request) => {
        sent.push(request);
        return await Promise.resolve({ redirectUrl: 'https://wallet.example/' });
      });
      const app = openProcess(world(), { service });
      const { told, add } = noting();
      const end = await app.tryStart({ ...input, returnTo: '/club' }, add);
      const state = expect.stringMatching(/^[\w-]{43}$/);
      const { name: question, ...asked } = input.question;
      expect(sent).toEqual([{ ...asked, state, sameDevice: true, origin }]);
      expect(told).toEqual([{ id: end.own?.id, question, until: expect.any(Number), returnTo: '/club' }]);
      const own = { id: expect.any(String), question, returnTo: '/club' };
      expect(end).toEqual({ transition: 'started', location: 'https://wallet.example/', own });
      const { id = '' } = end.own ?? {};
      expect(app.events).toEqual([
        { type: 'flow.started', flow: id, supportCode: supportCodeOf(id), question },
      ]);
    });

    const away = new IdentityError('service_timeout');
    test.each([
      ['the service', 'service_timeout', 1],
      ['the session', 'service_timeout', 0],
      ['the limit', 'busy', 0],
    ])('%s does not take it: no record is left, and the app hears of it', async (what, code, asked) => {
      const store = memoryStore();
      const { shared, written } = watched({ ...world(), store });
      const sent: string[] = [];
      const service = serviceThat(async ({ state }) => {
        sent.push(state);
        return await Promise.reject(away);
      });
      const app = openProcess(shared, {
        service,
        hooks: { onError: () => ({ redirectTo: '/sorry' }) },
        ...(what === 'the limit' && { concurrentStarts: 0 }),
      });
      const session = what === 'the session' ? async () => await Promise.reject(away) : someSession;
      expect(await app.tryStart({ ...input, returnTo: '/club' }, session)).toMatchObject({
        transition: 'start_failed',
        error: { code },
        location: '/sorry',
        own: { question: 'default', returnTo: '/club' },
      });
      for (const { id } of written) expect(await store.read(id)).toBeUndefined();
      expect(sent).toHaveLength(asked);
      for (const state of sent) expect((await app.deliver(state)).transition).toBe('closed');
      expect(app.ran).toEqual([`onError ${code}`]);
      expect(app.events[0]).toMatchObject({ type: 'start.failed', question: 'default', code });
    });

    test('one beyond the limit is refused before anything is written for it, though no call has begun', async () => {
      const { shared, written } = watched();
      const app = openProcess(shared, { concurrentStarts: 1 });
      const { told, add } = noting();
      const [first, second] = await Promise.all([app.tryStart(input, add), app.tryStart(input, add)]);
      expect(first.transition).toBe('started');
      expect(second).toMatchObject({ transition: 'start_failed', error: { code: 'busy' } });
      expect([told.length, written.length]).toEqual([1, 1]);
    });
  });
});

describe('callback', () => {
  /** A store of which one call, counted from when it is armed, fails: before it has happened, or after. */
  function failingAt() {
    let [calls, at, after] = [0, 0, false];
    const shared = worldAround(async (_call, work) => {
      calls += 1;
      if (calls !== at) return await work();
      if (after) await work();
      throw Object.assign(new Error('secret of the store'), { code: 'ECONNRESET' });
    });
    const arm = (call: number, late: boolean): void => void ([calls, at, after] = [0, call, late]);
    return { ...shared, arm, count: () => calls };
  }

  describe.each(bothForms)("F34 the store goes away, confirm '%s'", (confirm) => {
    const calls = ['the read', 'the claim', 'the write after the hooks'];
    const cases = calls.flatMap((name, index) => [
      { name, call: index + 1, late: false },
      { name, call: index + 1, late: true },
    ]);

    async function open() {
      const shared = failingAt();
      const receipts = new Set<string>();
      const note = ({ result }: { result: { receipt: { id: string } } }): void =>
        void receipts.add(result.receipt.id);
      const app = openProcess(shared, {
        confirm,
        hooks: { [hookOf(confirm)]: note },
        hookTimeout: 20,
      });
      return { shared, receipts, app, ...(await app.start()) };
    }

    test.each(cases)('F34 at $name (it happened: $late): 503, then a redelivery', async ({ call, late }) => {
      const { shared, receipts, app, state } = await open();
      shared.arm(call, late);
      // The service hears that it should come again: what failed is named, nothing of what was written.
      await expect(app.deliver(state)).rejects.toMatchObject({
        code: 'store_unavailable',
        status: 503,
        message: 'The flow store failed (ECONNRESET).',
      });
      shared.arm(0, false);
      shared.clock.forward(60_000); // no lease lasts longer
      const again = await app.deliver(state);
      expect(await app.statusOf(state)).toBe(confirm === 'return' ? 'verified' : 'confirmed');
      expect(addressOf(await app.deliver(state))).toBe(addressOf(again));
      expect(receipts.size).toBe(1);
    });

    test('F34 a delivery makes no other calls of the store than those', async () => {
      const { shared, app, state } = await open();
      shared.arm(0, false);
      await app.deliver(state);
      expect(shared.count()).toBe(calls.length);
    });
  });

  describe('a callback', () => {
    test('a flow of another origin is answered under its own, and closed under the shared one', async () => {
      const app = openProcess(world(), { hooks: { onVerified: () => ({ refuse: 'no' }) } });
      const { state } = await app.start({ origin: 'https://other.example' });
      const address = async (presentation: string) => addressOf(await app.deliver(state, { presentation }));
      expect(await address('junk')).toMatch(/^https:\/\/other\.example\//);
      expect(await address('good')).toMatch(/^https:\/\/other\.example\/.*refused&flow=/);
      expect(await address('good 2')).toMatch(/^https:\/\/app\.example\//);
      expect(app.events.at(-1)).toMatchObject({ type: 'callback.unknown', question: 'default' });
    });

    test('no verdict: nothing is written, and no hook runs', async () => {
      const { shared, written } = watched();
      const { app, state } = await started({ hooks: { onError: () => undefined } }, shared);
      const before = written.length;
      for (let index = 0; index < 7; index += 1) {
        expect(await app.deliver(state, { presentation: 'away' })).toEqual({
          transition: 'no_verdict',
          location: expect.stringContaining(`${origin}/identity/return?error=keys_unavailable&flow=`),
        });
      }
      expect(written).toHaveLength(before);
      expect(app.ran).toEqual([]);
      expect(app.judged).toHaveLength(7);
    });

    test('the description is a part of the body: another one is another body', async () => {
      const { app, state } = await started();
      const bodies = [
        { error: 'e' },
        { error: 'e', error_description: 'd' },
        { error: 'e', error_description: 'd' },
      ];
      const ends: string[] = [];
      for (const body of bodies) ends.push((await app.deliver(state, body)).transition);
      expect(ends).toEqual(['body_refused', 'body_refused', 'body_known']);
    });

    test('where onError would send the browser is no matter here: the page follows from the code', async () => {
      const { app, state } = await started({
        hooks: { onError: ({ error }) => (error.serviceCode === 'b' ? { redirectTo: '/b' } : undefined) },
      });
      for (const error of ['a', 'b', 'c']) await app.deliver(state, { error });
      const again = await Promise.all(
        ['a', 'b', 'c'].map(async (error) => await app.deliver(state, { error })),
      );
      const general = expect.stringContaining(`${origin}/identity/return?error=service_error&flow=`);
      expect(again.map(addressOf)).toEqual([general, general, general]);
      expect(app.ran).toHaveLength(3); // none of them is told again
    });

    test('the same bad body twice at once: the same answer, told once', async () => {
      const shared = world();
      const hooks = { onError: () => undefined };
      const [one, two] = [openProcess(shared, { hooks }), openProcess(shared, { hooks })];
      const { state } = await one.start();
      const junk = { presentation: 'junk' };
      const deliveries = await Promise.all([one.deliver(state, junk), two.deliver(state, junk)]);
      expect(deliveries.map(({ transition }) => transition).toSorted()).toEqual([
        'body_known',
        'body_refused',
      ]);
      expect([...one.ran, ...two.ran]).toEqual(['onError presentation_invalid']);
    });

    test('the record decides the deadline, also where the store keeps it longer', async () => {
      const shared = world((clock) => {
        const inner = memoryStore({ clock });
        const create: FlowStore['create'] = async (id, value, ttl) =>
          await inner.create(id, value, ttl * 100);
        const replace: FlowStore['replace'] = async (id, at, value, ttl) =>
          await inner.replace(id, at, value, ttl * 100);
        return { ...inner, create, replace };
      });
      const app = openProcess(shared);
      const [{ state: early }, { state: late }] = [await app.start(), await app.start()];
      shared.clock.forward(599_999);
      expect((await app.deliver(early)).transition).toBe('verified');
      shared.clock.forward(1);
      expect((await app.deliver(late)).transition).toBe('closed');
      shared.clock.forward(119_998);
      expect(await app.statusOf(early)).toBe('verified'); // two minutes for the way back
      shared.clock.forward(1);
      expect((await app.deliver(early)).transition).toBe('closed');
    });

    test('no write moves the deadline but verified, and that one only where it is near', async () => {
      const { app, shared, state } = await started({ hooks: { onVerified: () => undefined } });
      const { state: refused } = await app.start();
      shared.clock.forward(60_000);
      await app.deliver(refused, { presentation: 'junk' });
      await app.deliver(state);
      shared.clock.forward(539_999);
      expect([await app.statusOf(refused), await app.statusOf(state)]).toEqual(['pending', 'verified']);
      shared.clock.forward(1);
      expect([await app.statusOf(refused), await app.statusOf(state)]).toEqual(['expired', 'expired']);
    });
  });
});
