/** Runs work that stops when its time is over. The timer ends with the work, so that none piles up. */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no answer in ${ms / 1000} seconds`)), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Why a call failed, for the log: what the network says, where it says something. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
  return cause?.code ?? message;
}
