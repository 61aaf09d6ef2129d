import { types } from 'node:util';
import { nearMiss } from '../internal/validate.js';

/** What a hook has returned: a decision, or a sentence that says what came instead of one. */
type CheckedAnswer = { readonly redirectTo?: string; readonly refuse?: string } | { readonly wrong: string };

/**
 * Checks what a hook has returned: nothing, or an object with no other own key than `redirectTo` or `refuse`. A
 * misspelled refusal must not let anybody in, so everything else is wrong. The sentence has kinds and keys; values may be
 * personal. Each value is read once.
 */
export function checkAnswer(hook: string, answer: unknown): CheckedAnswer {
  const keys = hook === 'onError' ? ['redirectTo'] : ['redirectTo', 'refuse'];
  const choices =
    hook === 'onError'
      ? " or { redirectTo: '/path' }"
      : ", { redirectTo: '/path' } or { refuse: 'your_code' }";
  const wrong = (came: string, meant: string): CheckedAnswer => ({
    wrong: `${hook} returned ${came}; ${meant} If the hook should return nothing, write braces.`,
  });
  if (answer === undefined || answer === null) return {};
  const answerKeys = ownKeys(answer);
  const other = answerKeys?.find((key) => typeof key === 'symbol' || !keys.includes(String(key)));
  if (answerKeys === undefined || other !== undefined || inherits(answer)) {
    const meant = isTold(other) ? nearMiss(other, keys) : undefined;
    return wrong(
      describe(answer, answerKeys),
      meant === undefined ? `it may return nothing${choices}.` : `did you mean ${meant}?`,
    );
  }
  const { redirectTo, refuse } = answer as { readonly redirectTo?: unknown; readonly refuse?: unknown };
  if (redirectTo !== undefined && typeof redirectTo !== 'string') {
    return wrong(`a redirectTo that is ${kindOf(redirectTo)}`, 'it must be a path such as /welcome.');
  }
  const redirect = redirectTo === undefined ? {} : { redirectTo };
  if (!answerKeys.includes('refuse')) return redirect;
  if (typeof refuse === 'string' && refuse !== '') return { ...redirect, refuse };
  return wrong(`a refuse that is ${kindOf(refuse)}`, 'it must be a string that is not empty.');
}

/** Undefined for everything but a plain object, of any realm: a class or a Proxy may have more than it shows. */
function ownKeys(answer: unknown): readonly PropertyKey[] | undefined {
  if (typeof answer !== 'object' || answer === null || types.isProxy(answer)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(answer);
  if (prototype !== null && (types.isProxy(prototype) || Object.getPrototypeOf(prototype) !== null)) {
    return undefined;
  }
  return Reflect.ownKeys(answer);
}

/** A refusal on the prototype was meant by somebody. */
function inherits(answer: object): boolean {
  return ['redirectTo', 'refuse'].some((key) => key in answer && !Object.hasOwn(answer, key));
}

function describe(answer: unknown, answerKeys: readonly PropertyKey[] | undefined): string {
  if (answerKeys === undefined || typeof answer !== 'object' || answer === null) return kindOf(answer);
  if (answerKeys.length === 0) return 'an object that inherits redirectTo or refuse';
  const told = answerKeys.filter(isTold).slice(0, 5);
  const rest = answerKeys.length - told.length;
  const names = [...told, ...(rest > 0 ? [`${rest} more`] : [])];
  if (told.length === 0) return 'an object with other keys';
  return `an object with the key${answerKeys.length === 1 ? '' : 's'} ${new Intl.ListFormat('en-GB').format(names)}`;
}

/** A name of a program, not a text that somebody has typed. */
const isTold = (key: unknown): key is string =>
  typeof key === 'string' && /^[A-Za-z_$][\w$]{0,39}$/.test(key);

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty string';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (types.isProxy(value)) return 'a Proxy';
  if (Array.isArray(value)) return 'an array';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || types.isProxy(prototype)) return 'an object';
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof maker !== 'function' || types.isProxy(maker)) return 'an object';
  const name: unknown = Object.getOwnPropertyDescriptor(maker, 'name')?.value;
  return isTold(name) && name !== 'Object' ? `an object of the class ${name}` : 'an object';
}
