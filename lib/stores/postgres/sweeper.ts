import { sweepRows } from './statements.js';

/** Runs a function once, later. It must not keep the process alive. */
export type Later = (ms: number, run: () => Promise<void>) => void;

export const later: Later = (ms, run) => {
  setTimeout(() => void run(), ms).unref();
};

const minMs = 30_000;
const maxMs = 90_000;

/**
 * Returns the function that every write calls. Some time later, expired rows are deleted, batch by batch. Without
 * writes, nothing runs. The delay is random, so that processes which started together do not sweep together.
 */
export function createSweeper(deleteBatch: () => Promise<number>, wait: Later): () => void {
  let waiting = false;

  return () => {
    if (waiting) return;
    waiting = true;
    wait(minMs + Math.random() * (maxMs - minMs), sweep);
  };

  async function sweep(): Promise<void> {
    try {
      while ((await deleteBatch()) >= sweepRows);
    } catch {
      // A failure does no harm: expired rows are never read, and the next write tries again.
    } finally {
      waiting = false;
    }
  }
}
