import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { showingFailure } from '../../lib/web/show-failure.js';

describe('a hook that throws', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    [new Error('boom'), 'boom'],
    ['just words', 'just words'],
    [Object.assign(new Error('without a stack'), { stack: undefined }), 'without a stack'],
  ])('is shown in the terminal in development, and still thrown (%p)', async (thrown, words) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const hook = showingFailure(
      'development',
      'onSuccess',
      async () => await Promise.reject(thrown as Error),
    );
    await expect(hook?.()).rejects.toBe(thrown);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.calls[0]?.[0]).toContain('onSuccess failed');
    expect(warned.mock.calls[0]?.[0]).toContain(words);
  });

  test('is not shown anywhere else, and a hook that works answers what it answers', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const fails = (): never => {
      throw new Error('boom');
    };
    expect(showingFailure('production', 'onSuccess', fails)).toBe(fails);
    expect(showingFailure('development', 'onSuccess', undefined)).toBeUndefined();
    expect(await showingFailure('development', 'onSuccess', (a: number) => a + 1)?.(1)).toBe(2);
    expect(warned).not.toHaveBeenCalled();
  });
});
