import { configInvalid, kitError } from '../../errors.js';
import { ignoreRejection } from '../../internal/ignore-rejection.js';

/** Calls a function that the app gave as an option. A wrong answer is refused by name: a Promise, say, is no answer. */
export function callOption<T>(
  option: string,
  ask: () => unknown,
  fits: (answer: unknown) => answer is T,
  must: string,
): T {
  let answer: unknown;
  try {
    answer = ask();
  } catch (cause) {
    throw kitError('hook_failed', { message: `Option ${option}: the function failed.`, cause });
  }
  if (fits(answer)) return answer;
  ignoreRejection(answer);
  throw configInvalid(`Option ${option}: the function must answer ${must}.`);
}
