import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Configuration } from '../../../lib/options/resolve.js';
import { createHelp } from '../../../lib/http/help/create-help.js';
import { throws } from '../../support/app.js';
import { configured, withEnvironment } from '../../options/settings.js';

const inDevelopment = (options: Record<string, unknown>): Configuration =>
  withEnvironment({ NODE_ENV: 'development' }, () => {
    const config = configured(options);
    return createHelp(config).watchOptions(config);
  });

const spyOnWarnings = () => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void jest.restoreAllMocks());

test.each([
  [new Error('boom'), 'boom'],
  ['just words', 'just words'],
  [Object.assign(Object.create(null) as object, { of: 'no class' }), 'no class'],
  [Object.assign(new Error('without a stack'), { stack: undefined }), 'without a stack'],
])(
  'what a hook throws is shown in the terminal in development, and still thrown (%p)',
  async (thrown, words) => {
    const warned = spyOnWarnings();
    const kind = { type: 'PidgateWarning', code: 'PIDGATE_HOOK' };
    const onSuccess = async (): Promise<never> => await Promise.reject(thrown as Error);
    await expect((inDevelopment({ onSuccess }).onSuccess as () => unknown)()).rejects.toBe(thrown);
    expect(warned.mock.calls).toEqual([[expect.stringContaining('onSuccess failed'), kind]]);
    expect(warned.mock.calls[0]?.[0]).toContain(words);
  },
);

test.each([
  ['keep', 'It gets the result itself: ({ attributes }) => ….'],
  ['onVerified', 'It gets { result, context, signal, presentation }.'],
  [
    'onSuccess',
    "It gets { req, result, context, signal } (no req with confirm: 'callback'), and no res: return { redirectTo: '/path' }.",
  ],
  ['onError', 'It gets { error, step, flow, question, supportCode, context }.'],
])('of a TypeError in %s, what it gets comes first; of any other error it does not', (name, gets) => {
  const warned = spyOnWarnings();
  const says = (error: Error) => {
    expect(
      createHelp({ ...configured(), mode: 'development', sandboxUrl: undefined }).watch(name, throws(error)),
    ).toThrow('boom');
    return warned.mock.lastCall?.[0];
  };
  expect(says(new TypeError('boom'))).toContain(`pidgate: ${name} failed. ${gets} TypeError: boom`);
  expect(says(new Error('boom'))).toContain(`pidgate: ${name} failed: Error: boom`);
});

test('a function that is synchronous stays so', () => {
  const warned = spyOnWarnings();
  const locale = inDevelopment({ pages: { locale: () => 'de' } }).pages.locale as () => unknown;
  expect([locale(), warned.mock.calls]).toEqual(['de', []]);
});

test.each(['production', 'test', undefined])('in %s a function is left as it is', (mode) => {
  const allow = (): boolean => true;
  expect(createHelp({ ...configured(), mode, sandboxUrl: undefined }).watch('allow', allow)).toBe(allow);
  const help = createHelp({ ...configured(), mode: 'development', sandboxUrl: undefined });
  expect(help.watch('allow', allow)).not.toBe(allow);
});

describe('in development, every function of the app', () => {
  const fails = throws(new Error('boom'));
  const names = [
    'subject',
    'context',
    'sameDevice',
    'onVerified',
    'onSuccess',
    'onError',
    'onEvent',
  ] as const;
  const all = {
    ...Object.fromEntries(names.map((name) => [name, fails])),
    keep: fails,
    pages: { locale: fails, render: fails },
    trust: { 'de-ausweis': fails },
  };
  const functionsOf = (config: Configuration): [string, unknown][] => [
    ...names.map((name): [string, unknown] => [name, config[name]]),
    ['keep', config.questions.get('default')?.keep],
    ['pages.locale', config.pages.locale],
    ['pages.render', config.pages.render],
    ['trust.de-ausweis', config.trust['de-ausweis']],
  ];

  test('shows what it throws', () => {
    const warned = spyOnWarnings();
    for (const [name, fn] of functionsOf(inDevelopment(all))) {
      expect(fn).toThrow('boom');
      expect(warned.mock.lastCall?.[0]).toContain(`pidgate: ${name} failed: Error: boom`);
    }
    expect(warned).toHaveBeenCalledTimes(11);
  });

  test('and nowhere else', () => {
    const config = configured(all);
    expect(createHelp(config).watchOptions(config)).toBe(config);
    expect(functionsOf(config).map(([, fn]) => fn)).toEqual(Array(11).fill(fails));
  });

  test('what is no function stays', () => {
    const values = functionsOf(inDevelopment({ sameDevice: true }));
    expect(values.filter(([, value]) => value !== undefined)).toEqual([
      ['sameDevice', true],
      ['trust.de-ausweis', expect.any(Function)],
    ]);
  });
});
