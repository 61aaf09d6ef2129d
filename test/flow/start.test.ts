import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import { type FlowEntry, type StartInput, StartFailed } from '../../lib/flow/flow.js';
import { limitOf, openProcess, origin, serviceThat, world } from './flow-kit.js';

const input: StartInput = {
  plan: { name: 'default', issuer: 'xx-test', reveal: ['given_name'], derived: { nationality: 'DE' } },
  origin,
  sameDevice: true,
};
const entries = (): [FlowEntry[], (entry: FlowEntry) => Promise<void>] => {
  const added: FlowEntry[] = [];
  return [added, async (entry) => await Promise.resolve(void added.push(entry))];
};

describe('a start', () => {
  test('the record has what the start knows, and what was asked under one digest', async () => {
    const app = openProcess(world(), { questionOf: ({ name }) => `the question of ${name}` });
    const [added, add] = entries();
    const more = { returnTo: '/club', subject: 'digest-of-a', context: { order: 7 } };
    await app.flow.start({ ...input, ...more }, add);
    expect(added).toMatchObject([{ returnTo: '/club' }]);
    expect(await app.recordOf(added[0]?.state ?? '')).toMatchObject({
      ...more,
      status: 'pending',
      question: 'the question of default',
    });
  });

  const away = new IdentityError('service_timeout');
  test.each(['the service', 'the session', 'the limit'])(
    '%s does not take it: no record is left, and the app hears of it',
    async (what) => {
      const service = serviceThat(async () => await Promise.reject(away));
      const app = openProcess(world(), {
        hooks: { onError: () => ({ redirectTo: '/sorry' }) },
        ...(what === 'the service' && { service }),
        ...(what === 'the limit' && { proving: limitOf(0) }),
      });
      const [added, add] = entries();
      const adding = what === 'the session' ? async () => await Promise.reject(away) : add;
      const failed = await app.flow
        .start({ ...input, returnTo: '/club' }, adding)
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(StartFailed);
      const code = what === 'the limit' ? 'busy' : 'service_timeout';
      expect(failed).toMatchObject({
        error: { code },
        redirectTo: '/sorry',
        retry: { request: 'default', returnTo: '/club' },
      });
      for (const { state } of added) await expect(app.recordOf(state)).rejects.toThrow('No record');
      expect(added).toHaveLength(what === 'the service' ? 1 : 0);
      expect(app.ran).toEqual([`onError ${code}`]);
      expect(app.events.map(({ type }) => type)).toEqual(['start.failed']);
    },
  );

  test('one beyond the limit is refused before anything is written for it, though no call has begun', async () => {
    const { flow } = openProcess(world(), { proving: limitOf(1) });
    const [added, add] = entries();
    const [first, second] = await Promise.allSettled([flow.start(input, add), flow.start(input, add)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { error: { code: 'busy' }, inSession: false } });
    expect(added).toHaveLength(1);
  });

  test('of the starts that failed the last thousand are known', async () => {
    const service = serviceThat(async () => await Promise.reject(away));
    const { flow } = openProcess(world(), { service });
    const [added, add] = entries();
    for (let made = 0; made <= 1_000; made += 1) {
      await expect(flow.start(input, add)).rejects.toBeInstanceOf(StartFailed);
    }
    expect(added.map(({ id }) => flow.hasFailed(id))).toEqual([false, ...Array(1_000).fill(true)]);
  });
});
