import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import { gate, turns } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { type Process, addressOf, openProcess, watched, world, worldAround } from './flow-kit.js';
import { leaseMs } from '../../lib/flow/lease.js';

interface WithReceipt {
  readonly result: { readonly receipt: { readonly id: string } };
}

/** A store whose writes can be made to fail, before or after they happen. */
function faulty() {
  let fault: 'fails' | 'answers nothing' | undefined;
  const shared = worldAround(async (call, work) => {
    if (call !== 'replace' || fault === undefined) return await work();
    if (fault === 'answers nothing') await work();
    throw new Error('away');
  });
  return { ...shared, set: (now: typeof fault): void => void (fault = now) };
}

/** Runs until this many hooks have begun. */
const begun = async ({ ran }: Process, hooks = 1): Promise<void> => {
  while (ran.length < hooks) await turns(1);
};

/** Runs until a delivery has seen the flow, and looks at it again: it waits. */
const waits = async (calls: readonly string[]): Promise<void> => {
  while (calls.filter((call) => call === 'read').length < 2) await turns(1);
};

/** A hook may take so long where a test lets it run. */
const minute = 60_000;

/** The leases of all processes here are over, but for those whose hooks may take a minute. */
const leaseOver = leaseMs(5_000);

describe('a holder that dies', () => {
  /** One process dies at the write after its hook; another one gets the redelivery. */
  async function dyingAndLiving(fault: 'fails' | 'answers nothing') {
    const store = faulty();
    const receipts: string[] = [];
    const note = ({ result }: WithReceipt): void => void receipts.push(result.receipt.id);
    const die = (args: WithReceipt): void => {
      note(args);
      store.set(fault);
    };
    const dying = openProcess(store, { hooks: { onVerified: die } });
    const living = openProcess(store, { hooks: { onVerified: note }, hookTimeout: 20 });
    const { state } = await dying.start();
    await expect(dying.deliver(state)).rejects.toMatchObject({ code: 'store_unavailable' });
    store.set(undefined);
    return { living, state, receipts, clock: store.clock };
  }

  test('F33 between hook and write: the lease runs out, a redelivery finishes with the same receipt.id', async () => {
    const { living, state, receipts, clock } = await dyingAndLiving('fails');
    const error = { code: 'busy', status: 503 };
    expect(await living.deliver(state)).toMatchObject({ transition: 'lease_held', error });
    expect(receipts).toHaveLength(1);
    clock.forward(leaseOver);
    expect(await living.deliver(state)).toMatchObject({ transition: 'verified' });
    expect(receipts).toEqual([receipts[0], receipts[0]]);
  });

  test('F34 after a write that nobody confirmed: the redelivery finds the flow verified', async () => {
    const { living, state, receipts } = await dyingAndLiving('answers nothing');
    expect(await living.deliver(state)).toMatchObject({ transition: 'body_known' });
    expect(receipts).toHaveLength(1);
  });

  test('the lease lasts for every hook that may run under it, onError too, and then it ends', async () => {
    const shared = world();
    const hook = gate();
    const slow = 5_000;
    const hooks = { onVerified: () => hook.opened };
    const app = openProcess(shared, { hooks, hookTimeout: slow });
    const other = openProcess(shared, { hookTimeout: 20 });
    const { state } = await app.start();
    const delivery = app.deliver(state);
    await begun(app);
    shared.clock.forward(2 * slow);
    expect((await other.deliver(state)).transition).toBe('lease_held');
    shared.clock.forward(leaseOver);
    const won = await other.deliver(state);
    expect(won.transition).toBe('verified');
    hook.open();
    expect(await delivery).toEqual({ transition: 'body_known', location: addressOf(won) });
  });

  test.each([
    ['in its time: a store that lets go in time has it still', 5_000, true, 'verified', 2],
    ['too late: nothing is written, whatever the store still holds', leaseOver, false, 'closed', 1],
  ])('a hook begins at the deadline and ends %s', async (_when, takes, letsGo, transition, writes) => {
    const clock = testClock();
    const store = memoryStore({ clock: letsGo ? clock : () => new Date(0) });
    const { shared, written } = watched({ clock, store });
    const onVerified = (): void => clock.forward(takes);
    const app = openProcess(shared, { hooks: { onVerified }, hookTimeout: 5_000 });
    const { state } = await app.start();
    clock.forward(599_999);
    written.length = 0;
    expect((await app.deliver(state)).transition).toBe(transition);
    expect(written).toHaveLength(writes);
  });
});

describe('what the store is told of the time', () => {
  test('it may let go of a record at its deadline', async () => {
    const { shared, written } = watched();
    const app = openProcess(shared);
    const { state } = await app.start();
    shared.clock.forward(minute);
    await app.deliver(state, { presentation: 'junk' });
    await app.deliver(state);
    expect(written.map(({ ttl }) => ttl)).toEqual([600_000, 540_000, 540_000]);
  });
});

