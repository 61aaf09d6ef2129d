import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Configuration } from '../../lib/options/resolve.js';
import { showFailures, reportErrorsOf } from '../../lib/http/dev-errors.js';
import { configured, withEnvironment } from '../options/settings.js';

const inDevelopment = (options: Record<string, unknown>): Configuration =>
  withEnvironment({ NODE_ENV: 'development' }, () => showFailures(configured(options)));

describe('a hook that throws', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    [new Error('boom'), 'boom'],
    ['just words', 'just words'],
    [Object.assign(Object.create(null) as object, { of: 'no class' }), 'no class'],
    [Object.assign(new Error('without a stack'), { stack: undefined }), 'without a stack'],
  ])('is shown in the terminal in development, and still thrown (%p)', async (thrown, words) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const onSuccess = async (): Promise<never> => await Promise.reject(thrown as Error);
    const hook = inDevelopment({ onSuccess }).onSuccess as () => unknown;
    await expect(hook()).rejects.toBe(thrown);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.calls[0]?.[0]).toContain('onSuccess failed');
    expect(warned.mock.calls[0]?.[0]).toContain(words);
  });

  test('one that is synchronous stays so', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const locale = inDevelopment({ pages: { locale: () => 'de' } }).pages.locale as () => unknown;
    expect(locale()).toBe('de');
    expect(warned).not.toHaveBeenCalled();
  });
});

test.each(['production', 'test', undefined])('in %s a function is left as it is', (mode) => {
  const allow = (): boolean => true;
  expect(reportErrorsOf(mode, 'allow', allow)).toBe(allow);
  expect(reportErrorsOf('development', 'allow', allow)).not.toBe(allow);
});

describe('in development, every function of the app', () => {
  const fails = (): never => {
    throw new Error('boom');
  };
  const all = {
    subject: fails,
    context: fails,
    sameDevice: fails,
    keep: fails,
    onVerified: fails,
    onSuccess: fails,
    onError: fails,
    onEvent: fails,
    pages: { locale: fails, render: fails },
    trust: { 'de-ausweis': fails },
  };
  const functionsOf = (config: Configuration): [string, unknown][] => [
    ['subject', config.subject],
    ['context', config.context],
    ['sameDevice', config.sameDevice],
    ['keep', config.requests.get('default')?.keep],
    ['onVerified', config.onVerified],
    ['onSuccess', config.onSuccess],
    ['onError', config.onError],
    ['onEvent', config.onEvent],
    ['pages.locale', config.pages.locale],
    ['pages.render', config.pages.render],
    ['trust.de-ausweis', config.trust['de-ausweis']],
  ];

  test('shows what it throws', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const config = inDevelopment(all);
    for (const [name, fn] of functionsOf(config)) {
      expect(fn).toThrow('boom');
      expect(warned.mock.lastCall?.[0]).toContain(`pidgate: ${name} failed: Error: boom`);
    }
    expect(warned).toHaveBeenCalledTimes(11);
  });

  test('and nowhere else', () => {
    const config = configured(all);
    expect(showFailures(config)).toBe(config);
    expect(functionsOf(config).map(([, fn]) => fn)).toEqual(Array(11).fill(fails));
  });

  test('what is no function stays', () => {
    const config = inDevelopment({ sameDevice: true });
    expect(functionsOf(config).map(([, fn]) => typeof fn)).toEqual([
      'undefined',
      'undefined',
      'boolean',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'function',
    ]);
  });
});
