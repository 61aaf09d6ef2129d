import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import { limitConcurrency } from '../../lib/flow/concurrency-limit.js';
import { verdictOn } from '../../lib/flow/verdict.js';
import type { Expected, Verdict, Verifier } from '../../lib/types/verifier.js';
import { gate, valid } from '../support/callbacks.js';
import { openProcess, world } from './flow-kit.js';

async function judged(verifier: Verifier, setup: Parameters<typeof openProcess>[1] = {}) {
  const app = openProcess(world(), { verifier, ...setup });
  const state = await app.start();
  const callback = { kind: 'presentation', state, presentation: 'a presentation' } as const;
  return await verdictOn(app.deps, await app.stored(state), callback);
}

const refused = (more: Partial<Verdict & { valid: false }> = {}): Verifier => {
  return async () => await Promise.resolve({ valid: false, reason: 'Some reason.', ...more });
};

describe('verdictOn', () => {
  test('expects what the flow asked for when it began', async () => {
    const seen: Expected[] = [];
    const shared = world();
    const app = openProcess(shared, {
      verifier: async (_presentation, expected) => {
        seen.push(expected);
        return await Promise.resolve(valid);
      },
    });
    const plan = {
      name: 'age',
      issuer: 'xx-test',
      reveal: ['birth_date'],
      derived: { nationality: 'DE' },
    } as const;
    const state = await app.start({ plan });
    const startedAt = shared.clock();
    shared.clock.forward(60_000);
    await app.deliver(state);
    expect(seen).toEqual([
      {
        issuer: 'xx-test',
        state,
        reveal: ['birth_date'],
        derived: { nationality: 'DE' },
        variant: 'derived',
        startedAt,
      },
    ]);
  });

  test('a refusal is a verdict, with the number of its check', async () => {
    expect(await judged(refused({ check: 'B07' }))).toMatchObject({
      kind: 'refused',
      error: { code: 'presentation_invalid', check: 'B07', message: 'B07: Some reason.' },
    });
    expect(await judged(refused({ code: 'attributes_missing' }))).toMatchObject({
      kind: 'refused',
      error: { code: 'attributes_missing', message: 'Some reason.' },
    });
  });

  test('a refusal that may pass by itself is none', async () => {
    const verdict = await judged(refused({ code: 'keys_unavailable' }));
    expect(verdict).toMatchObject({ kind: 'open', error: { code: 'keys_unavailable', retryable: true } });
  });

  test('F57 a bug in a verifier of the customer is an error with its cause, and its words are in nothing else', async () => {
    const cause = new Error('claims of the person');
    const verdict = await judged(async () => await Promise.reject(cause));
    expect(verdict).toMatchObject({
      kind: 'open',
      error: { code: 'hook_failed', message: 'A function of the trust configuration threw.' },
    });
    expect('error' in verdict && verdict.error.cause).toBe(cause);
  });

  test('what a verifier says by an IdentityError is passed on', async () => {
    const own = new IdentityError('config_invalid', { message: 'No verdict.' });
    expect(await judged(async () => await Promise.reject(own))).toEqual({ kind: 'open', error: own });
  });

  test('a verifier that hangs is no verdict', async () => {
    const verdict = await judged(async () => await new Promise(() => undefined), { verifyTimeout: 20 });
    expect(verdict).toMatchObject({ kind: 'open', error: { code: 'verify_timeout', status: 504 } });
  });

  test('past the limit it is busy, and nobody hears of a verdict', async () => {
    const opened = gate();
    const app = openProcess(world(), {
      verifying: limitConcurrency(1),
      hooks: { onError: () => undefined },
      verifier: async () => {
        await opened.opened;
        return valid;
      },
    });
    const [one, two] = [await app.start(), await app.start()];
    const first = app.deliver(one);
    await expect(app.deliver(two)).rejects.toMatchObject({ code: 'busy', status: 503 });
    opened.open();
    expect((await first).transition).toBe('verified');
    expect((await app.deliver(two)).transition).toBe('verified');
    expect(app.ran).toEqual([]);
  });

  test('a flow of another configuration is not judged here, but may be elsewhere', async () => {
    const shared = world();
    const now = openProcess(shared);
    const plan = { name: 'default', issuer: 'de-ausweis', reveal: ['given_name'], derived: {} } as const;
    const state = await openProcess(shared).start({ plan });
    expect(await now.deliver(state)).toMatchObject({
      transition: 'no_verdict',
      redirectUri: expect.stringMatching(/error=key_not_found$/),
    });
    expect((await now.recordOf(state)).refused).toEqual([]);
  });

  test.each([true, false])('a result says whether the sandbox answered: %p', async (sandbox) => {
    const results: unknown[] = [];
    const hooks = { onVerified: ({ result }: { result: unknown }) => void results.push(result) };
    const app = openProcess(world(), { isSandbox: () => sandbox, hooks });
    await app.deliver(await app.start());
    expect(results).toMatchObject([{ issuer: 'xx-test', sandbox }]);
  });

  test("an error callback is the service's own verdict, under a code that cannot be ours", async () => {
    const app = openProcess(world());
    const state = await app.start();
    const verdict = async (error: string) =>
      await verdictOn(app.deps, await app.stored(state), {
        kind: 'error',
        state,
        error,
        errorDescription: '',
      });
    expect(await verdict('user_cancelled')).toMatchObject({
      kind: 'refused',
      error: { code: 'declined', serviceCode: 'user_cancelled', status: 403, retryable: false },
    });
    expect(await verdict('made_up')).toMatchObject({
      kind: 'refused',
      error: { code: 'service_error', serviceCode: 'made_up' },
    });
    expect(await verdict('hook_failed')).toMatchObject({
      kind: 'refused',
      error: { code: 'service_error', serviceCode: 'hook_failed' },
    });
    expect((await verdict('error_internal')).kind).toBe('refused');
  });
});
