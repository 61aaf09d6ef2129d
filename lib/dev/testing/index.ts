/** @module pidgate/testing */
export { asVerified } from './as-verified.js';
export type { VerifiedAs } from './as-verified.js';
export { flowStoreContract } from './flow-store-contract.js';
export type { ContractOptions, OpenStore, StoreUnderTest, Test } from './flow-store-contract.js';

/** A clock that stands still until you move it. Pass it as the option `clock`. */
export interface TestClock {
  (): Date;
  /** Moves it by so many milliseconds. */
  forward(ms: number): void;
}

/**
 * Makes a clock that you can move, to test what runs out: `keepFor`, `flowTtl`, `maxAge`.
 *
 * @example
 * ```ts
 * import { testClock } from 'pidgate/testing'
 *
 * const clock = testClock(new Date('2026-05-04T12:00:00Z'))
 * clock.forward(60_000)
 * console.log(clock().toISOString()) // 2026-05-04T12:01:00.000Z
 * ```
 */
export function testClock(start: Date = new Date()): TestClock {
  let now = start.getTime();
  const clock = (): Date => new Date(now);
  return Object.assign(clock, {
    forward(ms: number) {
      now += ms;
    },
  });
}
