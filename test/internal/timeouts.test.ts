import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { TimeoutError, withTimeoutSignal, withTimeout } from '../../lib/internal/timeouts.js';

afterEach(() => {
  jest.useRealTimers();
});

describe('within', () => {
  it('returns what the work returns, awaited or not, and leaves no timer', async () => {
    jest.useFakeTimers();
    expect(await withTimeout(1000, () => Promise.resolve('late'))).toBe('late');
    expect(await withTimeout(1000, () => 'at once')).toBe('at once');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails as the work fails, thrown or rejected, and leaves no timer', async () => {
    jest.useFakeTimers();
    const fault = new Error('mine');
    await expect(withTimeout(1000, () => Promise.reject(fault))).rejects.toBe(fault);
    await expect(
      withTimeout(1000, () => {
        throw fault;
      }),
    ).rejects.toBe(fault);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails at the deadline, if the work goes on', async () => {
    jest.useFakeTimers();
    const outcome = withTimeout(1000, () => new Promise(() => undefined)).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await outcome).toBeInstanceOf(TimeoutError);
  });

  it('fails at the deadline too where what goes on is no native promise', async () => {
    jest.useFakeTimers();
    const never = new Proxy({}, { get: () => () => undefined }) as Promise<never>; // such a `then` too
    const outcome = withTimeout(1000, () => never).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await outcome).toBeInstanceOf(TimeoutError);
  });

  it('waits, where the time is longer than a timer can be, as long as it can', async () => {
    jest.useFakeTimers();
    const work = withTimeout(2 ** 40, () => new Promise((resolve) => setTimeout(resolve, 60_000, 'done')));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await work).toBe('done');
  });
});

describe('stoppedWithin', () => {
  it('does not tell work that was in time to stop', async () => {
    let signal: AbortSignal | undefined;
    await withTimeoutSignal(1000, (given) => void ({ signal } = given));
    expect(signal?.aborted).toBe(false);
  });

  it('tells the work to stop at the deadline, and fails whether it listens or not', async () => {
    jest.useFakeTimers();
    let signal: AbortSignal | undefined;
    const outcome = withTimeoutSignal(1000, (given) => {
      ({ signal } = given);
      return new Promise(() => undefined);
    }).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(999);
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await outcome).toBeInstanceOf(TimeoutError);
    expect(signal?.reason).toBe(await outcome);
  });

  it('says that the deadline passed, not how the work took it', async () => {
    jest.useFakeTimers();
    const outcome = withTimeoutSignal(1000, async ({ signal }) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    }).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await outcome).toBeInstanceOf(TimeoutError);
  });
});
