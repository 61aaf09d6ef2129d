import type { Bridge } from './bridge.js';
import { callbackMs, sendCallback } from './callback.js';
import { nameOf } from './log.js';
import { type Job, personMs, type StoredJob } from './jobs.js';
import type { Finding, Found } from './verifiers/verifier.js';

/** Longer than a callback takes: a process that is gone by then has been killed, and another one sends. */
const leaseMs = callbackMs + 10_000;
/** So long the proof may be on its way to the hook: it is posted once, and never again. */
const hookMs = 60_000;

/** Where a job is: it waits for the wallet, its answer is on its way, or there is an outcome. */
export type Stage = 'waiting' | 'on its way' | (Job['outcome'] & {});

/**
 * Drives a job on, as far as it goes: looks for the answer, sends the callback, keeps what the app says. Each step is
 * one swap, so that whichever process is asked may do it, and no two do the same one.
 */
export async function advance(bridge: Bridge, id: string, responseCode?: string): Promise<Stage | undefined> {
  const { jobs, now } = bridge;
  for (;;) {
    const stored = await jobs.read(id);
    if (stored === undefined) return undefined;
    const { answer, answeredAt, outcome, sendingUntil = 0 } = stored.job;
    if (outcome !== undefined) return outcome;
    if (sendingUntil > now()) return 'on its way';
    if (answer === undefined) {
      const found = await bridge.look(stored.job, responseCode);
      const first = typeof found === 'object' ? found : overdue(bridge, stored.job, found);
      if (first !== undefined) await keep(bridge, stored, first);
      else if (found === 'on its way' && answeredAt === undefined)
        await jobs.change(stored, { answeredAt: now() }); // from here its time counts, on our own clock
      else return found === 'on its way' ? found : 'waiting';
    } else {
      const leased = await jobs.change(stored, { sendingUntil: now() + leaseMs });
      if (leased !== undefined) return await deliver(bridge, leased);
    }
  }
}

/** What the app is told if nothing has come in time. */
function overdue({ now, hookUrl }: Bridge, { startedAt, answeredAt = now() }: Job, found: Found) {
  if (found !== 'on its way') {
    if (now() < startedAt + personMs) return undefined;
    return { error: 'timeout', error_description: 'Nobody answered in time.' };
  }
  if (now() < Math.min(answeredAt + hookMs, startedAt + personMs + hookMs / 2)) return undefined;
  const reason = `the verifier has posted nothing to ${hookUrl}/hook/…`;
  return { error: 'proof_lost', error_description: 'The proof did not reach the bridge.', reason };
}

/**
 * Keeps the answer, if no other one is kept. Two proofs with one nonce could be taken for each other, so a nonce that
 * another job has is no answer.
 */
async function keep(
  { jobs, log, metrics }: Bridge,
  stored: StoredJob,
  { reason, ...found }: Finding,
): Promise<void> {
  const { id } = stored.job;
  const hooked = undefined; // its proof is in the answer now, or counts no more
  const nonce = 'nonce' in found ? found.nonce : undefined;
  const isOurs = nonce === undefined || (await jobs.claim('nonce', nonce, id));
  const answer = isOurs
    ? found
    : { error: 'nonce_reused', error_description: 'The verifier gave this nonce to two requests.' };
  const change = isOurs && nonce !== undefined ? { answer, hooked, nonce } : { answer, hooked };
  if ((await jobs.change(stored, change)) === undefined) return;
  const what = 'error' in answer ? answer.error : 'proof';
  log.info({ job: nameOf(id), answer: what, ...(reason && { reason }) }, 'answered');
  metrics.answer(what);
}

async function deliver({ jobs, log, metrics }: Bridge, leased: StoredJob): Promise<Stage> {
  const job = nameOf(leased.job.id);
  const delivery = await sendCallback(leased.job);
  if ('again' in delivery) {
    const { again } = delivery;
    metrics.callback('again');
    if (again !== leased.job.again)
      log.warn(
        { job, app: leased.job.app.name, why: again },
        'the app has not taken the callback: it is sent again',
      );
    await jobs.change(leased, { sendingUntil: 0, again });
    return 'on its way';
  }
  const { outcome } = delivery;
  if ('refused' in outcome)
    log.warn({ job, app: leased.job.app.name, why: outcome.refused }, 'the app has refused the callback');
  else log.info({ job }, 'the app has taken the callback');
  metrics.callback('refused' in outcome ? 'refused' : 'taken');
  await jobs.change(leased, { outcome, answer: 'taken' });
  return outcome;
}
