import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
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

const { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } = childProcess;
const starts = { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync };

function refuse() {
  throw new Error(
    'A test of `npm test` starts no process. Define it with deep.test of test/support/deep.ts, or put its file into the list deepFiles of jest.config.mjs.',
  );
}
const refused = Object.fromEntries(Object.keys(starts).map((name) => [name, refuse]));

const steps = ['start', 'prove', 'callback', 'verify', 'return', 'hook', 'store'];
const moments = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
const channels = [
  channel('pidgate'),
  ...steps.flatMap((step) => moments.map((moment) => channel(`tracing:pidgate:${step}:${moment}`))),
];
const subscribed = () => channels.filter((one) => one.hasSubscribers).map(({ name }) => String(name));

/** An app in development binds its store there, until its sandbox closes: that may be the sandbox of all tests of a file. */
const ofSandbox = 'tracing:pidgate:prove:start';

/**
 * @typedef {{ name: string, type?: string, children?: Named[] }} Named
 * @typedef {Named & { children: Named[] }} Group
 * @typedef {{ currentDescribeBlock: Group, rootDescribeBlock: Group, unhandledErrors?: unknown[] }} State
 */

/**
 * Jest's own, with names of at most a line, and an end to what each file leaves behind: jest makes an AsyncLocalStorage
 * for it, and before Node 24 every storage that was used once is asked at every promise from then on, and keeps the
 * file's modules in memory.
 *
 * With the option `only: 'quick'` it runs what deep.ts has not marked, and no process can be started. With
 * `only: 'deep'` it runs the rest. Without the option it runs all.
 */
export default class Environment extends TestEnvironment {
  /** @type {unknown} */
  #only;
  /** @type {Set<Named>} */
  #deep = new Set();
  /** @type {string[]} The channels that somebody listened to before the test. */
  #subscribed = [];
  /** @type {string[]} The same before the file. */
  #before = [];

  /**
   * @param {ConstructorParameters<typeof TestEnvironment>[0]} config
   * @param {ConstructorParameters<typeof TestEnvironment>[1]} context
   */
  constructor(config, context) {
    super(config, context);
    this.#only = config.projectConfig.testEnvironmentOptions['only'];
  }

  /** @override */
  async setup() {
    await super.setup();
    if (this.#only === 'quick') Object.assign(childProcess, refused);
  }

  /**
   * The names of a table hold values of any length. All files of a process share the channels of Node, so whoever listens
   * there is gone when the test is over.
   * @param {{ name: string, test?: { errors: unknown[] } }} event
   * @param {State} state
   */
  handleTestEvent(event, { currentDescribeBlock: group, rootDescribeBlock, unhandledErrors }) {
    const test = group.children.at(-1);
    if (event.name === 'start_describe_definition') group.name = inOneLine(group.name);
    if (event.name === 'add_test' && test !== undefined) {
      test.name = inOneLine(test.name);
      if (Reflect.get(this.global, Symbol.for('pidgate: deep')) === true) this.#deep.add(test);
    }
    if (event.name === 'run_start') this.#leaveOut(rootDescribeBlock);
    if (event.name === 'test_start') this.#subscribed = subscribed();
    if (event.name === 'test_done') {
      const left = subscribed().filter((name) => !this.#subscribed.includes(name) && name !== ofSandbox);
      if (left.length > 0)
        event.test?.errors.push(new Error(`The test still listens to ${left.join(', ')}.`));
    }
    if (event.name === 'run_start') this.#before = subscribed();
    if (event.name === 'run_finish' && subscribed().includes(ofSandbox) && !this.#before.includes(ofSandbox))
      unhandledErrors?.push(new Error(`The file still listens to ${ofSandbox}.`));
  }

  /**
   * Takes out the tests of the other run, and groups that have none left. It is not too early here: a group that has
   * hooks and never had a test fails its file.
   * @param {Group} group
   */
  #leaveOut(group) {
    if (this.#only === undefined) return;
    // What jest.deep.config.mjs runs and nothing in it is marked, is a file of its list.
    if (this.#only === 'deep' && this.#deep.size === 0) return;
    group.children = group.children.filter((child) => {
      if (child.children === undefined) return this.#deep.has(child) === (this.#only === 'deep');
      this.#leaveOut(/** @type {Group} */ (child));
      return child.children.length > 0;
    });
  }

  /** @override */
  async teardown() {
    Object.assign(childProcess, starts);
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}
