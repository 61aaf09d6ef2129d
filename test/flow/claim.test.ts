import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import { claimId } from '../../lib/flow/secrets.js';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { gate, turns } from '../support/callbacks.js';
import { type World, world, worldAround } from './flow-kit.js';
import { comeBack, waitingFlow } from './returning.js';

const id = claimId('a session');

/** A return that holds the claim of its session until it is let go. */
async function holding(shared: World) {
  const hook = gate();
  const flow = await waitingFlow({ shared, hooks: { onSuccess: () => hook.opened } });
  const returning = comeBack(flow);
  while (!flow.ran.includes('onSuccess')) await turns(1);
  const letGo = async () => {
    hook.open();
    return await returning;
  };
  return { ...flow, letGo };
}

const valueOf = async ({ store }: World): Promise<string | undefined> => (await store.read(id))?.value;

/** Without a hook of its own, and first looking for its session where it had to wait for that. */
const released = ['regenerate', 'keep', 'save'];
const releasedAfterWait = ['isStored', ...released];

describe('F65 the claim of a session', () => {
  test('F65 of two flows, in any two processes and factories, the second waits for the first', async () => {
    const shared = world();
    const first = await holding(shared);
    const second = await waitingFlow({ shared, path: '/age' });
    const returning = comeBack(second);
    while (!second.deps.waiting.has(id)) await turns(1);
    expect([first.ran, second.ran]).toEqual([['regenerate', 'onSuccess'], []]);
    expect((await first.letGo()).transition).toBe('confirmed');
    expect((await returning).transition).toBe('confirmed');
    expect([second.ran, second.deps.waiting.size]).toEqual([releasedAfterWait, 0]);
    expect(await valueOf(shared)).toBe('claim.free');
  });

  test('F65 the second waits for as long as one hook may take, one in a process, and then it is busy', async () => {
    const shared = world();
    const first = await holding(shared);
    const second = await waitingFlow({ shared, hookTimeout: 30 });
    const third = await waitingFlow({ shared, hookTimeout: 30, waiting: second.deps.waiting });
    const returning = comeBack(second);
    while (!second.deps.waiting.has(id)) await turns(1);
    for (const one of [comeBack(third), returning]) {
      const error = { code: 'busy', message: expect.stringContaining('its hook has not ended') };
      expect(await one).toMatchObject({ transition: 'return_lease_held', error });
    }
    expect(second.deps.waiting.size).toBe(0);
    for (const { ran, events, stored } of [second, third]) {
      expect([ran, events, JSON.stringify(await stored()).includes('"lease"')]).toEqual([[], [], false]);
    }
    await first.letGo();
  });

  test('F65 an earlier holder of the same flow has lost it: it is taken over, and that one gives nothing back', async () => {
    const clock = () => new Date(0); // a store that lets go of nothing
    const shared = { ...world(), store: memoryStore({ clock }) };
    const lost = await holding(shared);
    const before = await valueOf(shared);
    shared.clock.forward(4 * 1_000 + 10_000);
    const save = gate();
    lost.mocks.save.mockImplementationOnce(async () => {
      await save.opened;
      return 'saved';
    });
    lost.ran.length = 0;
    const again = comeBack({ ...lost, flow: (await waitingFlow({ shared })).flow });
    while (!lost.ran.includes('save')) await turns(1);
    const value = await valueOf(shared);
    expect([value?.startsWith(`claim.${lost.id}.`), value === before]).toEqual([true, false]);
    await lost.letGo();
    expect(await valueOf(shared)).toBe(value);
    save.open();
    expect((await again).transition).toBe('confirmed');
    expect(lost.ran).not.toContain('isStored'); // it did not wait
    expect(await valueOf(shared)).toBe('claim.free');
  });

  test("F65 the claim of a process that died lives as long as its flow's lease, and no longer", async () => {
    const shared = world();
    const died = await holding(shared);
    const living = await waitingFlow({ shared, hookTimeout: 15 });
    shared.clock.forward(4 * 1_000 + 10_000 - 1);
    expect((await comeBack(living)).transition).toBe('return_lease_held');
    shared.clock.forward(1);
    expect((await comeBack(living)).transition).toBe('confirmed');
    expect(living.ran).toEqual(released);
    await died.letGo();
  });

  test('F65 a claim that ends between the refusal and the look at it is waited for, and free then', async () => {
    const shared = world();
    const first = await holding(shared);
    const second = await waitingFlow({ shared });
    const read = shared.store.read.bind(shared.store);
    const ends: FlowStore['read'] = async (name) => {
      if (name !== id) return await read(name);
      Object.assign(shared.store, { read });
      await shared.store.delete(id);
      return undefined;
    };
    Object.assign(shared.store, { read: ends });
    expect((await comeBack(second)).transition).toBe('confirmed');
    expect(second.ran).toEqual(releasedAfterWait);
    await first.letGo();
  });

  test('F65 a claim that somebody else takes over first is waited for', async () => {
    const shared = world();
    await comeBack(await waitingFlow({ shared }));
    const flow = await waitingFlow({ shared });
    const replace = shared.store.replace.bind(shared.store);
    const loses: FlowStore['replace'] = async (name, ...args) => {
      if (name !== id) return await replace(name, ...args);
      Object.assign(shared.store, { replace });
      return false;
    };
    Object.assign(shared.store, { replace: loses });
    expect((await comeBack(flow)).transition).toBe('confirmed');
    expect(flow.ran).toEqual(releasedAfterWait);
  });

  test('F65 another session does not wait', async () => {
    const shared = world();
    const first = await holding(shared);
    const { input, ...other } = await waitingFlow({ shared });
    await comeBack({ ...other, input: { ...input, sessionId: 'another session' } });
    expect(other.ran).toEqual(released);
    await first.letGo();
  });

  test('F65 the store learns nothing of the session, and a claim is never deleted', async () => {
    const created: unknown[] = [];
    const shared = worldAround(async (call, work, args) => {
      if (call === 'create') created.push(args);
      if (call === 'delete') throw new Error('deleted');
      return await work();
    });
    await comeBack(await waitingFlow({ shared }));
    expect([created.length, JSON.stringify(created).includes('a session')]).toEqual([2, false]);
    expect(await valueOf(shared)).toBe('claim.free');
    shared.clock.forward(1);
    expect(await valueOf(shared)).toBeUndefined();
  });

  test('F65 a store that is away: no release begins; one that goes away while it is held lets it expire', async () => {
    const shared = world();
    const flow = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    const whole = { ...shared.store };
    const down = async (): Promise<never> => await Promise.reject(new Error('away'));
    Object.assign(shared.store, { create: down });
    await expect(comeBack(flow)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect([flow.ran, JSON.stringify(await flow.stored()).includes('"lease"')]).toEqual([[], false]);
    Object.assign(shared.store, whole);
    flow.mocks.save.mockImplementationOnce(async () => {
      Object.assign(shared.store, { replace: down });
      return await Promise.resolve('saved');
    });
    expect((await comeBack(flow)).transition).toBe('confirmed');
    Object.assign(shared.store, whole);
    expect(await valueOf(shared)).toMatch(/^claim\.[\w-]{43}\./);
  });

  test('F65 a store that is full stops no return of somebody who is verified', async () => {
    const shared = world();
    const flow = await waitingFlow({ shared });
    Object.assign(shared.store, {
      create: async () => await Promise.reject(new IdentityError('store_full')),
    });
    expect(await comeBack(flow)).toMatchObject({ transition: 'confirmed' });
    expect([flow.ran, await flow.status()]).toEqual([released, 'confirmed']);
  });

  test('F65 a session that ended while its return waited: no hook runs, and the browser is sent on', async () => {
    const shared = world();
    const first = await holding(shared);
    const second = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    second.mocks.isStored.mockResolvedValue(false);
    const returning = comeBack(second);
    while (!second.deps.waiting.has(id)) await turns(1);
    await first.letGo();
    expect(await returning).toEqual({ transition: 'session_left' });
    expect([second.ran, await second.status(), await valueOf(shared)]).toEqual([
      ['isStored', 'rollback'],
      'verified',
      'claim.free',
    ]);
  });
});
