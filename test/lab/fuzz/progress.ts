/** Counts the requests that were answered, so that a slow sender can let others go first. */
export interface Progress {
  readonly answered: () => void;
  /** Resolves when so many more were answered, or when nothing more will come. */
  readonly after: (count: number) => Promise<void>;
  readonly finish: () => void;
}

export function createProgress(): Progress {
  let count = 0;
  let over = false;
  const waiting: { readonly at: number; readonly go: () => void }[] = [];
  const wake = (): void => {
    for (let index = waiting.length - 1; index >= 0; index -= 1) {
      const one = waiting[index];
      if (one === undefined || (one.at > count && !over)) continue;
      waiting.splice(index, 1);
      one.go();
    }
  };
  return {
    answered() {
      count += 1;
      wake();
    },
    async after(more) {
      if (over) return;
      await new Promise<void>((go) => waiting.push({ at: count + more, go }));
    },
    finish() {
      over = true;
      wake();
    },
  };
}
