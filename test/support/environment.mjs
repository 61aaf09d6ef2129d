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

/** @param {string} name */
function inOneLine(name) {
  const line = name.replaceAll(/\s*\n\s*/g, ' ');
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}

/**
 * @typedef {{ name: string }} Named
 * @typedef {{ currentDescribeBlock: Named & { children: Named[] } }} State
 */

/**
 * Jest's own, with names of at most a line, and an end to what each file leaves behind: jest makes an AsyncLocalStorage
 * for it, and before Node 24 every storage that was used once is asked at every promise from then on, and keeps the
 * file's modules in memory.
 */
export default class Environment extends TestEnvironment {
  /**
   * The names of a table hold values of any length.
   * @param {Named} event
   * @param {State} state
   */
  handleTestEvent(event, { currentDescribeBlock: group }) {
    const test = group.children.at(-1);
    if (event.name === 'start_describe_definition') group.name = inOneLine(group.name);
    if (event.name === 'add_test' && test !== undefined) test.name = inOneLine(test.name);
  }

  /** @override */
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}
