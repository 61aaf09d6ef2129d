import { describe, expect, test } from '@jest/globals';
import type { IdentityError } from '../../lib/index.js';
import { throws } from '../support/app.js';
import { handleCallback } from '../../lib/flow/flow.js';
import type { Received } from '../../lib/service/contract.js';
import type { FlowExpectation } from '../../lib/types/trust.js';
import { addressOf, openProcess, origin, serviceThat, started, world } from './flow-kit.js';
import { leaseMs } from '../../lib/flow/lease.js';
import { supportCodeOf } from '../../lib/internal/support-code.js';

const fail = throws(new Error('failed'));
/** No lease lasts longer. */
const leaseOver = leaseMs(1_000);

describe("confirm 'return'", () => {
  test('onVerified sees the result, the context and a signal; onSuccess waits', async () => {
    const seen: unknown[] = [];
    const app = openProcess(world(), {
      hooks: { onVerified: (args) => void seen.push(args), onSuccess: fail },
    });
    const { state, id } = await app.start({ context: { order: 7 } });
    await app.deliver(state);
    expect(seen).toEqual([
      {
        context: { order: 7 },
        signal: expect.any(AbortSignal),
        result: {
          question: 'default',
          issuer: 'xx-test',
          sandbox: false,
          verifiedAt: expect.any(Date),
          attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
          derived: {},
          receipt: {
            id: expect.any(String),
            presentationSha256: expect.any(String),
            number: supportCodeOf(id),
          },
        },
      },
    ]);
    expect(seen).toMatchObject([{ presentation: 'good' }]);
    expect(app.ran).toEqual(['onVerified']);
    const about = { flow: id, supportCode: supportCodeOf(id), question: 'default' };
    expect(app.events).toEqual([
      { type: 'flow.started', ...about },
      { type: 'flow.verified', ...about },
    ]);
  });

  test('no two flows have the same secret in their codes', async () => {
    const secrets = new Set<string | undefined>();
    for (let run = 0; run < 3; run += 1) {
      const { app, state } = await started();
      const code = new URL(addressOf(await app.deliver(state))).searchParams.get('code') ?? '';
      secrets.add(code.split('.')[1]);
    }
    expect([secrets.size, secrets.has(undefined)]).toEqual([3, false]);
  });

  test('two minutes for the way back are counted from the end of the hook', async () => {
    const { app, shared, state } = await started({
      hooks: { onVerified: () => shared.clock.forward(5_000) },
    });
    shared.clock.forward(590_000);
    await app.deliver(state);
    shared.clock.forward(119_999);
    expect(await app.statusOf(state)).toBe('verified');
    shared.clock.forward(1);
    expect(await app.statusOf(state)).toBe('expired');
  });

  test('a hook that fails runs again with the same body, after onError heard of it', async () => {
    let fails = true;
    const causes: unknown[] = [];
    const { app, state } = await started({
      hooks: {
        onVerified: () => (fails ? fail() : undefined),
        onError: ({ error }) => void causes.push(error.cause),
      },
    });
    expect(await app.deliver(state)).toEqual({
      transition: 'callback_hook_failed',
      location: expect.stringContaining('/identity/return?error=hook_failed&flow='),
    });
    expect(await app.statusOf(state)).toBe('pending');
    expect(causes).toEqual([new Error('failed')]);
    fails = false;
    expect((await app.deliver(state)).transition).toBe('verified');
    expect(app.ran).toEqual(['onVerified', 'onError hook_failed', 'onVerified']);
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started', 'hook.failed', 'flow.verified']);
  });

  test('a hook that takes too long keeps its lease: the same body waits, and runs it when the lease has ended', async () => {
    const shared = world();
    let hangs = true;
    const onVerified = async (): Promise<void> => {
      if (hangs) await new Promise(() => undefined);
    };
    const app = openProcess(shared, { hooks: { onVerified }, hookTimeout: 20 });
    const { state } = await app.start();
    expect((await app.deliver(state)).transition).toBe('callback_hook_failed');
    hangs = false;
    expect(await app.deliver(state)).toMatchObject({ transition: 'lease_held', error: { code: 'busy' } });
    expect(app.ran).toEqual(['onVerified']);
    shared.clock.forward(leaseOver);
    expect((await app.deliver(state)).transition).toBe('verified');
    expect(app.ran).toEqual(['onVerified', 'onVerified']);
  });

  test.each([
    [{}, {}, '/identity/return?error=refused'],
    [{ redirectTo: '/young' }, {}, '/young'],
    [{ redirectTo: '/young' }, { redirectTo: '/sorry' }, '/young'],
    [
      { redirectTo: '//evil.example' },
      { redirectTo: 'https://evil.example' },
      '/identity/return?error=refused',
    ],
  ])('a refusal with %j, told to an onError that answers %j, ends at %s', async (more, told, path) => {
    const errors: IdentityError[] = [];
    const { app, state } = await started({
      hooks: {
        onVerified: () => ({ refuse: 'too_young', ...more }),
        onError: ({ error }) => {
          errors.push(error);
          return told;
        },
      },
    });
    const first = await app.deliver(state);
    const location = expect.stringContaining(origin + path);
    expect(first).toEqual({ transition: 'callback_hook_refused', location });
    expect(errors).toMatchObject([{ code: 'refused', serviceCode: 'too_young', status: 403 }]);
    expect(await app.statusOf(state)).toBe('failed');
    expect(await app.deliver(state)).toEqual({ ...first, transition: 'body_known' });
    expect((await app.deliver(state, { presentation: 'good 2' })).transition).toBe('closed');
    expect(app.ran).toEqual(['onVerified', 'onError refused']);
  });
});

