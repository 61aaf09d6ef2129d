export { flowStoreContract } from './flow-store-contract.js';
export type { ContractOptions, OpenStore, StoreUnderTest, Test } from './under-test.js';
