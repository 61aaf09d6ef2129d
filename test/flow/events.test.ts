import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { IdentityError, type IdentityEvent, memoryStore } from '../../lib/index.js';
import { createFlow } from '../../lib/flow/flow.js';
import { throws } from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import { flowSettings } from './flow-kit.js';

const at = new Date('2026-08-12T12:00:00Z');
const clock = (): Date => at;

/** A callback that no flow can take, and the event of it. */
function cause(onEvent?: (event: IdentityEvent) => unknown, now = clock): void {
  const shared = { clock: Object.assign(now, { forward: () => undefined }), store: memoryStore() };
  createFlow(flowSettings(shared, { onEvent })).callbackFailed(new IdentityError('body_consumed'));
}
const event = { type: 'callback.refused', at, code: 'body_consumed' };

describe('events', () => {
  const heard: unknown[] = [];
  const listen = (event: unknown): void => void heard.push(event);
  afterEach(() => {
    unsubscribe('pidgate', listen);
    heard.length = 0;
  });

  test('reach onEvent and the diagnostics channel, dated, and nobody can change them for the other', () => {
    subscribe('pidgate', listen);
    const own: IdentityEvent[] = [];
    cause((said) => void own.push(said));
    expect([own, heard]).toEqual([[event], [event]]);
    expect(Object.isFrozen(heard[0])).toBe(true);
  });

  test('reach the channel where there is no onEvent', () => {
    subscribe('pidgate', listen);
    cause();
    expect(heard).toEqual([event]);
  });

  test.each([
    ['body_consumed', 'body_consumed'],
    ['store_unavailable', 'callback_unavailable'],
    ['busy', 'callback_unavailable'],
    ['callback_too_large', 'callback_malformed'],
  ] as const)('a callback that no flow takes, for %s, ends as %s', (code, transition) => {
    const own: unknown[] = [];
    const shared = { clock: Object.assign(clock, { forward: () => undefined }), store: memoryStore() };
    const onEvent = (said: IdentityEvent): void => void own.push(said);
    const error = new IdentityError(code);
    const flow = createFlow(flowSettings(shared, { onEvent }));
    expect(flow.callbackFailed(error)).toEqual({ transition, error });
    flow.startImpossible(error);
    expect(own).toEqual([
      { type: 'callback.refused', at, code },
      { type: 'start.failed', at, code },
    ]);
  });

  test('are not even made where nobody listens', () => {
    const asked = jest.fn(clock);
    cause(undefined, asked);
    expect(asked).not.toHaveBeenCalled();
  });

  test.each([
    ['throws', throws(new Error('bad listener'))],
    ['rejects', async () => await Promise.reject(new Error('bad listener'))],
  ])('F57 an onEvent that %s changes nothing', async (_, onEvent) => {
    const app = await startAsking({ options: { onEvent } });
    expect((await app.browser().post(`${app.url}/identity/start`)).status).toBe(303);
  });
});
