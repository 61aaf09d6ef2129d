/** Raised by {@link withTimeout}: the work was not done in time. */
export class TimeoutError extends Error {}

/** The longest time that a timer of Node can wait, 24.8 days; one that is set for longer goes off at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Runs the work for at most so many milliseconds. The caller then goes on, even if the work does not. */
export function withTimeout<T>(
  ms: number,
  work: () => Promise<T> | T,
  onLate?: (passed: TimeoutError) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const answer = work();
    if (!isThenable(answer)) {
      resolve(answer); // what is there at once needs no timer
      return;
    }
    const giveUp = () => {
      const passed = new TimeoutError('The deadline has passed.');
      reject(passed);
      onLate?.(passed);
    };
    const timer = setTimeout(giveUp, Math.min(ms, maxTimerMs));
    const inTime =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    Promise.resolve(answer).then(inTime(resolve), inTime(reject));
  });
}

export const isThenable = <T>(answer: Promise<T> | T): answer is Promise<T> =>
  typeof (answer as { then?: unknown } | null | undefined)?.then === 'function';

/** Tells work to stop. */
export interface Cancellation {
  readonly signal: AbortSignal;
  /** Calls this function, in place of an earlier one, when the deadline has passed and before the signal is aborted. */
  readonly onLate: (stop: () => void) => void;
}

/** As {@link withTimeout}, for work that stops when it is told to. */
export function withTimeoutSignal<T>(
  ms: number,
  work: (deadline: Cancellation) => Promise<T> | T,
): Promise<T> {
  let controller: AbortController | undefined;
  let late: TimeoutError | undefined;
  let stop: (() => void) | undefined;
  const deadline: Cancellation = {
    // Made where it is asked for: few hooks do.
    get signal() {
      controller ??= new AbortController();
      if (late !== undefined) controller.abort(late);
      return controller.signal;
    },
    onLate(stopWork) {
      stop = stopWork;
      if (late !== undefined) stopWork();
    },
  };
  const giveUp = (passed: TimeoutError) => {
    late = passed;
    stop?.();
    controller?.abort(passed);
  };
  return withTimeout(ms, () => work(deadline), giveUp);
}

/** Milliseconds, or a string such as `'30s'`, `'10m'`, `'8h'`, `'30d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns the milliseconds of a duration such as 30000 or '30s', or undefined if it is not one. */
export function toMilliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? value : undefined;
  const [, amount, unit] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value)) || [];
  if (amount === undefined || unit === undefined) return undefined;
  const ms = Number(amount) * units[unit as keyof typeof units];
  return ms > 0 ? ms : undefined;
}

/** Returns a number of seconds for an operator, rounded up so that it is never shorter than what was checked. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole === 1 ? '1 second' : `${whole} seconds`;
}

const wholeUnits = [
  [units.d, 'day'],
  [units.h, 'hour'],
  [units.m, 'minute'],
  [units.s, 'second'],
] as const;

/** Returns milliseconds in the largest unit that they fill, rounded up. */
export function inWholeUnits(ms: number): { amount: number; unit: (typeof wholeUnits)[number][1] } {
  const [size, unit] = wholeUnits.find(([least]) => ms >= least) ?? ([units.s, 'second'] as const);
  return { amount: Math.ceil(ms / size), unit };
}
