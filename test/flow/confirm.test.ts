import { describe, expect, test } from '@jest/globals';
import { createDeps } from '../../lib/flow/context.js';
import { createFlow } from '../../lib/flow/flow.js';
import { revokedMarker } from '../../lib/flow/record.js';
import { seal, resultKey } from '../../lib/flow/secrets.js';
import { gate, turns } from '../support/callbacks.js';
import { othersWriteBefore } from '../support/stores.js';
import { flowSettings, origin, world, worldAround } from './flow-kit.js';
import { comeBack, waitingFlow } from './returning.js';

const half = 'A'.repeat(43);

test.each([
  [`${half}.${half}`, { id: half, secret: half }],
  [`${half}.${half}.${half}`, undefined],
  [half, undefined],
  [`A${half}.${half}`, undefined],
  [`${half}.`, undefined],
  [`${half}.${'A'.repeat(42)}B`, undefined],
  [`${'B'.repeat(43)}.${half}`, undefined],
  [[half, half], undefined],
  [undefined, undefined],
])('the code %j reads as %j', (text, code) => {
  expect(createFlow(flowSettings(world())).readCode(text)).toEqual(code);
});

test('a flow that was revoked, or that nobody knows, has no word of a refusal', async () => {
  const shared = world();
  const settings = flowSettings(shared);
  const { id } = createDeps(settings).records.placeOf(half);
  const flow = createFlow(settings);
  expect(await flow.refusalOf(half)).toBeUndefined();
  await shared.store.create(id, revokedMarker, 600_000);
  expect(await flow.refusalOf(half)).toBeUndefined();
});

describe('a return', () => {
  test('the same address again, in the session that has the result: the same way on, and no store is asked', async () => {
    expect(await createFlow(flowSettings(world())).repeatReturn('flow', `${origin}/by-success`)).toEqual({
      transition: 'return_repeated',
      answer: 'redirect',
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

  test('while another holds the lease one return waits, and a second is told to try again', async () => {
    const hook = gate();
    const it = await waitingFlow({ hooks: { onSuccess: async () => await hook.opened } });
    const first = comeBack(it);
    while (!it.ran.includes('onSuccess')) await turns(1);
    const second = comeBack(it);
    while (!it.deps.waiting.has(it.id)) await turns(1);
    expect(await comeBack(it)).toMatchObject({ transition: 'return_lease_held', error: { code: 'busy' } });
    hook.open();
    expect([(await first).transition, (await second).transition]).toEqual(['confirmed', 'session_left']);
    expect(it.ran).toEqual(['regenerate', 'onSuccess', 'keep', 'save']);
  });

  test.each([
    ['the lease', 1, 4],
    ['the end, after which the claim is given back', 2, 4],
  ])('a lost swap for %s is tried again', async (_what, lost, all) => {
    const { around, count } = othersWriteBefore(lost);
    const shared = worldAround(around);
    const it = await waitingFlow({ shared });
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
    expect([it.ran, await it.status(), count.writes]).toEqual([
      ['regenerate', 'keep', 'save'],
      'confirmed',
      all,
    ]);
  });

  test.each(['pending', 'failed'] as const)('a flow that is %s has nothing for a return', async (status) => {
    const it = await waitingFlow({ record: { status, code: 'of no secret' } });
    const error = { code: 'return_code_invalid' };
    expect(await comeBack(it)).toMatchObject({ transition: 'return_unfit', error });
    expect([it.ran, await it.status()]).toEqual([[], status]);
    expect(it.events).toEqual([{ type: 'return.refused', flow: it.id, code: 'return_code_invalid' }]);
  });

  test('a result that does not open under the right code is a fault of the store, and no hook runs', async () => {
    for (const result of ['AAAA', seal(resultKey('x'), 'x', '{}')]) {
      const it = await waitingFlow({ hooks: { onSuccess: () => undefined }, record: { result } });
      await expect(comeBack(it)).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(it.ran).toEqual([]);
    }
  });

  test('an interrupted return names the fault of the kit, or that of the app with its cause', async () => {
    const it = await waitingFlow();
    const code = { id: it.id, secret: it.input.secret };
    const fault = new Error('own');
    expect(await it.flow.failReturn(code, fault)).toMatchObject({
      transition: 'return_interrupted',
      error: { code: 'hook_failed', cause: fault },
    });
    expect(it.events).toEqual([{ type: 'return.refused', flow: it.id, code: 'hook_failed' }]);
    expect([it.ran, await it.status()]).toEqual([['onError hook_failed'], 'verified']);
  });
});
