import type { Trust } from '../../../types/trust.js';
import type { CheckNumber } from '../../../verify/checks.js';
import { traced } from '../../../verify/jose/enforce.js';
import { createVerifiers } from '../../../verify/verify-presentation.js';
import { checkLinesOf } from '../../inspect/report.js';
import { reachesChecks } from '../scenarios/playable.js';
import type { Judged } from '../timeline/timeline.js';
import type { Job } from './jobs.js';
import type { Service } from './service.js';

/** Judges the presentation of a callback; undefined where the callback has none, or the sandbox does not know the issuer. */
export type Judge = (job: Job, body: string) => Promise<Judged | undefined>;

/**
 * Returns what checks a presentation as an app does that trusts this sandbox, and notes each check. Each presentation has
 * a verifier of its own: one that remembers a key, a path of certificates or a status list does not check it again.
 */
export function createJudge(trust: Trust, { clock, variant }: Pick<Service, 'clock' | 'variant'>): Judge {
  return async ({ request, scenario, flow }, body) => {
    const presentation = new URLSearchParams(body).get('presentation');
    const verify = createVerifiers(trust, { clock, expected: { variant } }).get(request.issuer);
    if (presentation === null || verify === undefined || !reachesChecks(scenario)) return undefined;
    const { issuer, state, revealed: reveal, derived = {} } = request;
    const passed = new Set<CheckNumber>();
    const expected = { issuer, state, reveal, derived, startedAt: flow.startedAt };
    const verdict = await traced(passed, async () => await verify(presentation, expected));
    const failed = verdict.valid ? undefined : verdict.check;
    return {
      checks: checkLinesOf({ passed, ...(failed !== undefined && { failed }) }),
      ...(!verdict.valid && { reason: verdict.reason }),
      ...(failed !== undefined && { failed }),
    };
  };
}
