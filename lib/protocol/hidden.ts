import { inspect } from 'node:util';

/**
 * The same object, which console.log and every other inspector print as names without values. JSON and property
 * access see it whole.
 */
export function hidden<T extends object>(values: T): T {
  const shown = (): Record<string, string> =>
    Object.fromEntries(Object.keys(values).map((name) => [name, '[hidden]']));
  return Object.defineProperty(values, inspect.custom, { value: shown, configurable: true });
}
