/** Waits for the work of a laboratory; fails where it has not ended in time, and says what is still open. */
export async function endsWithin<T>(ms: number, work: Promise<T>, open: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Not ended after ${ms / 1000} s: ${open()}`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