describe('a lease that was lost', () => {
  test('F118 begins no hook where the process stood still after it took it: that hook might outlast it', async () => {
    let stands = 0;
    const shared = worldAround(async (call, work) => {
      const done = await work();
      if (call === 'replace') shared.clock.forward(stands);
      return done;
    });
    const app = openProcess(shared, { hooks: { onVerified: () => undefined }, hookTimeout: 20 });
    const [early, late] = [await app.start(), await app.start()];
    stands = leaseMs(20) - 2 * 20;
    expect((await app.deliver(early.state)).transition).toBe('verified');
    stands += 1;
    app.ran.length = 0;
    expect((await app.deliver(late.state)).transition).toBe('lease_held');
    expect(app.ran).toEqual([]);
    stands = 0;
    shared.clock.forward(leaseMs(20));
    expect((await app.deliver(late.state)).transition).toBe('verified');
    expect(app.ran).toEqual(['onVerified']);
  });

  test.each(['done', 'failed', 'refused'] as const)(
    'cannot write: a hook that comes too late (%s) gets what the other holder left',
    async (end) => {
      const { shared, written } = watched();
      const hook = gate();
      const slow = openProcess(shared, {
        hookTimeout: minute,
        hooks: {
          onVerified: async () => {
            await hook.opened;
            if (end === 'failed') throw new Error('too late');
            return end === 'refused' ? { refuse: 'too_late' } : { redirectTo: '/too-late' };
          },
          onError: () => undefined,
        },
      });
      const other = openProcess(shared, { hooks: { onVerified: () => undefined } });
      const { state } = await slow.start();
      const late = slow.deliver(state);
      await begun(slow);
      shared.clock.forward(leaseMs(minute));
      const won = await other.deliver(state);
      const before = written.length;
      hook.open();
      expect(won).toMatchObject({ transition: 'verified' });
      expect(await late).toEqual({ transition: 'body_known', location: addressOf(won) });
      expect(written).toHaveLength(before);
      expect(await other.statusOf(state)).toBe('verified');
    },
  );

  test('hooks never overlap, whoever delivers: twelve deliveries in three processes', async () => {
    const shared = world();
    let [running, most, runs] = [0, 0, 0];
    const onVerified = async (): Promise<void> => {
      running += 1;
      runs += 1;
      most = Math.max(most, running);
      await turns(5);
      running -= 1;
      if (runs < 3) throw new Error('not yet');
    };
    const processes = [1, 2, 3].map(() => openProcess(shared, { hooks: { onVerified } }));
    const { state = '' } = (await processes[0]?.start()) ?? {};
    const twelve = Array.from({ length: 12 }, async (_, index) => await processes[index % 3]?.deliver(state));
    await Promise.all(twelve);
    for (let tries = 0; tries < 10 && runs < 3; tries += 1) await processes[0]?.deliver(state);
    const [one, two, three] = await Promise.all(processes.map(async (it) => await it.deliver(state)));
    expect([most, runs]).toEqual([1, 3]);
    expect(one).toMatchObject({ transition: 'body_known' });
    expect([two, three]).toEqual([one, one]);
  });
});

test('a delivery is judged once, however often it has to try', async () => {
  const hook = gate();
  let runs = 0;
  const { shared, calls } = watched();
  const app = openProcess(shared, {
    hookTimeout: minute,
    hooks: {
      onVerified: async () => {
        runs += 1;
        if (runs > 1) return;
        await hook.opened;
        throw new Error('not yet');
      },
    },
  });
  const { state } = await app.start();
  const deliveries = [app.deliver(state), app.deliver(state)];
  while (calls.filter((call) => call === 'read').length < 3) await turns(1); // the one that lost the lease waits
  hook.open();
  const transitions = (await Promise.all(deliveries)).map(({ transition }) => transition);
  expect(transitions.toSorted()).toEqual(['callback_hook_failed', 'verified']);
  expect([runs, app.judged.length]).toEqual([2, 2]);
});

describe('writing under a lease', () => {
  test.each(['deleted', 'expired'] as const)(
    'a flow that is %s while its hook runs stays so, and the delivery hears that it is over',
    async (end) => {
      const shared = world();
      const app = openProcess(shared, {
        hooks: {
          onVerified: async () => {
            if (end === 'deleted') await shared.store.delete(id);
            if (end === 'expired') shared.clock.forward(600_000);
          },
        },
      });
      const { state, id } = await app.start();
      expect(await app.deliver(state)).toEqual({
        transition: 'closed',
        location: 'https://app.example/identity/return?error=state_unknown',
      });
      expect(await app.statusOf(state)).toBe('expired');
    },
  );
});

describe('waiting for a lease', () => {
  /** A delivery whose hook runs on in one process, and a second one in another, which waits for it. */
  async function waiting() {
    const shared = world();
    const hook = gate();
    const one = openProcess(shared, { hooks: { onVerified: () => hook.opened }, hookTimeout: minute });
    const its = watched(shared);
    const two = openProcess(its.shared, { hookTimeout: minute });
    const { state, id } = await one.start();
    const first = one.deliver(state);
    await begun(one);
    const second = two.deliver(state);
    await waits(its.calls);
    const end = async () => {
      hook.open();
      return await first;
    };
    return { shared, its, two, state, id, second, end };
  }

  test('ends when it runs out', async () => {
    const { second, end, shared } = await waiting();
    shared.clock.forward(leaseMs(minute));
    expect((await second).transition).toBe('verified');
    await end();
  });

  test('ends when the flow is deleted', async () => {
    const { second, end, shared, id } = await waiting();
    await shared.store.delete(id);
    expect((await second).transition).toBe('closed');
    await end();
  });

  test('a store that goes away meanwhile is not waited for, and frees the place', async () => {
    const { two, state, second, end, its, shared } = await waiting();
    const read = shared.store.read.bind(shared.store);
    Object.assign(shared.store, { read: async () => await Promise.reject(new Error('away')) });
    await expect(second).rejects.toMatchObject({ code: 'store_unavailable' });
    Object.assign(shared.store, { read });
    its.calls.length = 0;
    const third = two.deliver(state);
    await waits(its.calls); // there is room for one that waits
    const first = await end();
    expect(await third).toEqual({ transition: 'body_known', location: addressOf(first) });
  });
});
