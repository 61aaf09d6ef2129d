/**
 * An app that gives up on a service that hangs, at once and not after a time: `log` is for the sandbox, `fetch` for
 * the app.
 */
export function impatience(): { log: (line: string) => void; fetch: typeof globalThis.fetch } {
  let hung = new AbortController();
  return {
    log(line) {
      if (!line.includes('prove_hang')) return;
      hung.abort();
      hung = new AbortController();
    },
    async fetch(input, init = {}) {
      const signals = [init.signal, hung.signal].filter((it) => it instanceof AbortSignal);
      return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  };
}
