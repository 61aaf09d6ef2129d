import { describe, expect, test } from '@jest/globals';
import { arriveElsewhere, failReturn, repeated } from '../../lib/flow/confirm.js';
import { seal } from '../../lib/flow/encryption.js';
import { newSecret, resultKey } from '../../lib/flow/secrets.js';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { gate, turns } from '../support/callbacks.js';
import { origin, world } from './flow-kit.js';
import { comeBack, waitingFlow } from './returning.js';

describe('confirm', () => {
  test('the same address again, in the session that has the result: the same way on, and no store is asked', async () => {
    expect(await repeated('flow', `${origin}/by-success`)).toEqual({
      transition: 'return_repeated',
      location: `${origin}/by-success`,
    });
  });

  test('the same address again, in a session without a mark of it, leads nowhere: another one may have it', async () => {
    const it = await waitingFlow({ hooks: { onSuccess: () => undefined } });
    await comeBack(it);
    const [before, told] = [it.ran.length, it.events.length];
    expect(await comeBack(it)).toEqual({ transition: 'session_left' });
    expect([it.ran.length, it.events.length, await it.status()]).toEqual([before, told, 'confirmed']);
  });

  test('a crashed holder: its lease runs out, and the next return finishes', async () => {
    const it = await waitingFlow();
    const stored = await it.stored();
    if (stored === undefined || stored === 'burnt') throw new Error('Not there');
    const until = it.clock().getTime() + 20_000;
    await it.deps.records.replace(stored, { ...stored.record, lease: { holder: 'crashed', until } });
    it.clock.forward(20_000);
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
  });

  test('while another holds the lease one return waits, and a second is told to try again', async () => {
    const hook = gate();
    const it = await waitingFlow({ hooks: { onSuccess: async () => await hook.opened } });
    const first = comeBack(it);
    while (!it.ran.includes('onSuccess')) await turns(1);
    const second = comeBack(it);
    while (!it.deps.waiting.has(it.id)) await turns(1);
    expect(await comeBack(it)).toMatchObject({
      transition: 'return_lease_held',
      error: { code: 'busy' },
    });
    hook.open();
    expect([(await first).transition, (await second).transition]).toEqual(['confirmed', 'session_left']);
    expect(it.ran).toEqual(['open', 'onSuccess', 'keep', 'commit']);
  });

  test('a lost swap for the lease is tried again', async () => {
    let lost = 0;
    const shared = world((clock) => {
      const inner = memoryStore({ clock });
      const replace: FlowStore['replace'] = async (id, version, ...args) => {
        lost += 1;
        const read = lost === 1 ? await inner.read(id) : undefined;
        // Another write comes first, once.
        if (read !== undefined) await inner.replace(id, version, read.value, 600_000);
        return await inner.replace(id, version, ...args);
      };
      return { ...inner, replace };
    });
    const it = await waitingFlow({ shared });
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
    expect(it.ran).toEqual(['open', 'keep', 'commit']);
  });

  test('a last write that another one comes before is tried again', async () => {
    let writes = 0;
    const shared = world((clock) => {
      const inner = memoryStore({ clock });
      const replace: FlowStore['replace'] = async (id, version, value, ttl) => {
        writes += 1;
        const read = writes === 2 ? await inner.read(id) : undefined;
        // Another write comes between the lease and the end.
        if (read !== undefined) await inner.replace(id, version, read.value, 600_000);
        return await inner.replace(id, version, value, ttl);
      };
      return { ...inner, replace };
    });
    const it = await waitingFlow({ shared });
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
    expect([await it.status(), writes]).toEqual(['confirmed', 4]); // lease, close twice, claim
  });

  test('elsewhere: the right code burns and tells the app, a wrong one changes nothing', async () => {
    const it = await waitingFlow();
    const wrong = await arriveElsewhere(it.deps, { id: it.id, secret: newSecret() });
    expect(wrong).toMatchObject({ transition: 'return_unfit' });
    expect([it.ran, await it.status()]).toEqual([[], 'verified']);
    const right = await arriveElsewhere(it.deps, { id: it.id, secret: it.visit.secret });
    expect(right).toMatchObject({
      transition: 'return_wrong_browser',
      error: { code: 'return_wrong_browser' },
    });
    expect([it.ran, await it.status()]).toEqual([['onError return_wrong_browser'], 'burnt']);
    expect(it.events).toEqual([
      { type: 'return.refused', code: 'return_code_invalid' }, // whoever brought it does not choose a name for the log
      { type: 'flow.failed', flow: it.id, code: 'return_wrong_browser' },
    ]);
    expect(await comeBack(it)).toMatchObject({ transition: 'return_unfit' });
  });

  test.each(['pending', 'failed'] as const)('a flow that is %s has nothing for a return', async (status) => {
    const it = await waitingFlow({ record: { status, code: 'of no secret' } });
    expect(await comeBack(it)).toMatchObject({
      transition: 'return_unfit',
      error: { code: 'return_code_invalid' },
    });
    expect([it.ran, await it.status()]).toEqual([[], status]);
    expect(it.events).toEqual([{ type: 'return.refused', flow: it.id, code: 'return_code_invalid' }]);
  });

  test('another person than at the start gets nothing; nobody at the start fits anybody', async () => {
    const it = await waitingFlow({ record: { subject: 'digest-of-a' } });
    for (const subject of ['digest-of-b', undefined]) {
      expect(await comeBack({ ...it, visit: { ...it.visit, subject } })).toMatchObject({
        transition: 'subject_changed',
        error: { code: 'subject_changed' },
      });
    }
    expect(it.ran).toEqual(['onError subject_changed', 'onError subject_changed']);
    const told = { type: 'return.refused', flow: it.id, request: 'default', code: 'subject_changed' };
    expect(it.events).toEqual([told, told]);
    const own = { ...it.visit, subject: 'digest-of-a' };
    expect(await comeBack({ ...it, visit: own })).toMatchObject({ transition: 'confirmed' });
    const anybody = await waitingFlow();
    const visit = { ...anybody.visit, subject: 'digest-of-b' };
    expect(await comeBack({ ...anybody, visit })).toMatchObject({ transition: 'confirmed' });
  });

  test('a result that does not open under the right code is a fault of the store, and no hook runs', async () => {
    for (const result of ['AAAA', seal(resultKey('x'), 'x', '{}')]) {
      const it = await waitingFlow({ hooks: { onSuccess: () => undefined }, record: { result } });
      await expect(comeBack(it)).rejects.toMatchObject({
        code: 'store_unavailable',
      });
      expect(it.ran).toEqual([]);
    }
  });

  test('a flow whose deadline has passed while its store still has it is over', async () => {
    const clock = () => new Date(0);
    const it = await waitingFlow({ shared: { ...world(), store: memoryStore({ clock }) } });
    it.clock.forward(600_000);
    expect(await comeBack(it)).toMatchObject({ transition: 'return_unfit' });
    expect(it.ran).toEqual([]);
  });

  test('an interrupted return names the fault of the kit, or that of the app with its cause', async () => {
    const it = await waitingFlow();
    const code = { id: it.id, secret: it.visit.secret };
    const fault = new Error('own');
    expect(await failReturn(it.deps, code, fault)).toMatchObject({
      transition: 'return_interrupted',
      error: { code: 'hook_failed', cause: fault },
    });
    expect(it.events).toEqual([{ type: 'return.refused', flow: it.id, code: 'hook_failed' }]);
    expect([it.ran, await it.status()]).toEqual([['onError hook_failed'], 'verified']);
  });
});
