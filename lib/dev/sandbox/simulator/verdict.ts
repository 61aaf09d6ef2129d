import { isKitErrorCode } from '../../../errors.js';
import { explain } from '../service/reply.js';
import { type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import type { Walk } from './walk.js';

/** What was seen of an app in one scenario. */
export interface Observed {
  readonly walk: Walk;
  /** Whether the guarded page opens afterwards, in any browser; undefined where none was named. */
  readonly opens: boolean | undefined;
  readonly origin: string;
}

export interface ScenarioVerdict {
  readonly passed: boolean;
  /** What the app did. */
  readonly did: string;
  /** What to change, where something is wrong. */
  readonly fix?: string;
  /** Where to read on. */
  readonly read?: string | undefined;
}

/** Compares what an app did with what a good one does. */
export function judgeWalk(id: ScenarioId, observed: Observed): ScenarioVerdict {
  const { ending, phase } = scenarioOf(id);
  const { job, elsewhere } = observed.walk;
  if (isLimited(observed)) return failed(observed, limitedFix);
  if (job === undefined && phase !== 'prove') return notStarted(observed);
  if (elsewhere !== undefined) {
    return failed(
      observed,
      `The return leads to ${elsewhere}, and the robot never leaves the app's origin. Set appUrl or APP_URL to ${observed.origin}.`,
    );
  }
  if (id === 'derived_true' || id === 'derived_false') return judgeDecision(observed);
  if (ending === 'verified') return judgeVerified(observed);
  return ending === 'not_started' ? judgeNotStarted(observed) : judgeRefused(id, observed);
}

/** What to do about a 429 that the app's own rate limiter answered. */
export const limitedFix = 'A rate limiter answered: wait a minute, or lift it for 127.0.0.1 in development.';

export function isLimited({ walk: { start, last, outcome } }: Observed): boolean {
  const byCallback = outcome?.ok === false && outcome.problem.kind === 'status' && outcome.problem.status;
  return [start.response.status, last.response.status, byCallback].includes(429);
}

function did({ walk: { last, outcome, error }, opens }: Observed): string {
  const guard = opens === undefined ? '' : `, and the guarded page ${opens ? 'opens' : 'stays closed'}`;
  if (outcome?.ok === false) {
    const { problem } = outcome;
    const answer = problem.kind === 'status' ? `answered ${problem.status}` : explain(problem).title;
    return `Callback: ${answer}${guard}.`;
  }
  const { pathname } = new URL(last.url);
  return `${last.response.status} at ${pathname}${error === undefined || error === 'unknown' ? '' : ` with ${error}`}${guard}.`;
}

function judgeVerified(observed: Observed): ScenarioVerdict {
  const { walk, opens } = observed;
  const { outcome, error, last } = walk;
  const isFine = outcome?.ok === true && error === undefined && last.response.status < 400 && opens !== false;
  return isFine ? { passed: true, did: did(observed) } : failed(observed, whyNotVerified(observed));
}

function whyNotVerified(observed: Observed): string {
  const { outcome, error } = observed.walk;
  if (outcome?.ok === false) return explain(outcome.problem).fix;
  if (error === 'hook_failed' || error === 'hook_timeout') {
    return "A hook throws or takes too long. The app's terminal shows what it threw.";
  }
  if (error !== undefined) return `The app refused it with ${error}.`;
  if (observed.opens === false && bindsNobody(observed)) return bindsNobodyFix;
  return 'The verification succeeded, but the page stays closed: does the guard require a different request or subject?';
}

function judgeRefused(id: ScenarioId, observed: Observed): ScenarioVerdict {
  const { walk, opens } = observed;
  const { outcome } = walk;
  const fine: ScenarioVerdict = { passed: true, did: did(observed) };
  if (opens === true) {
    return failed(
      observed,
      bindsNobody(observed)
        ? bindsNobodyFix
        : 'Someone got in who must not: what does the app keep, and when?',
    );
  }
  if (outcome?.ok === false) {
    const { problem } = outcome;
    const isExpected = problem.kind === 'lost' || (problem.kind === 'status' && problem.status === 400);
    return isExpected ? fine : failed(observed, explain(problem).fix);
  }
  if (scenarioOf(id).phase === 'callback' && id !== 'foreign_state') {
    return failed(
      observed,
      'The app accepted a callback that the interface does not allow. Only the kit may respond to it.',
    );
  }
  if (walk.error !== undefined || walk.last.response.status >= 400) return fine;
  if (scenarioOf(id).phase === 'return' && bindsNobody(observed)) return failed(observed, bindsNobodyFix);
  return failed(
    observed,
    'Nothing on the last page says that the verification failed. In onError, redirect to a page that does, or return nothing so that the kit shows its own.',
  );
}

function judgeNotStarted(observed: Observed): ScenarioVerdict {
  const { walk, opens } = observed;
  const { response } = walk.last;
  const says = response.status >= 400 || walk.error !== undefined;
  if (walk.job === undefined && says && opens !== true) return { passed: true, did: did(observed) };
  return failed(observed, 'The person must see a page that says that the verification could not start.');
}

/** Whatever the app makes of the answer, it must make something of it. */
function judgeDecision(observed: Observed): ScenarioVerdict {
  const { outcome, last, error } = observed.walk;
  const isDecided = outcome?.ok === true && (last.response.status < 400 || error === 'refused');
  return isDecided ? { passed: true, did: did(observed) } : failed(observed, whyNotVerified(observed));
}

function notStarted(observed: Observed): ScenarioVerdict {
  const { walk, origin } = observed;
  const { start, error } = walk;
  if (error === 'origin_not_allowed') {
    return failed(
      observed,
      `The app's appUrl does not list this address. Set appUrl or APP_URL to ${origin}.`,
    );
  }
  if (error === 'cross_site') {
    return failed(observed, `The app treats its own page as another site's: appUrl is not ${origin}.`);
  }
  if (start.response.status === 404) {
    return failed(
      observed,
      'There is no start route here: is the router mounted where the option path says?',
    );
  }
  if (start.location !== undefined && error === undefined) {
    return failed(
      observed,
      'The start leads elsewhere: run the app with "pidgate dev", or set IDENTITY_BASE_URL to this sandbox.',
    );
  }
  return failed(
    observed,
    "The start must send the browser to this sandbox. The app's terminal may say more.",
  );
}

const bindsNobodyFix =
  "The return address has no code: with confirm: 'callback' no one knows whose browser a result belongs to. Remove confirm, or bind the person in a different way.";

/** The kit's own return address has a code in it. */
function bindsNobody({ walk: { outcome } }: Observed): boolean {
  return outcome?.ok === true && !new URL(outcome.redirectUri).searchParams.has('code');
}

function failed(observed: Observed, fix: string): ScenarioVerdict {
  const { error } = observed.walk;
  const read = error !== undefined && isKitErrorCode(error) ? `docs/errors.md#${error}` : 'docs/sandbox.md';
  return { passed: false, did: did(observed), fix, read };
}
