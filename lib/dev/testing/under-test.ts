import type { FlowStore } from '../../types/store.js';

/** The `test` of any runner: Jest, Vitest, node:test. */
export type Test = (name: string, run: () => Promise<void>) => unknown;

/** A store, and how to let its time pass. */
export interface StoreUnderTest {
  readonly store: FlowStore;
  /** Makes everything in the store that many milliseconds older: by its clock, or by changing when things expire. */
  readonly forward?: (ms: number) => Promise<void> | void;
}

/** Makes an empty store, which shares nothing with those that were made before. */
export type OpenStore = () => Promise<StoreUnderTest> | StoreUnderTest;

/** Options of {@link flowStoreContract}. */
export interface ContractOptions {
  /** `untested` leaves out what needs `forward`: whether flows end at their time. Default `tested`. */
  readonly expiry?: 'tested' | 'untested';
}

/** Long enough that nothing expires in a test by itself. */
export const minute = 60_000;
