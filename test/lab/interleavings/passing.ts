import { clockMoves } from './life.js';
import { waits } from './life-answers.js';
import type { Stage } from './stage.js';

/** What lib gives a call of the store. */
const storeTimeout = 5_000;

/** Time passes, whoever is at work. */
export function pass(stage: Stage, ms: number): void {
  stage.time.forward(ms);
  passed(stage);
}

/**
 * Time passes up to what is due next; false where nothing is. As nothing else was ready, whoever is not kept by the
 * store or by a hook waits for a lease, and only one may.
 */
export function passIdly(stage: Stage): boolean {
  if (!stage.time.toNext()) return false;
  const { life, stuck, underWay } = stage;
  const kept = new Set([...underWay].map(({ by }) => by));
  if (life.lease !== undefined) kept.add(life.lease.by); // it may wait for the claim of the session
  for (const [by, until] of stuck) if (until > life.now) kept.add(by);
  waits(life, kept);
  passed(stage);
  return true;
}

/** Calls of the store that take too long have failed, whatever becomes of them. */
function passed({ time, life, underWay }: Stage): void {
  for (const { by, since } of underWay) if (since + storeTimeout <= time.now()) by.storeFailed = true;
  clockMoves(life, time.now());
}
