import { inspect } from 'node:util';

const mark = { [inspect.custom]: () => '[hidden]' };

function namesOnly(this: object): unknown {
  return Object.fromEntries(Object.keys(this).map((name) => [name, mark]));
}

/**
 * Adds a personal text that is read by its name alone: it is in no copy and no JSON of the object, and printed as
 * `[hidden]`. Returns the object itself.
 */
export function withHidden<T extends object, Name extends string>(
  values: T,
  name: Name,
  text: string,
): T & Readonly<Record<Name, string>> {
  const shown = () => ({ ...values, [name]: mark });
  return Object.defineProperties(values, {
    [name]: { value: text },
    [inspect.custom]: { value: shown },
  }) as T & Readonly<Record<Name, string>>;
}

/**
 * Marks personal values, so that console.log and util.inspect print their names and `[hidden]` for each value.
 * Property access and JSON.stringify are unchanged. Returns the object itself.
 */
export function redacted<T extends object>(values: T): T {
  return Object.defineProperty(values, inspect.custom, { value: namesOnly, configurable: true });
}
