import type { Log } from './log.js';

const minuteMs = 60_000;
const momentMs = 10_000;

/**
 * Tells of what others run and the bridge needs: when it begins to fail, once a minute how often it has failed meanwhile,
 * and when it answers again. So ten minutes are twelve lines, and not one for each question of each open page.
 */
export function createOutage(what: string, log: Log, now: () => number) {
  let since: number | undefined;
  let [failures, toldAt] = [0, -Infinity];
  return {
    /** Since when it fails. */
    since: () => since,

    fails(why: string): void {
      since ??= now();
      failures += 1;
      if (now() - toldAt < minuteMs) return;
      log.warn({ failures, why }, `${what} fails`);
      [failures, toldAt] = [0, now()];
    },

    /** A failure of a moment is told when it begins, and not when it is over. */
    works(): void {
      if (since === undefined) return;
      const seconds = Math.round((now() - since) / 1000);
      since = undefined;
      if (seconds * 1000 < momentMs) return;
      log.info({ seconds, failures }, `${what} answers again`);
      [failures, toldAt] = [0, -Infinity];
    },
  };
}
