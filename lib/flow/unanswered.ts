import type { Log } from '../types/events.js';
import type { Clock } from '../types/json.js';

interface UnansweredSettings {
  readonly clock: Clock;
  readonly flowTtl: number;
  readonly log: Log;
}

/** So many starts without an answer are no accident: people close a page, but not all of them do. */
const minStarts = 40;
const quietMs = 60 * 60_000;

/**
 * Tells the operator of verifications that are started and never answered: nothing else in the log says so. It waits for
 * one flow's life, because people may still be in their wallets. A return in this process is an answer too: the callback
 * may have come to another one.
 */
export function createUnanswered({ clock, flowTtl, log }: UnansweredSettings) {
  let starts = 0;
  let since = 0;
  let toldAt = -Infinity;
  return {
    started(): void {
      const now = clock().getTime();
      if (starts === 0) since = now;
      starts += 1;
      if (starts < minStarts || now - since < flowTtl || now - toldAt < quietMs) return;
      toldAt = now;
      log.warn(
        `${starts} verifications were started and none was answered: is the callback's address right in the service's portal?`,
      );
    },
    answered(): void {
      starts = 0;
    },
  };
}
