import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** @type {Set<AsyncLocalStorage<unknown>>} */
const used = new Set();

const { prototype } = AsyncLocalStorage;
const run = /** @type {Function} */ (Reflect.get(prototype, 'run'));
Reflect.set(
  prototype,
  'run',
  /**
   * @this {AsyncLocalStorage<unknown>}
   * @param {unknown[]} args
   */
  function (...args) {
    used.add(this);
    return /** @type {unknown} */ (Reflect.apply(run, this, args));
  },
);

/**
 * Jest's own, and an end to what each file leaves behind: jest makes an AsyncLocalStorage for it, and before Node 24
 * every storage that was used once is asked at every promise from then on, and keeps the file's modules in memory.
 */
export default class Environment extends TestEnvironment {
  /** @override */
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}
