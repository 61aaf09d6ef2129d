import { IdentityError } from '../errors.js';

/** Lets at most so many pieces of work run at once; the next one is refused as `busy`, not queued. */
export interface Cap {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createCap(most: number): Cap {
  let running = 0;
  return {
    async run(work) {
      if (running >= most) throw new IdentityError('busy');
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}
