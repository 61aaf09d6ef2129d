import { describe, expect, test } from '@jest/globals';
import { type Expected, IdentityError, type Verdict, type Verifier } from '../../lib/index.js';
import { gate, valid } from '../support/callbacks.js';
import { openProcess, started, world } from './flow-kit.js';

/** A log that collects the faults, of whatever step. */
function logTo(errors: IdentityError[]): NonNullable<NonNullable<Parameters<typeof openProcess>[1]>['log']> {
  const nothing = (): undefined => undefined;
  return {
    fault: (error) => void errors.push(error),
    warn: nothing,
    once: nothing,
  };
}

/** How a delivery of this callback ended, and what the app heard of it. */
async function told(form: Record<string, string>, setup: Parameters<typeof openProcess>[1] = {}) {
  const errors: IdentityError[] = [];
  const app = openProcess(world(), { log: logTo(errors), ...setup });
  const { transition } = await app.deliver((await app.start()).state, form);
  return { transition, error: errors[0] };
}

const judged = async (verifier: Verifier, setup: Parameters<typeof openProcess>[1] = {}) =>
  await told({ presentation: 'a presentation' }, { verifier, ...setup });

const refused = (more: Partial<Verdict & { valid: false }> = {}): Verifier => {
  return async () => await Promise.resolve({ valid: false, reason: 'Some reason.', ...more });
};

describe('the verdict on a callback', () => {
  test('expects what the flow asked for when it began', async () => {
    const seen: Expected[] = [];
    const shared = world();
    const app = openProcess(shared, {
      verifier: async (_presentation, expected) => {
        seen.push(expected);
        return await Promise.resolve(valid);
      },
    });
    const question = { issuer: 'xx-test', reveal: ['birth_date'], derived: { nationality: 'DE' } } as const;
    const { state } = await app.start({ question: { name: 'age', ...question } });
    const startedAt = shared.clock();
    shared.clock.forward(60_000);
    await app.deliver(state);
    expect(seen).toEqual([{ ...question, state, startedAt, variant: 'derived' }]);
  });

  test('a code of no list stays out of the address', async () => {
    const app = openProcess(world(), { verifier: refused({ code: 'made_up' as never }) });
    const { location = '' } = await app.deliver((await app.start()).state);
    expect(new URL(location).search).toMatch(/^\?error=service_error&flow=[\w-]+$/);
  });

  test('a refusal is a verdict, with the number of its check', async () => {
    const transition = 'body_refused';
    const failed = { code: 'presentation_invalid', check: 'B07', message: 'B07: Some reason.' };
    expect(await judged(refused({ check: 'B07' }))).toMatchObject({ transition, error: failed });
    const missing = { code: 'attributes_missing', message: 'Some reason.' };
    expect(await judged(refused({ code: 'attributes_missing' }))).toMatchObject({
      transition,
      error: missing,
    });
  });

  test('a refusal that may pass by itself is none', async () => {
    const verdict = await judged(refused({ code: 'keys_unavailable' }));
    expect(verdict).toMatchObject({
      transition: 'no_verdict',
      error: { code: 'keys_unavailable', retryable: true },
    });
  });

  test('F57 a bug in a verifier of the customer is an error with its cause, its words are in nothing else, and the flow goes on', async () => {
    const cause = new TypeError('claims is undefined');
    const errors: IdentityError[] = [];
    let isFixed = false;
    const { app, state } = await started({
      log: logTo(errors),
      verifier: async () => await (isFixed ? Promise.resolve(valid) : Promise.reject(cause)),
    });
    expect(await app.deliver(state)).toEqual({
      transition: 'no_verdict',
      location: expect.stringContaining('error=hook_failed&flow='),
    });
    expect(errors).toMatchObject([
      { code: 'hook_failed', message: 'A function of the trust configuration threw.' },
    ]);
    expect(errors[0]?.cause).toBe(cause);
    expect(JSON.stringify(app.events)).not.toContain('claims');
    isFixed = true;
    expect((await app.deliver(state)).transition).toBe('verified');
  });

  test('what a verifier says by an IdentityError is passed on', async () => {
    const own = new IdentityError('config_invalid', { message: 'No verdict.' });
    expect(await judged(async () => await Promise.reject(own))).toEqual({
      transition: 'no_verdict',
      error: own,
    });
  });

  test('F30 one more than may be judged at once is not judged, and its flow goes on', async () => {
    const [asked, answer] = [gate(), gate()];
    const verifier = async (): Promise<Verdict> => {
      asked.open();
      await answer.opened;
      return valid;
    };
    const app = openProcess(world(), { concurrentVerifications: 1, verifier });
    const [first, second] = [await app.start(), await app.start()];
    const judging = app.deliver(first.state);
    await asked.opened;
    await expect(app.deliver(second.state)).rejects.toMatchObject({ code: 'busy' });
    expect([app.judged.length, await app.statusOf(second.state)]).toEqual([1, 'pending']);
    answer.open();
    expect((await judging).transition).toBe('verified');
    expect((await app.deliver(second.state)).transition).toBe('verified');
  });

  test('a flow of another configuration is not judged here, but may be elsewhere', async () => {
    const shared = world();
    const now = openProcess(shared);
    const question = { name: 'default', issuer: 'de-ausweis', reveal: ['given_name'], derived: {} } as const;
    const { state } = await openProcess(shared).start({ question });
    expect(await now.deliver(state)).toMatchObject({
      transition: 'no_verdict',
      location: expect.stringMatching(/error=key_not_found&flow=/),
    });
    const verifiers = new Map([['de-ausweis', async () => await Promise.resolve(valid)]]);
    expect((await openProcess(shared, { verifiers }).deliver(state)).transition).toBe('verified');
  });
});
