import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/index.js';
import { kitError } from '../../lib/errors.js';
import { createHelp } from '../../lib/http/help/create-help.js';
import { createLog } from '../../lib/http/log.js';
import { throws } from '../support/app.js';
import { configured } from '../options/settings.js';
import { testClock } from '../support/clock.js';

function listening(mode: string | undefined = 'production') {
  const heard: string[] = [];
  const write = (line: string): void => void heard.push(line);
  const clock = testClock();
  const help = createHelp({ ...configured(), mode, sandboxUrl: undefined });
  return { heard, clock, log: createLog({ logger: { error: write, warn: write }, clock }, help) };
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
});

describe('what the log tells', () => {
  const fault = kitError('hook_failed', {
    message: 'Our sentence.',
    cause: Object.assign(new RangeError('marker'), { name: 'marker' }),
    serviceCode: 'marker',
  });

  test('of a code that is not in a closed list, no letter; no cause, and no sentence of the app', () => {
    const { heard, log } = listening();
    log.fault(fault, { flow: 'F', question: 'age' });
    log.fault(new IdentityError('marker_of_a_stranger', { message: 'marker' }));
    expect(heard).toEqual([
      'pidgate: hook_failed (flow 1HG4-TN9F, question age). Our sentence. See npx pidgate explain hook_failed',
      'pidgate: service_error. The service reported an error. See npx pidgate explain service_error',
    ]);
  });

  test('in development our sentence and the class of what was thrown, and where something was lost', () => {
    const { heard, log } = listening('development');
    log.fault(fault);
    log.once('It is lost.', 'kept.seen');
    expect(heard).toEqual([
      'pidgate: hook_failed. Our sentence. It threw RangeError. See npx pidgate explain hook_failed',
      'pidgate: It is lost. (kept.seen)',
    ]);
  });

  test.each([
    undefined,
    'words',
    Object.create(null),
    { constructor: undefined },
    { constructor: { name: 'a b' } },
    { constructor: Object.defineProperty(() => 0, 'name', { value: 'a b' }) },
  ])('whatever was thrown (%p) is told', (cause) => {
    const { heard, log } = listening('development');
    log.fault(kitError('hook_failed', { message: 'Our sentence.', cause }));
    expect(heard).toEqual(['pidgate: hook_failed. Our sentence. See npx pidgate explain hook_failed']);
  });

  test('F67 an address in a sentence is told in development only', () => {
    const error = kitError('origin_not_allowed', {
      message: 'Open it under https://shop.example/a?b=Erika or http://localhost:3000 (both).',
    });
    const [live, local] = [listening(), listening('development')];
    live.log.fault(error);
    local.log.fault(error);
    expect(live.heard).toEqual([
      'pidgate: origin_not_allowed. Open it under (address) or (address) (both). See npx pidgate explain origin_not_allowed',
    ]);
    expect(local.heard[0]).toContain('https://shop.example/a?b=Erika');
  });

  test('F67 what was thrown may throw when it is looked at', () => {
    const { heard, log } = listening();
    const cause = Object.defineProperty({}, 'code', { get: throws() });
    log.fault(kitError('hook_failed', { message: 'Our sentence.', cause }));
    const refused = { cause: { code: 'ENOTFOUND' }, code: 'marker' };
    log.fault(new IdentityError('store_unavailable', { cause: refused }));
    expect(heard).toEqual([
      'pidgate: hook_failed. Our sentence. See npx pidgate explain hook_failed',
      'pidgate: store_unavailable. The flow store did not respond (ENOTFOUND). See npx pidgate explain store_unavailable',
    ]);
  });
});

describe('F67 presentations that are refused', () => {
  const refusal = (check: string) =>
    kitError('presentation_invalid', { check, message: `${check}: Our sentence.` });
  const about = { flow: 'F', question: 'age' };

  test('F67 64 numbers are remembered: in the same minute no other is written, and no fault is lost', () => {
    const { heard, log, clock } = listening();
    for (let n = 0; n < 200; n += 1) log.fault(refusal(`X${n}`), about);
    for (let n = 0; n < 200; n += 1) log.fault(refusal(`X${n}`), about);
    expect(heard).toHaveLength(64);
    log.fault(new IdentityError('store_unavailable'));
    expect(heard).toHaveLength(65);
    clock.forward(60_000);
    log.fault(refusal('X100'), about);
    expect(heard).toHaveLength(66);
  });
});
