/** Raised by {@link within}: the work was not done in time. */
export class DeadlinePassed extends Error {}

/**
 * Runs the work for at most so many milliseconds. The signal tells it to stop; whether it listens or not, the
 * caller goes on.
 */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T> | T): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const passed = new DeadlinePassed('The deadline has passed.');
      reject(passed);
      controller.abort(passed);
    }, ms);
  });
  try {
    return await Promise.race([(async () => await work(controller.signal))(), late]);
  } finally {
    clearTimeout(timer);
  }
}
