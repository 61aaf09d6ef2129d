import { expiryTests } from './expiry.js';
import type { ContractOptions, OpenStore, Test } from './under-test.js';
import { valueTests } from './values.js';
import { versionTests } from './versions.js';

/**
 * All that the kit relies on in a flow store, as tests of your runner.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStore } from 'pidgate'
 * import { flowStoreContract } from 'pidgate/testing'
 *
 * flowStoreContract(test, () => {
 *   let now = Date.now()
 *   return { store: memoryStore({ clock: () => new Date(now) }), forward: (ms) => void (now += ms) }
 * })
 * ```
 */
export function flowStoreContract(
  test: Test,
  open: OpenStore,
  { expiry = 'tested' }: ContractOptions = {},
): void {
  versionTests(test, open);
  valueTests(test, open);
  if (expiry === 'tested') expiryTests(test, open);
  else test('expiry is left out, as was asked for', async () => undefined);
}
