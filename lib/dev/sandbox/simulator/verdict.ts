import { isKitErrorCode } from '../../../errors.js';
import { explain } from '../pages/problem-texts.js';
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
  if (job === undefined && phase !== 'prove') return notStarted(observed);
  if (elsewhere !== undefined) {
    return failed(
      observed,
      `The way back leads to ${elsewhere}, where the robot does not go. Set appUrl or APP_URL to ${observed.origin}.`,
    );
  }
  if (id === 'derived_true' || id === 'derived_false') return judgeDecision(observed);
  if (ending === 'verified') return judgeVerified(observed);
  return ending === 'not_started' ? judgeNotStarted(observed) : judgeRefused(id, observed);
}

function did({ walk: { last, outcome, error }, opens }: Observed): string {
  const guard = opens === undefined ? '' : `, and the guarded page ${opens ? 'opens' : 'stays shut'}`;
  if (outcome?.ok === false) {
    const { problem } = outcome;
    const answer = problem.kind === 'status' ? `answered ${problem.status}` : explain(problem).title;
    return `The callback: ${answer}${guard}.`;
  }
  const { pathname } = new URL(last.url);
  return `${last.response.status} at ${pathname}${error === undefined ? '' : ` with ${error}`}${guard}.`;
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
    return 'A hook throws or takes too long. The terminal of the app shows what it threw.';
  }
  if (error !== undefined) return `The app refused it with ${error}.`;
  if (observed.opens === false && bindsNobody(observed)) return bindsNobodyFix;
  return 'The verification succeeded, and yet the page stays shut: does the guard ask for another request or subject?';
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
        : 'Somebody got in who must not: what does the app keep, and when?',
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
      'The app took a callback that the interface does not allow. Only the kit may answer it.',
    );
  }
  if (walk.error !== undefined || walk.last.response.status >= 400) return fine;
  if (scenarioOf(id).phase === 'return' && bindsNobody(observed)) return failed(observed, bindsNobodyFix);
  return failed(
    observed,
    'Nothing on the last page says that the verification failed. In onError, lead to a page that does, or return nothing: then the kit shows its own.',
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
      `The app's appUrl does not name this address. Set appUrl or APP_URL to ${origin}.`,
    );
  }
  if (error === 'cross_site') {
    return failed(observed, `The app takes its own page for a foreign one: appUrl is not ${origin}.`);
  }
  if (start.response.status === 404) {
    return failed(observed, 'There is no start here: is the router mounted where the option path says?');
  }
  if (start.location !== undefined && error === undefined) {
    return failed(
      observed,
      'The start leads elsewhere: run the app by "pidgate dev", or set IDENTITY_BASE_URL to this sandbox.',
    );
  }
  return failed(
    observed,
    'The start must send the browser to this sandbox. The terminal of the app may tell more.',
  );
}

const bindsNobodyFix =
  "The return address has no code: with confirm: 'callback' nobody knows whose browser a result belongs to. Leave confirm out, or bind the person in another way.";

/** The kit's own return address has a code in it. */
function bindsNobody({ walk: { outcome } }: Observed): boolean {
  return outcome?.ok === true && !new URL(outcome.redirectUri).searchParams.has('code');
}

function failed(observed: Observed, fix: string): ScenarioVerdict {
  const { error } = observed.walk;
  const read = error !== undefined && isKitErrorCode(error) ? `docs/errors/${error}.md` : 'docs/sandbox.md';
  return { passed: false, did: did(observed), fix, read };
}
