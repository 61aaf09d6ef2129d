import type { Bridge } from './bridge.js';
import type { Job } from './jobs.js';
import { type Found, verifierMs } from './verifiers/verifier.js';
import { reasonOf, within } from './within.js';

export type Look = (job: Job, responseCode: string | undefined) => Promise<Found>;

/**
 * Looks for the answer at the verifier: one look at a time for each job in this process. Whoever asks meanwhile waits for
 * that one, so that a slow verifier is not asked more often than a quick one.
 */
export function createLook({ verifier, log }: Pick<Bridge, 'verifier' | 'log'>): Look {
  const underWay = new Map<string, { code: string | undefined; found: ReturnType<Look> }>();

  return async (job, responseCode) => {
    for (let other = underWay.get(job.id); other !== undefined; other = underWay.get(job.id)) {
      const found = await other.found;
      if (found !== undefined || other.code === responseCode) return found;
    }
    const found = look(job, responseCode).finally(() => underWay.delete(job.id));
    underWay.set(job.id, { code: responseCode, found });
    return await found;
  };

  async function look({ id, request, sameDevice, hooked }: Job, responseCode: string | undefined) {
    const question = { request, sameDevice, responseCode, hooked };
    try {
      return await within(verifierMs, async (signal) => await verifier.result({ ...question, signal }));
    } catch (error) {
      log(id, `the verifier fails: ${reasonOf(error)}`); // the page asks again
      return undefined;
    }
  }
}
