/**
 * A hook that throws is told to `onError`, which most apps only log the code of. In development its own words and
 * stack go to the terminal too; anywhere else they stay in the error's `cause`, since they may be personal.
 */
export function showingFailure<Args extends readonly unknown[]>(
  mode: string | undefined,
  name: string,
  hook: ((...args: Args) => unknown) | undefined,
): ((...args: Args) => unknown) | undefined {
  if (hook === undefined || mode !== 'development') return hook;
  return async (...args) => {
    try {
      return await hook(...args);
    } catch (error) {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.emitWarning(`pidgate: ${name} failed: ${words}`, {
        type: 'PidgateWarning',
        code: 'PIDGATE_HOOK',
      });
      throw error;
    }
  };
}
