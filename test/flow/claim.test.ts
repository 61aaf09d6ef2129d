import { describe, expect, test } from '@jest/globals';
import { claimSession } from '../../lib/flow/claim.js';
import { claimId } from '../../lib/flow/secrets.js';
import type { FlowStore } from '../../lib/contracts/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { turns } from '../support/callbacks.js';
import { openProcess, world } from './flow-kit.js';

const busy = { code: 'busy', status: 503 };
const id = claimId('a session', '/identity');

describe('claimSession', () => {
  test('of two releases out of one session, in any two processes, the second waits for the first', async () => {
    const shared = world();
    const [one, two] = [openProcess(shared).deps, openProcess(shared).deps];
    const giveBack = await claimSession(one, 'a session');
    let came = false;
    const second = claimSession(two, 'a session').finally(() => {
      came = true;
    });
    while (!two.waiting.has(id)) await turns(1);
    expect(came).toBe(false);
    await giveBack();
    await (
      await second
    )();
    expect(two.waiting.size).toBe(0);
    expect(await shared.store.read(id)).toBeUndefined();
  });

  test('the second waits for as long as one hook may take, and then it is busy', async () => {
    const shared = world();
    await claimSession(openProcess(shared).deps, 'a session');
    const { deps } = openProcess(shared, { hookTimeout: 30 });
    const second = claimSession(deps, 'a session');
    while (!deps.waiting.has(id)) await turns(1);
    await expect(claimSession(deps, 'a session')).rejects.toMatchObject(busy); // only one waits in a process
    await expect(second).rejects.toMatchObject(busy);
    expect(deps.waiting.size).toBe(0);
  });

  test('a claim of a process that died expires, and not before all that a return may do has had its time', async () => {
    const shared = world();
    await claimSession(openProcess(shared, { hookTimeout: 1_000 }).deps, 'a session');
    const { deps } = openProcess(shared, { hookTimeout: 15 });
    shared.clock.forward(5 * 1_000 + 10_000 - 1);
    await expect(claimSession(deps, 'a session')).rejects.toMatchObject(busy);
    shared.clock.forward(1);
    await (
      await claimSession(deps, 'a session')
    )();
  });

  test('another session, and another factory on the same store, do not wait', async () => {
    const shared = world();
    const { deps } = openProcess(shared, { hookTimeout: 15 });
    const other = openProcess(shared, { hookTimeout: 15, path: '/age' }).deps;
    const giveBack = await Promise.all([
      claimSession(deps, 'a session'),
      claimSession(deps, 'another session'),
      claimSession(other, 'a session'),
    ]);
    expect(giveBack).toHaveLength(3);
  });

  test('the store learns nothing of the session', async () => {
    const given: unknown[] = [];
    const shared = world((clock) => {
      const inner = memoryStore({ clock });
      const create: FlowStore['create'] = async (...args) => {
        given.push(args);
        return await inner.create(...args);
      };
      return { ...inner, create };
    });
    await claimSession(openProcess(shared).deps, 'a session');
    expect(given).toHaveLength(1);
    expect(JSON.stringify(given)).not.toContain('a session');
  });

  test('a store that is away: no claim; and one that goes away while it is held lets it expire', async () => {
    const shared = world();
    const { deps } = openProcess(shared);
    const down = async (): Promise<never> => await Promise.reject(new Error('away'));
    const giveBack = await claimSession(deps, 'a session');
    Object.assign(shared.store, { create: down, delete: down });
    await expect(claimSession(deps, 'a session')).rejects.toMatchObject({ code: 'store_unavailable' });
    await giveBack();
    expect(await shared.store.read(id)).toBeDefined();
  });
});
