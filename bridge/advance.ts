import type { Bridge } from './bridge.js';
import { callbackMs, sendCallback } from './callback.js';
import { type Job, personMs, type StoredJob } from './jobs.js';
import type { Answer } from './verifiers/verifier.js';

/** Longer than a callback takes: a process that is gone by then has been killed, and another one sends. */
const leaseMs = callbackMs + 10_000;
const timedOut = { error: 'timeout', error_description: 'Nobody answered in time.' };

/** Where a job is: it waits for the wallet, its callback is on its way, or there is an outcome. */
export type Stage = 'waiting' | 'sending' | (Job['outcome'] & {});

/**
 * Drives a job on, as far as it goes: looks for the answer, sends the callback, keeps what the app says. Each step is
 * one swap, so that whichever process is asked may do it, and no two do the same one.
 */
export async function advance(bridge: Bridge, id: string, responseCode?: string): Promise<Stage | undefined> {
  const { jobs, now, log } = bridge;
  for (;;) {
    const stored = await jobs.read(id);
    if (stored === undefined) return undefined;
    const { answer, outcome, sendingUntil = 0, startedAt } = stored.job;
    if (outcome !== undefined) return outcome;
    if (sendingUntil > now()) return 'sending';
    if (answer === undefined) {
      const found = await bridge.look(stored.job, responseCode);
      const first = found ?? (now() >= startedAt + personMs ? timedOut : undefined);
      if (first === undefined) return 'waiting';
      const change = await accepted(bridge, stored.job, first);
      if ((await jobs.change(stored, change)) !== undefined)
        log(id, `answered with ${wordFor(change.answer)}`);
    } else {
      const leased = await jobs.change(stored, { sendingUntil: now() + leaseMs });
      if (leased !== undefined) return await deliver(bridge, leased);
    }
  }
}

const wordFor = (answer: Job['answer']): string =>
  typeof answer === 'object' && 'error' in answer ? answer.error : 'a proof';

/** Two proofs with one nonce could be taken for each other, so a nonce that another job has is no answer. */
async function accepted(
  { jobs }: Bridge,
  { id }: Job,
  answer: Answer,
): Promise<Pick<Job, 'answer' | 'nonce' | 'hooked'>> {
  const hooked = undefined; // its proof is in the answer now, or counts no more
  if (!('nonce' in answer) || answer.nonce === undefined) return { answer, hooked };
  if (await jobs.claim('nonce', answer.nonce, id)) return { answer, hooked, nonce: answer.nonce };
  return {
    hooked,
    answer: { error: 'nonce_reused', error_description: 'The verifier gave this nonce to two requests.' },
  };
}

async function deliver({ jobs, log }: Bridge, leased: StoredJob): Promise<Stage> {
  const delivery = await sendCallback(leased.job);
  if ('again' in delivery) {
    log(leased.job.id, `the app ${delivery.again}; the next reload sends the callback again`);
    await jobs.change(leased, { sendingUntil: 0 });
    return 'sending';
  }
  const { outcome } = delivery;
  log(leased.job.id, 'refused' in outcome ? `the app ${outcome.refused}` : 'the app has taken the callback');
  await jobs.change(leased, { outcome, answer: 'taken' });
  return outcome;
}
