import { types } from 'node:util';
import { isPlainObject, nearMiss } from '../internal/validate.js';

/** What a hook has returned: a decision, or a sentence that says what came instead of one. */
type CheckedAnswer = { readonly redirectTo?: string; readonly refuse?: string } | { readonly wrong: string };

/**
 * Checks what a hook has returned: nothing, or a plain object with no other own key than `redirectTo` or `refuse`. A
 * misspelled refusal must not let anybody in, so everything else is wrong. The sentence names keys and no values, which
 * may be personal. Each value is read once. `isOwnWord` says whether a word may name a refusal.
 */
export function checkAnswer(
  hook: string,
  answer: unknown,
  isOwnWord: (word: string) => boolean,
): CheckedAnswer {
  if (answer === undefined || answer === null) return {};
  const known = hook === 'onError' ? ['redirectTo'] : ['redirectTo', 'refuse'];
  const wrong = (came: string, meant: string): CheckedAnswer => ({
    wrong: `${hook} returned ${came}; ${meant} If the hook should return nothing, write braces.`,
  });
  const examples = ["{ redirectTo: '/path' }", "{ refuse: 'your_code' }"].slice(0, known.length);
  const allowed = `it may return nothing or ${examples.join(' or ')}.`;
  // Of a proxy the keys are what its handler says.
  if (types.isProxy(answer) || !isPlainObject(answer)) {
    return wrong(typeof answer === 'object' ? 'an object that is not plain' : `a ${typeof answer}`, allowed);
  }
  const keys = Reflect.ownKeys(answer);
  const other = keys.find((key) => !known.includes(key as string));
  if (other !== undefined) {
    const meant = isTold(other) ? nearMiss(other, known) : undefined;
    return wrong(describe(keys), meant === undefined ? allowed : `did you mean ${meant}?`);
  }
  const { redirectTo, refuse } = answer;
  if (redirectTo !== undefined && typeof redirectTo !== 'string') {
    return wrong('a redirectTo that is not a string', 'it must be a path such as /welcome.');
  }
  const redirect = redirectTo === undefined ? {} : { redirectTo };
  if (!keys.includes('refuse')) return redirect;
  if (typeof refuse === 'string' && isOwnWord(refuse)) return { ...redirect, refuse };
  return wrong(
    'a refuse that is no word of your own',
    "write { refuse: 'your_code' }: small letters, digits and _, and none of pidgate's codes.",
  );
}

function describe(keys: readonly PropertyKey[]): string {
  const told = keys.filter(isTold).slice(0, 5);
  if (told.length === 0) return 'an object with other keys';
  const names = told.length < keys.length ? [...told, 'others'] : told;
  return `an object with the key${keys.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

/** A name of a program, not a text that somebody has typed. */
const isTold = (key: PropertyKey): key is string =>
  typeof key === 'string' && /^[A-Za-z_$][\w$]{0,39}$/.test(key);
