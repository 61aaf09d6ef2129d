import { describe, test } from '@jest/globals';

/** While this is true, what is being defined is deep; `environment.mjs` reads it. */
const mark = Symbol.for('pidgate: deep');

type Call = (...args: unknown[]) => unknown;

/** The same function, and all that it leads to (`each`, `skip`, what `each` returns), with the mark set while it runs. */
function marked<T extends object>(define: T): T {
  return new Proxy(define, {
    get(_, name) {
      const member: unknown = Reflect.get(define, name);
      return typeof member === 'function' ? marked(member) : member;
    },
    apply(_, self, args: unknown[]) {
      const before: unknown = Reflect.get(globalThis, mark);
      Reflect.set(globalThis, mark, true);
      try {
        const made: unknown = Reflect.apply(define as Call, self, args);
        return typeof made === 'function' ? marked(made) : made;
      } finally {
        Reflect.set(globalThis, mark, before);
      }
    },
  });
}

/**
 * As `test` and `describe`, for what starts a process, does one thing hundreds of times or takes more than 300 ms:
 * `npm run test:deep` runs it, and `npm test` does not. CONTRIBUTING.md has the rule.
 */
export const deep = { test: marked(test), describe: marked(describe) };
