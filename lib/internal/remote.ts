/** What was loaded, and for how long it is good. Times in milliseconds. */
export interface Loaded<Value> {
  readonly value: Value;
  readonly at: number;
  /** From then on a newer one is loaded. */
  readonly freshUntil: number;
  /** From `freshUntil` until then it is used all the same, and nobody waits for the newer one. Default: not at all. */
  readonly countsUntil?: number;
}

interface Source<Value, Runtime> {
  readonly load: (runtime: Runtime) => Promise<Loaded<Value>>;
  /** For how many milliseconds after a failure, or after a call of `renew`, nothing is loaded again. */
  readonly cooldown: number;
  /** False for a value that does not count any more, however fresh it is. */
  readonly stillCounts?: (value: Value) => boolean;
}

/** Something that others publish, kept in this process. */
export interface Remote<Value, Runtime> {
  /** Returns the value that counts, loaded now if there is none. Throws why there is none. */
  readonly current: (runtime: Runtime) => Promise<Value>;
  /** For a caller to whom the current value is not enough: returns a newer one, if one may be loaded. */
  readonly renew: (runtime: Runtime) => Promise<Value>;
  /** What was loaded last, whether it counts or not. */
  readonly latest: () => Value | undefined;
}

/**
 * Keeps what is loaded from elsewhere. All callers share one load. A failure is remembered for the cooldown, so that
 * an attacker who can cause a load causes no more than one in that time. What was loaded under a clock that has since
 * been set back is loaded anew: it would count too long.
 */
export function remote<Value, Runtime extends { readonly clock: () => Date }>({
  load,
  cooldown,
  stillCounts = () => true,
}: Source<Value, Runtime>): Remote<Value, Runtime> {
  let kept: Loaded<Value> | undefined;
  let underway: Promise<Value> | undefined;
  let failed: { readonly at: number; readonly error: unknown } | undefined;
  let renewedAt = -Infinity;

  const isRecent = (at: number, now: number): boolean => Math.abs(now - at) < cooldown;

  const usable = (now: number, until: 'freshUntil' | 'countsUntil'): Loaded<Value> | undefined => {
    if (kept === undefined || kept.at > now || !stillCounts(kept.value)) return undefined;
    return now < (kept[until] ?? kept.freshUntil) ? kept : undefined;
  };

  const begin = async (runtime: Runtime, now: number): Promise<Value> => {
    try {
      kept = await load(runtime);
      failed = undefined;
      return kept.value;
    } catch (error) {
      failed = { at: now, error };
      throw error;
    } finally {
      underway = undefined;
    }
  };

  /** Joins the load under way, or begins one unless the last one has just failed. */
  const loadOnce = async (runtime: Runtime, now: number): Promise<Value> => {
    if (underway === undefined && failed !== undefined && isRecent(failed.at, now)) throw failed.error;
    underway ??= begin(runtime, now);
    return await underway;
  };

  return {
    async current(runtime) {
      for (;;) {
        const now = runtime.clock().getTime();
        const fresh = usable(now, 'freshUntil');
        if (fresh !== undefined) return fresh.value;
        const newer = loadOnce(runtime, now);
        const stale = usable(now, 'countsUntil');
        if (stale !== undefined) {
          newer.catch(() => undefined); // remembered as failed
          return stale.value;
        }
        // What others had begun to load may have stopped counting meanwhile.
        const value = await newer;
        if (stillCounts(value)) return value;
      }
    },
    async renew(runtime) {
      const now = runtime.clock().getTime();
      if (underway === undefined && isRecent(renewedAt, now) && failed === undefined && kept !== undefined) {
        return kept.value;
      }
      if (underway === undefined) renewedAt = now;
      return await loadOnce(runtime, now);
    },
    latest: () => kept?.value,
  };
}
