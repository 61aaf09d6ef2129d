export { asVerified } from './as-verified.js';
export type { VerifiedAs } from './as-verified.js';
export { testClock } from './clock.js';
export type { TestClock } from './clock.js';
export { flowStoreContract } from './flow-store-contract.js';
export type { ContractOptions, OpenStore, StoreUnderTest, Test } from './under-test.js';
