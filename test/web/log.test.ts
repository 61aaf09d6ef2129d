import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import { createLog } from '../../lib/web/log.js';
import { testClock } from '../support/clock.js';

function listening(mode: string | undefined = 'production') {
  const heard: string[] = [];
  const write = (line: string): void => void heard.push(line);
  const clock = testClock();
  return { heard, clock, log: createLog({ logger: { error: write, warn: write }, clock, mode }, false) };
}

describe('what the log remembers', () => {
  test('64 codes and sentences at most: with one more, the one that was said longest ago is forgotten', () => {
    const { heard, log } = listening();
    for (let n = 0; n < 64; n += 1) log.once(`sentence ${n}`);
    for (let n = 0; n < 64; n += 1) log.once(`sentence ${n}`);
    expect(heard).toHaveLength(64);
    log.once('one more');
    log.once('sentence 1');
    expect(heard).toHaveLength(65);
    log.once('sentence 0');
    expect(heard.slice(65)).toEqual(['pidgate: sentence 0']);
  });

  test('a code counts for itself: another one is written in the same minute', () => {
    const { heard, log, clock } = listening();
    for (const code of ['hook_failed', 'store_unavailable', 'hook_failed'])
      log.fault(new IdentityError(code));
    clock.forward(60_000);
    log.fault(new IdentityError('hook_failed'));
    expect(heard.map((line) => line.split(/[ .]+/)[1])).toEqual([
      'hook_failed',
      'store_unavailable',
      'hook_failed',
    ]);
  });
});

describe('what the log tells', () => {
  const fault = new IdentityError('hook_failed', {
    message: 'Our sentence.',
    cause: Object.assign(new RangeError('marker'), { name: 'marker' }),
    serviceCode: 'marker',
  });

  test('of a code that is not in a closed list, no letter; no cause and no sentence outside of development', () => {
    const { heard, log } = listening();
    log.fault(fault, { flow: 'F', request: 'age' });
    log.fault(new IdentityError('marker_of_a_stranger', { message: 'marker' }));
    expect(heard).toEqual([
      'pidgate: hook_failed (flow F, request age). See pidgate/docs/errors/hook_failed.md',
      'pidgate: service_error. See pidgate/docs/errors/service_error.md',
    ]);
  });

  test('in development our sentence and the class of what was thrown, and where something was lost', () => {
    const { heard, log } = listening('development');
    log.fault(fault);
    log.once('It is lost.', 'kept.seen');
    expect(heard).toEqual([
      'pidgate: hook_failed. Our sentence. It threw RangeError. See pidgate/docs/errors/hook_failed.md',
      'pidgate: It is lost. (kept.seen)',
    ]);
  });

  test.each([
    undefined,
    'words',
    Object.create(null),
    { constructor: undefined },
    { constructor: { name: 'a b' } },
  ])('whatever was thrown (%p) is told', (cause) => {
    const { heard, log } = listening('development');
    log.fault(new IdentityError('hook_failed', { message: 'Our sentence.', cause }));
    expect(heard).toEqual(['pidgate: hook_failed. Our sentence. See pidgate/docs/errors/hook_failed.md']);
  });
});
