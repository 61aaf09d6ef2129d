import { setTimeout as delay } from 'node:timers/promises';
import type { FlowDeps } from './context.js';

const maxPauseMs = 250;

/**
 * Asks again and again, for as long as one hook may take. Only one waits for a name in this process: the others, and
 * the one whose wait timed out, get false, and come back later.
 */
export async function waitUntil(
  deps: Pick<FlowDeps, 'waiting' | 'hookTimeout'>,
  name: string,
  isFree: () => Promise<boolean>,
): Promise<boolean> {
  if (deps.waiting.has(name)) return false;
  deps.waiting.add(name);
  try {
    const patience = performance.now() + deps.hookTimeout;
    for (let pause = 10; performance.now() < patience; pause = Math.min(pause * 2, maxPauseMs)) {
      await delay(pause);
      if (await isFree()) return true;
    }
    return false;
  } finally {
    deps.waiting.delete(name);
  }
}
