import type { Log } from './log.js';

const minuteMs = 60_000;
const momentMs = 10_000;

/**
 * Tells of what others run and the bridge needs: when it begins to fail, once a minute how often it has failed meanwhile,
 * and when it answers again. So ten minutes are twelve lines, and not one for each question of each open page. Another
 * reason is told at once, up to ten in a minute.
 */
export function createOutage(what: string, log: Log, now: () => number) {
  let since: number | undefined;
  let [failures, minute] = [0, -Infinity];
  const told = new Set<string>();
  return {
    /** Since when it fails. */
    since: () => since,

    fails(why: string): void {
      since ??= now();
      failures += 1;
      if (now() - minute >= minuteMs) {
        minute = now();
        told.clear();
      }
      if (told.has(why) || told.size === 10) return;
      told.add(why);
      log.warn({ failures, why }, `${what} fails`);
      failures = 0;
    },

    /** A failure of a moment is told when it begins, and not when it is over. */
    works(): void {
      if (since === undefined) return;
      const seconds = Math.round((now() - since) / 1000);
      since = undefined;
      if (seconds * 1000 < momentMs) return;
      log.info({ seconds, failures }, `${what} answers again`);
      [failures, minute] = [0, -Infinity];
    },
  };
}
