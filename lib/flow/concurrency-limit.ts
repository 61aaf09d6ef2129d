import { IdentityError } from '../errors.js';

/** Lets at most so many pieces of work run at once; the next one is refused as `busy`, not queued. */
export interface ConcurrencyLimit {
  /** Refuses early, before anything is prepared for work that would not be let in. */
  check(): void;
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function limitConcurrency(most: number): ConcurrencyLimit {
  let running = 0;
  const check = (): void => {
    if (running >= most) throw new IdentityError('busy');
  };
  return {
    check,
    async run(work) {
      check();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}
