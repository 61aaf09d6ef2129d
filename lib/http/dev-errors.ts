import { inspect, types } from 'node:util';
import type { Configuration } from '../options/resolve.js';

/**
 * In development, what a function of the app throws goes to the terminal in its own words, with its stack. Anywhere else
 * these stay in the error's `cause`, because they may be personal.
 */
export function showFailures(config: Configuration): Configuration {
  if (config.mode !== 'development') return config;
  const { pages, requests, trust } = config;
  return {
    ...config,
    subject: reportingErrors('subject', config.subject),
    context: reportingErrors('context', config.context),
    sameDevice:
      typeof config.sameDevice === 'function'
        ? reportingErrors('sameDevice', config.sameDevice)
        : config.sameDevice,
    onVerified: reportingErrors('onVerified', config.onVerified),
    onSuccess: reportingErrors('onSuccess', config.onSuccess),
    onError: reportingErrors('onError', config.onError),
    onEvent: reportingErrors('onEvent', config.onEvent),
    pages: {
      ...pages,
      locale: reportingErrors('pages.locale', pages.locale),
      render: reportingErrors('pages.render', pages.render),
    },
    requests: new Map(
      [...requests].map(([name, it]) => [name, { ...it, keep: reportingErrors('keep', it.keep) }]),
    ),
    trust: Object.fromEntries(
      Object.entries(trust).map(([issuer, entry]) => [
        issuer,
        typeof entry === 'function' ? reportingErrors(`trust.${issuer}`, entry) : entry,
      ]),
    ),
  };
}

/** The same for one function that is no option of the factory. */
export function reportErrorsOf<F extends ((...args: never) => unknown) | undefined>(
  mode: string | undefined,
  name: string,
  fn: F,
): F {
  return mode === 'development' ? reportingErrors(name, fn) : fn;
}

/** The function, which shows what it throws; it stays as synchronous as it is. */
function reportingErrors<F extends ((...args: never) => unknown) | undefined>(name: string, fn: F): F {
  if (fn === undefined) return fn;
  const failed = (error: unknown): never => {
    const words = error instanceof Error ? (error.stack ?? error.message) : inspect(error);
    process.emitWarning(`pidgate: ${name} failed: ${words}`, {
      type: 'PidgateWarning',
      code: 'PIDGATE_HOOK',
    });
    throw error;
  };
  const whole = (...args: never): unknown => {
    try {
      const answer = fn(...args);
      return types.isPromise(answer) ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
  return whole as F;
}
