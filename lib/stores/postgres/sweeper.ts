import { sweepRows } from './statements.js';

/** Runs something once, later; it must keep no process alive. */
export type Later = (ms: number, run: () => Promise<void>) => void;

export const later: Later = (ms, run) => {
  setTimeout(() => void run(), ms).unref();
};

const shortestMs = 30_000;
const longestMs = 90_000;

/**
 * Answers what every write calls: some time after it, what has expired is deleted, batch by batch. Nothing runs
 * where nothing is written. The times differ, so that processes which started together do not sweep together.
 */
export function createSweeper(deleteBatch: () => Promise<number>, wait: Later): () => void {
  let waiting = false;

  return () => {
    if (waiting) return;
    waiting = true;
    wait(shortestMs + Math.random() * (longestMs - shortestMs), sweep);
  };

  async function sweep(): Promise<void> {
    try {
      while ((await deleteBatch()) >= sweepRows);
    } catch {
      // No flow needs this to work: expired rows are never read. The next write brings another try.
    } finally {
      waiting = false;
    }
  }
}
