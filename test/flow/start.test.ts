import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import { limitConcurrency } from '../../lib/flow/concurrency-limit.js';
import { type FlowEntry, type StartInput, StartFailed, startFlow } from '../../lib/flow/start.js';
import { openProcess, origin, world } from './flow-kit.js';

const input: StartInput = {
  plan: { name: 'default', issuer: 'xx-test', reveal: ['given_name'], derived: { nationality: 'DE' } },
  origin,
  sameDevice: true,
};
const entries = (): [FlowEntry[], (entry: FlowEntry) => Promise<void>] => {
  const added: FlowEntry[] = [];
  return [added, async (entry) => await Promise.resolve(void added.push(entry))];
};

describe('startFlow', () => {
  test.each([
    ['derived', { derived: { nationality: 'DE' } }],
    ['base', {}],
  ] as const)(
    'the %s interface is asked for what the request names, under a new state',
    async (variant, more) => {
      const asked: unknown[] = [];
      const prove = async (given: unknown) => {
        asked.push(given);
        return await Promise.resolve({ redirectUrl: 'https://wallet.example/x' });
      };
      const { deps } = openProcess(world(), { variant, client: { prove } });
      const [added, add] = entries();
      const started = await startFlow(deps, input, add);
      const [{ id, state } = { id: '', state: '' }] = added;
      expect(asked).toEqual([
        { issuer: 'xx-test', revealed: ['given_name'], state, same_device: true, ...more },
      ]);
      const expiresAt = deps.clock().getTime() + 600_000;
      expect(started).toEqual({ flowId: id, redirectUrl: 'https://wallet.example/x', expiresAt });
      expect(added).toEqual([{ id, state, request: 'default', expiresAt }]);
    },
  );

  test('the record has what the start knows, and what was asked under one digest', async () => {
    const app = openProcess(world(), { questionOf: ({ name }) => `the question of ${name}` });
    const [added, add] = entries();
    const more = { returnTo: '/club', subject: 'digest-of-a', context: { order: 7 } };
    await startFlow(app.deps, { ...input, ...more }, add);
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
      const client = { prove: async () => await Promise.reject(away) };
      const app = openProcess(world(), {
        hooks: { onError: () => ({ redirectTo: '/sorry' }) },
        ...(what === 'the service' && { client }),
        ...(what === 'the limit' && { proving: limitConcurrency(0) }),
      });
      const [added, add] = entries();
      const adding = what === 'the session' ? async () => await Promise.reject(away) : add;
      const failed = await startFlow(app.deps, { ...input, returnTo: '/club' }, adding).catch(
        (error: unknown) => error,
      );
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

  test('of the starts that failed the last thousand are known', async () => {
    const client = { prove: async () => await Promise.reject(away) };
    const { deps } = openProcess(world(), { client });
    const [added, add] = entries();
    for (let made = 0; made <= 1_000; made += 1) {
      await expect(startFlow(deps, input, add)).rejects.toBeInstanceOf(StartFailed);
    }
    expect([...deps.failedStarts]).toEqual(added.slice(1).map(({ id }) => id));
  });

  test('a mistake of our own is not called a failed start', async () => {
    const bug = new TypeError('a bug');
    const app = openProcess(world(), { hooks: { onError: () => undefined } });
    const adding = async () => await Promise.reject(bug);
    await expect(startFlow(app.deps, input, adding)).rejects.toBe(bug);
    expect(app.ran).toEqual([]);
  });
});
