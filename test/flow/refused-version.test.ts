import { describe, expect, test } from '@jest/globals';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { driveReturn, openProcess, type World, world } from './flow-kit.js';
import { comeBack, waitingFlow } from './returning.js';

/** Far more than a loop may ask; one that goes on for ever must end in a failure, and not in a hang. */
const tooMany = 50;

/**
 * A store written by somebody else that refuses the very version it shows, from when it is told to. All that it
 * says is there at once, so that a loop over it would never let the event loop turn.
 */
function refusing() {
  let [refuses, asked] = [false, 0];
  const shared: World = world((clock) => {
    const inner = memoryStore({ clock });
    const store: FlowStore = {
      ...inner,
      read: async (id) => await inner.read(id),
      replace: async (...args) => {
        if (!refuses) return await inner.replace(...args);
        asked += 1;
        if (asked > tooMany) throw new Error('asked for ever');
        return false;
      },
    };
    return store;
  });
  const refuse = (): void => {
    refuses = true;
  };
  return { shared, refuse, asked: () => asked };
}

const unavailable = { code: 'store_unavailable', message: expect.stringContaining('the very version') };

describe('F50 a store that refuses the version that it shows is unavailable, and nobody asks it for ever', () => {
  test('F50 a callback without a hook', async () => {
    const { shared, refuse, asked } = refusing();
    const app = openProcess(shared);
    const state = await app.start();
    refuse();
    await expect(app.deliver(state)).rejects.toMatchObject(unavailable);
    expect([asked(), app.judged.length]).toEqual([1, 1]);
  });

  test('F50 a callback that would take the lease: its hook does not run', async () => {
    const { shared, refuse, asked } = refusing();
    const app = openProcess(shared, { hooks: { onVerified: () => undefined } });
    const state = await app.start();
    refuse();
    await expect(app.deliver(state)).rejects.toMatchObject(unavailable);
    expect([asked(), app.ran]).toEqual([1, []]);
  });

  test('F50 a callback that would remember a bad body: the app is not told', async () => {
    const { shared, refuse, asked } = refusing();
    const app = openProcess(shared, { hooks: { onError: () => undefined } });
    const state = await app.start();
    refuse();
    await expect(app.deliver(state, { presentation: 'junk' })).rejects.toMatchObject(unavailable);
    expect([asked(), app.ran]).toEqual([1, []]);
  });

  test.each(['onVerified', 'onError'] as const)('F50 the write after %s, which runs once', async (name) => {
    const { shared, refuse, asked } = refusing();
    const hook = (): { redirectTo: string } => {
      refuse();
      return { redirectTo: '/elsewhere' };
    };
    const app = openProcess(shared, { hooks: { [name]: hook } });
    const state = await app.start();
    const presentation = name === 'onVerified' ? 'good' : 'junk';
    await expect(app.deliver(state, { presentation })).rejects.toMatchObject(unavailable);
    expect([asked(), app.ran.length]).toEqual([1, 1]);
  });

  test('F50 a return that would take the lease: nothing of the app runs', async () => {
    const { shared, refuse, asked } = refusing();
    const it = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    refuse();
    await expect(driveReturn(it.flow, it.input, it.session)).rejects.toMatchObject(unavailable);
    expect([asked(), it.ran]).toEqual([1, []]);
  });

  test('F50 the write after a release: it is told once, and the session that has it is left alone', async () => {
    const { shared, refuse, asked } = refusing();
    const it = await waitingFlow({ shared, hooks: { onSuccess: refuse } });
    expect((await comeBack(it)).transition).toBe('confirmed');
    expect([asked(), it.ran]).toEqual([2, ['regenerate', 'onSuccess', 'keep', 'save']]); // the claim is not given back either
    expect(it.events.at(-1)).toMatchObject({ type: 'return.refused', code: 'store_unavailable' });
  });

  test('F50 the write that gives a lease back after a hook that failed', async () => {
    const { shared, refuse, asked } = refusing();
    const onSuccess = (): never => {
      refuse();
      throw new Error('failed');
    };
    const it = await waitingFlow({ shared, hooks: { onSuccess } });
    await expect(driveReturn(it.flow, it.input, it.session)).rejects.toMatchObject(unavailable);
    expect([asked(), it.ran]).toEqual([2, ['regenerate', 'onSuccess', 'rollback']]); // the claim is not given back either
  });

  test('F50 the revocation of a code that turned up elsewhere: nobody is told that it is revoked', async () => {
    const { shared, refuse, asked } = refusing();
    const it = await waitingFlow({ shared });
    refuse();
    const code = { id: it.id, secret: it.input.secret };
    await expect(it.flow.revokeCode(code)).rejects.toMatchObject(unavailable);
    expect([asked(), it.ran, it.events]).toEqual([1, [], []]);
  });
});
