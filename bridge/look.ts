import type { Bridge } from './bridge.js';
import type { Job } from './jobs.js';
import type { Found } from './verifiers/verifier.js';

export type Look = (job: Job, responseCode: string | undefined) => Promise<Found>;

/**
 * Looks for the answer at the verifier: one look at a time for each job in this process. Whoever asks meanwhile waits for
 * that one, so that a slow verifier is not asked more often than a quick one.
 */
export function createLook({ result }: Pick<Bridge['verifier'], 'result'>): Look {
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

  async function look({ request, sameDevice, hooked }: Job, responseCode: string | undefined) {
    try {
      return await result({ request, sameDevice, responseCode, hooked });
    } catch {
      return undefined; // it is noted, and the page asks again
    }
  }
}
