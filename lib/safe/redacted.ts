import { inspect } from 'node:util';

const mark = { [inspect.custom]: () => '[hidden]' };

function namesOnly(this: object): unknown {
  return Object.fromEntries(Object.keys(this).map((name) => [name, mark]));
}

/**
 * Personal values that show only their names where they are logged by accident: console.log and util.inspect print
 * `[hidden]` for each. Property access and JSON.stringify work as ever.
 */
export function hidden<T extends object>(values: T): T {
  return Object.defineProperty(values, inspect.custom, { value: namesOnly, configurable: true });
}
