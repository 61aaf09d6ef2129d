import { inspect } from 'node:util';

const mark = { [inspect.custom]: () => '[hidden]' };

function namesOnly(this: object): unknown {
  return Object.fromEntries(Object.keys(this).map((name) => [name, mark]));
}

/**
 * Marks personal values, so that console.log and util.inspect print their names and `[hidden]` for each value.
 * Property access and JSON.stringify are unchanged. Returns the object itself.
 */
export function redacted<T extends object>(values: T): T {
  return Object.defineProperty(values, inspect.custom, { value: namesOnly, configurable: true });
}