describe("confirm 'callback'", () => {
  const confirm = 'callback';

  const to = (redirectTo: string) => () => ({ redirectTo });

  test.each([
    ['nothing said', {}, undefined, '/done'],
    ['returnTo', {}, '/club', '/club'],
    ['onSuccess', { onSuccess: to('/two') }, '/club', '/two'],
    ['an unsafe address', { onSuccess: to('/\\evil.example') }, '/club', '/club'],
  ])('where the browser goes, with no code: %s', async (_name, hooks, returnTo, path) => {
    const app = openProcess(world(), { confirm, hooks });
    const { state } = await app.start(returnTo === undefined ? {} : { returnTo });
    expect(addressOf(await app.deliver(state))).toBe(`${origin}${path}`);
    expect(addressOf(await app.deliver(state))).toBe(`${origin}${path}`);
    expect(await app.statusOf(state)).toBe('confirmed');
  });

  test('onSuccess that throws leaves it pending, and runs again with the same callback', async () => {
    let fails = true;
    const { app, state } = await started({
      confirm,
      hooks: {
        onSuccess: () => (fails ? fail() : { redirectTo: '/one' }),
        onError: () => undefined,
      },
    });
    expect((await app.deliver(state)).transition).toBe('callback_hook_failed');
    expect(await app.statusOf(state)).toBe('pending');
    expect((await app.deliver(state)).transition).toBe('callback_hook_failed');
    fails = false;
    expect(await app.deliver(state)).toEqual({
      transition: 'confirmed_at_once',
      location: `${origin}/one`,
    });
    const failed = ['onSuccess', 'onError hook_failed'];
    expect(app.ran).toEqual([...failed, ...failed, 'onSuccess']);
  });

  test('onSuccess that refuses ends the flow', async () => {
    const { app, state } = await started({ confirm, hooks: { onSuccess: () => ({ refuse: 'no' }) } });
    expect((await app.deliver(state)).transition).toBe('callback_hook_refused');
    expect(await app.statusOf(state)).toBe('failed');
    expect((await app.deliver(state)).transition).toBe('body_known');
    expect(app.ran).toEqual(['onSuccess']);
  });
});

describe('an answer that the browser has brought', () => {
  const ways = ['link', 'browser'] as const;
  const service = {
    ...serviceThat(
      async ({ state }) => await Promise.resolve({ redirectUrl: `https://app.example/#${state}` }),
    ),
    toRecord: () => ({
      variant: 'derived' as const,
      wallets: { ways, clientId: 'x509_hash:ours', bytes: 'random' },
    }),
  };

  test('F193 is judged for the origin, and the same text by another way is another body: no code comes out', async () => {
    const audiences: unknown[] = [];
    const verifier = async (_: string, expected: FlowExpectation) => {
      audiences.push(expected.audience);
      return await Promise.resolve({ valid: true, attributes: {}, derived: {} } as const);
    };
    const { app, state } = await started({ service, verifier });
    const received = (more: Partial<Received>): Received => ({
      state,
      digest: 'of the same text',
      open: () => ({ kind: 'presentation', state, presentation: 'good' }),
      ...more,
    });
    const audience = ['origin:https://app.example', 'origin:https://app.example/'];
    const byBrowser = received({ way: 'browser', audience });
    const ends = [byBrowser, received({ way: 'link' }), byBrowser].map(
      (one) => async () => await handleCallback(app.flow, one),
    );
    const seen: unknown[] = [];
    for (const end of ends) {
      const { transition, location } = await end();
      seen.push([transition, location]);
    }
    expect(seen).toEqual([
      ['verified', undefined],
      ['closed', undefined],
      ['body_known', undefined],
    ]);
    expect(audiences).toEqual([audience]);
  });

  test('F193 names the client id by the link, and there the same text leads back', async () => {
    const audiences: unknown[] = [];
    const verifier = async (_: string, expected: FlowExpectation) => {
      audiences.push(expected.audience);
      return await Promise.resolve({ valid: true, attributes: {}, derived: {} } as const);
    };
    const { app, state } = await started({ service, verifier });
    const open: Received['open'] = () => ({ kind: 'presentation', state, presentation: 'good' });
    const byLink: Received = { state, digest: 'of a text', way: 'link', open };
    const [first, again] = [await handleCallback(app.flow, byLink), await handleCallback(app.flow, byLink)];
    expect([first.location, again.location]).toEqual([
      expect.stringContaining('/return?code='),
      first.location,
    ]);
    expect(audiences).toEqual([['x509_hash:ours']]);
  });
});
