import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import { claimSession } from '../../lib/flow/session-lock.js';
import type { FlowDeps } from '../../lib/flow/context.js';
import { type LeasedFlow, takeLease } from '../../lib/flow/lease.js';
import { hooksOfRelease } from '../../lib/flow/release.js';
import { claimId } from '../../lib/flow/secrets.js';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { turns } from '../support/callbacks.js';
import { openProcess, world, type World } from './flow-kit.js';
import { comeBack, waitingFlow } from './returning.js';

const id = claimId('a session');

/** A process, and flows of it that it has the lease of. */
function opened(shared: World, setup: Parameters<typeof openProcess>[1] = {}) {
  const { deps, ...app } = openProcess(shared, setup);
  const leased = async (): Promise<LeasedFlow> => {
    const flow = await takeLease(deps, await app.stored(await app.start()), hooksOfRelease);
    if (flow === undefined) throw new Error('No lease');
    return flow;
  };
  return { deps, leased };
}

const claimed = async (deps: FlowDeps, flow: LeasedFlow) => {
  const claim = await claimSession(deps, 'a session', flow);
  if (claim === undefined) throw new Error('Busy');
  return claim;
};

const valueOf = async ({ store }: World): Promise<string | undefined> => (await store.read(id))?.value;

describe('F65 the claim of a session', () => {
  test('F65 of two flows, in any two processes and factories, the second waits for the first', async () => {
    const shared = world();
    const [one, two] = [opened(shared), opened(shared, { path: '/age' })];
    const first = await claimed(one.deps, await one.leased());
    let came = false;
    const second = claimed(two.deps, await two.leased()).finally(() => {
      came = true;
    });
    while (!two.deps.waiting.has(id)) await turns(1);
    expect([came, first.waited]).toEqual([false, false]);
    await first.giveBack();
    const { waited, giveBack } = await second;
    expect([waited, two.deps.waiting.size]).toEqual([true, 0]);
    await giveBack();
    expect(await valueOf(shared)).toBe('claim.free');
  });

  test('F65 the second waits for as long as one hook may take, and then it is busy', async () => {
    const shared = world();
    const one = opened(shared);
    await claimed(one.deps, await one.leased());
    const { deps, leased } = opened(shared, { hookTimeout: 30 });
    const second = claimSession(deps, 'a session', await leased());
    while (!deps.waiting.has(id)) await turns(1);
    expect(await claimSession(deps, 'a session', await leased())).toBeUndefined(); // one waits in a process
    expect(await second).toBeUndefined();
    expect(deps.waiting.size).toBe(0);
  });

  test('F65 an earlier holder of the same flow has lost it: it is taken over, and that one gives nothing back', async () => {
    const shared = world();
    const { deps, leased } = opened(shared);
    const flow = await leased();
    const lost = await claimed(deps, flow);
    shared.clock.forward(4 * 1_000 + 10_000 - 1);
    const again = await takeLease(deps, flow, hooksOfRelease);
    if (again === undefined) throw new Error('No lease');
    const holds = await claimed(deps, again);
    expect(holds.waited).toBe(false);
    await lost.giveBack();
    expect(await valueOf(shared)).toBe(`claim.${flow.id}.${again.record.lease?.holder}`);
    await holds.giveBack();
    expect(await valueOf(shared)).toBe('claim.free');
  });

  test("F65 the claim of a process that died lives as long as its flow's lease, and no longer", async () => {
    const shared = world();
    const died = opened(shared, { hookTimeout: 1_000 });
    await claimed(died.deps, await died.leased());
    const { deps, leased } = opened(shared, { hookTimeout: 15 });
    shared.clock.forward(4 * 1_000 + 10_000 - 1);
    expect(await claimSession(deps, 'a session', await leased())).toBeUndefined();
    shared.clock.forward(1);
    expect((await claimed(deps, await leased())).waited).toBe(false);
  });

  test('F65 a claim that ends between the refusal and the look at it is waited for, and free then', async () => {
    const shared = world();
    const one = opened(shared);
    await claimed(one.deps, await one.leased());
    const { deps, leased } = opened(shared);
    const flow = await leased();
    const read = shared.store.read.bind(shared.store);
    const ends: FlowStore['read'] = async (name) => {
      if (name !== id) return await read(name);
      Object.assign(shared.store, { read });
      await shared.store.delete(id);
      return undefined;
    };
    Object.assign(shared.store, { read: ends });
    expect((await claimed(deps, flow)).waited).toBe(true);
  });

  test('F65 a claim that somebody else takes over first is waited for', async () => {
    const shared = world();
    const one = opened(shared);
    const first = await claimed(one.deps, await one.leased());
    await first.giveBack();
    const { deps, leased } = opened(shared);
    const flow = await leased();
    const replace = shared.store.replace.bind(shared.store);
    const loses: FlowStore['replace'] = async (name, ...args) => {
      if (name !== id) return await replace(name, ...args);
      Object.assign(shared.store, { replace });
      return false;
    };
    Object.assign(shared.store, { replace: loses });
    expect((await claimed(deps, flow)).waited).toBe(true);
  });

  test('F65 another session does not wait', async () => {
    const shared = world();
    const { deps, leased } = opened(shared);
    await claimed(deps, await leased());
    expect(await claimSession(deps, 'another session', await leased())).toMatchObject({ waited: false });
  });

  test('F65 the store learns nothing of the session, and a claim is never deleted', async () => {
    const given: unknown[] = [];
    const shared = world((clock) => {
      const inner = memoryStore({ clock });
      const create: FlowStore['create'] = async (...args) => {
        given.push(args);
        return await inner.create(...args);
      };
      const stays = async (): Promise<never> => await Promise.reject(new Error('deleted'));
      return { ...inner, create, delete: stays };
    });
    const { deps, leased } = opened(shared);
    const { giveBack } = await claimed(deps, await leased());
    await giveBack();
    expect([given.length, JSON.stringify(given).includes('a session')]).toEqual([2, false]);
    expect(await valueOf(shared)).toBe('claim.free');
    shared.clock.forward(1);
    expect(await valueOf(shared)).toBeUndefined();
  });

  test('F65 a store that is away: no release begins; one that goes away while it is held lets it expire', async () => {
    const shared = world();
    const it = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    const whole = { ...shared.store };
    const down = async (): Promise<never> => await Promise.reject(new Error('away'));
    Object.assign(shared.store, { create: down });
    await expect(comeBack(it)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect([it.ran, JSON.stringify(await it.stored()).includes('"lease"')]).toEqual([[], false]);
    Object.assign(shared.store, whole);
    const { deps, leased } = opened(shared);
    const { giveBack } = await claimed(deps, await leased());
    Object.assign(shared.store, { replace: down });
    await giveBack();
    Object.assign(shared.store, whole);
    expect(await valueOf(shared)).toMatch(/^claim\.[\w-]{43}\./);
  });

  test('F65 a store that is full stops no return of somebody who is verified', async () => {
    const shared = world();
    const it = await waitingFlow({ shared });
    Object.assign(shared.store, {
      create: async () => await Promise.reject(new IdentityError('store_full')),
    });
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
    expect([it.ran, await it.status()]).toEqual([['open', 'keep', 'commit'], 'confirmed']);
  });

  test('F65 a session that ended while its return waited: no hook runs, and the browser is sent on', async () => {
    const shared = world();
    const it = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    const { deps, leased } = opened(shared);
    const other = await claimed(deps, await leased());
    it.mocks.isThere.mockResolvedValue(false);
    const returning = comeBack(it);
    while (!it.deps.waiting.has(id)) await turns(1);
    await other.giveBack();
    expect(await returning).toEqual({ transition: 'session_left' });
    expect([it.ran, await it.status(), await valueOf(shared)]).toEqual([
      ['isThere', 'undo'],
      'verified',
      'claim.free',
    ]);
  });

  test('F65 a return that waited too long is told to come again, and leaves no lease', async () => {
    const shared = world();
    const it = await waitingFlow({ shared, hookTimeout: 15, hooks: { onSuccess: () => undefined } });
    const { deps, leased } = opened(shared);
    await claimed(deps, await leased());
    expect(await comeBack(it)).toMatchObject({ transition: 'return_lease_held', error: { code: 'busy' } });
    expect([it.ran, it.events, JSON.stringify(await it.stored()).includes('"lease"')]).toEqual([
      [],
      [],
      false,
    ]);
  });
});
