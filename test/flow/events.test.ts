import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { IdentityEvent } from '../../lib/types/events.js';
import { createEmitter } from '../../lib/flow/events.js';
import { startAsking } from '../support/asked-service.js';

const log = { fault: () => {}, once: () => {} };
const at = new Date('2026-08-12T12:00:00Z');
const clock = (): Date => at;

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
    createEmitter(
      clock,
      (event) => void own.push(event),
      log,
    )({ type: 'flow.started', flow: 'f', request: 'default' });
    const event = { type: 'flow.started', at, flow: 'f', request: 'default' };
    expect([own, heard]).toEqual([[event], [event]]);
    expect(Object.isFrozen(heard[0])).toBe(true);
  });

  test('reach the channel where there is no onEvent', () => {
    subscribe('pidgate', listen);
    createEmitter(clock, undefined, log)({ type: 'callback.unknown' });
    expect(heard).toEqual([{ type: 'callback.unknown', at }]);
  });

  test('are not even made where nobody listens', () => {
    const asked = jest.fn(clock);
    createEmitter(asked, undefined, log)({ type: 'callback.unknown' });
    expect(asked).not.toHaveBeenCalled();
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('bad listener');
      },
    ],
    ['rejects', async () => await Promise.reject(new Error('bad listener'))],
  ])('F57 an onEvent that %s changes nothing', async (_, onEvent) => {
    const app = await startAsking({ options: { onEvent } });
    expect((await app.browser().post(`${app.url}/identity/start`)).status).toBe(303);
    await app.close();
  });
});
