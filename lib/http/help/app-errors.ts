import { inspect, types } from 'node:util';
import type { Configuration } from '../../options/resolve.js';

/**
 * In development, what a function of the app throws is printed to the terminal with its message and stack. Otherwise
 * they stay in the error's `cause`, because they may be personal.
 */
export function watchOptions(config: Configuration): Configuration {
  const { pages, questions, trust } = config;
  return {
    ...config,
    ...watchedIn(config, ['subject', 'context', 'sameDevice']),
    ...watchedIn(config, ['onVerified', 'onSuccess', 'onError', 'onEvent']),
    pages: { ...pages, ...watchedIn(pages, ['locale', 'render'], 'pages.') },
    questions: new Map(
      [...questions].map(([name, question]) => [
        name,
        { ...question, ...watchedIn(question, ['keep', 'allow']) },
      ]),
    ),
    trust: watchedIn(trust, Object.keys(trust), 'trust.'),
  };
}

/** These options, of which those that are functions report what they throw. */
function watchedIn<T extends object, Name extends keyof T & string>(
  options: T,
  names: readonly Name[],
  prefix = '',
): Pick<T, Name> {
  const reporting = names.map((name) => [name, watched(`${prefix}${name}`, options[name])]);
  return Object.fromEntries(reporting) as Pick<T, Name>;
}

/** A TypeError often comes of a parameter that is not what it was taken for. */
const whatItGets: Readonly<Record<string, string>> = {
  keep: 'It gets the result itself: ({ attributes }) => ….',
  onVerified: 'It gets { result, context, signal, presentation }.',
  onSuccess:
    "It gets { req, result, context, signal } (no req with confirm: 'callback'), and no res: return { redirectTo: '/path' }.",
  onError: 'It gets { error, step, flow, question, supportCode, context }.',
};

/** The function, which reports what it throws; sync stays sync, async stays async. */
export function watched<F>(name: string, fn: F): F {
  if (typeof fn !== 'function') return fn;
  const report = (error: unknown): never => {
    const words = error instanceof Error ? (error.stack ?? error.message) : inspect(error);
    const gets = error instanceof TypeError && whatItGets[name];
    const warning = { type: 'PidgateWarning', code: 'PIDGATE_HOOK' };
    process.emitWarning(`pidgate: ${name} failed${gets ? `. ${gets}` : ':'} ${words}`, warning);
    throw error;
  };
  const reporting = (...args: unknown[]): unknown => {
    try {
      const value: unknown = Reflect.apply(fn, undefined, args);
      return types.isPromise(value) ? value.catch(report) : value;
    } catch (error) {
      return report(error);
    }
  };
  return reporting as F;
}
