/** Raised by {@link within}: the work was not done in time. */
export class DeadlinePassed extends Error {}

/** A timer that is set for longer goes off at once. */
const longest = 2 ** 31 - 1;

/**
 * Runs the work for at most so many milliseconds. The signal tells it to stop; whether it listens or not, the
 * caller goes on.
 */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T> | T): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        const passed = new DeadlinePassed('The deadline has passed.');
        reject(passed);
        controller.abort(passed);
      },
      Math.min(ms, longest),
    );
  });
  try {
    return await Promise.race([(async () => await work(controller.signal))(), late]);
  } finally {
    clearTimeout(timer);
  }
}
