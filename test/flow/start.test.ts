import { describe, expect, test } from '@jest/globals';
import { IdentityError, memoryStore } from '../../lib/index.js';
import { type StartInput, StartFailed } from '../../lib/flow/flow.js';
import { openProcess, origin, serviceThat, someSession, watched, world } from './flow-kit.js';

const input: StartInput = {
  question: { name: 'default', issuer: 'xx-test', reveal: ['given_name'], derived: { nationality: 'DE' } },
  origin,
  sameDevice: true,
};

/** A session that notes what it is to remember. */
function noting(session = someSession) {
  const told: unknown[] = [];
  const add: typeof session = async (entry) => {
    told.push(entry);
    return await session(entry);
  };
  return { told, add };
}

describe('a start', () => {
  test('the service is sent what is asked and the state, the session what the person is doing', async () => {
    const sent: unknown[] = [];
    const service = serviceThat(async (request) => {
      sent.push(request);
      return await Promise.resolve({ redirectUrl: 'https://wallet.example/' });
    });
    const app = openProcess(world(), { service });
    const { told, add } = noting();
    const { flowId, redirectUrl } = await app.flow.start({ ...input, returnTo: '/club' }, add);
    const state = expect.stringMatching(/^[\w-]{43}$/);
    const { name: request, ...question } = input.question;
    expect(sent).toEqual([{ ...question, state, sameDevice: true }]);
    expect(told).toMatchObject([{ request, state, returnTo: '/club' }]);
    expect(redirectUrl).toBe('https://wallet.example/');
    expect(app.events).toEqual([{ type: 'flow.started', flow: flowId, request }]);
  });

  const away = new IdentityError('service_timeout');
  test.each([
    ['the service', 'service_timeout', 1],
    ['the session', 'service_timeout', 0],
    ['the limit', 'busy', 0],
  ])('%s does not take it: no record is left, and the app hears of it', async (what, code, asked) => {
    const store = memoryStore();
    const { shared, written } = watched({ ...world(), store });
    const sent: string[] = [];
    const service = serviceThat(async ({ state }) => {
      sent.push(state);
      return await Promise.reject(away);
    });
    const app = openProcess(shared, {
      service,
      hooks: { onError: () => ({ redirectTo: '/sorry' }) },
      ...(what === 'the limit' && { concurrentStarts: 0 }),
    });
    const session = what === 'the session' ? async () => await Promise.reject(away) : someSession;
    const failed = await app.flow
      .start({ ...input, returnTo: '/club' }, session)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StartFailed);
    expect(failed).toMatchObject({
      error: { code },
      redirectTo: '/sorry',
      retry: { request: 'default', returnTo: '/club' },
    });
    for (const { id } of written) expect(await store.read(id)).toBeUndefined();
    expect(sent).toHaveLength(asked);
    for (const state of sent) expect((await app.deliver(state)).transition).toBe('closed');
    expect(app.ran).toEqual([`onError ${code}`]);
    expect(app.events[0]).toMatchObject({ type: 'start.failed', request: 'default', code });
  });

  test('one beyond the limit is refused before anything is written for it, though no call has begun', async () => {
    const { shared, written } = watched();
    const { flow } = openProcess(shared, { concurrentStarts: 1 });
    const { told, add } = noting();
    const [first, second] = await Promise.allSettled([flow.start(input, add), flow.start(input, add)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { error: { code: 'busy' } } });
    expect([told.length, written.length]).toEqual([1, 1]);
  });
});
