import { describe, expect, test } from '@jest/globals';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { bothForms, hookOf } from '../support/callbacks.js';
import { addressOf, openProcess, origin, started, watched, world, worldAround } from './flow-kit.js';

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
    expect(app.events.at(-1)).toMatchObject({ type: 'callback.unknown', request: 'default' });
  });

  test('no verdict: nothing is written, and no hook runs', async () => {
    const { shared, written } = watched();
    const { app, state } = await started({ hooks: { onError: () => undefined } }, shared);
    const before = written.length;
    for (let index = 0; index < 7; index += 1) {
      expect(await app.deliver(state, { presentation: 'away' })).toEqual({
        transition: 'no_verdict',
        redirectUri: expect.stringContaining(`${origin}/identity/return?error=keys_unavailable&flow=`),
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
    expect(deliveries.map(({ transition }) => transition).toSorted()).toEqual(['body_known', 'body_refused']);
    expect([...one.ran, ...two.ran]).toEqual(['onError presentation_invalid']);
  });

  test('the record decides the deadline, also where the store keeps it longer', async () => {
    const shared = world((clock) => {
      const inner = memoryStore({ clock });
      const create: FlowStore['create'] = async (id, value, ttl) => await inner.create(id, value, ttl * 100);
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
