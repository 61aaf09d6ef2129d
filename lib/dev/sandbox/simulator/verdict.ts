import { isKitErrorCode } from '../../../errors.js';
import { fixOf } from '../../../set-up/list.js';
import { explain } from '../service/reply.js';
import { type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import type { Seen } from './browser.js';
import type { Walk } from './walk.js';

/** What was seen of an app in one scenario. */
export interface Observed {
  readonly walk: Walk;
  /** The guarded page afterwards, in a browser for which it opens if there is one; undefined where none was named. */
  readonly guarded: Seen | undefined;
  readonly origin: string;
  /** Where the sandbox's own pages are. */
  readonly sandbox: string;
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
export const limitedFix = `A rate limiter answered. ${fixOf('callback-limited')} In development, lift it for 127.0.0.1, or wait until its window is over.`;

export function isLimited({ walk: { start, last, outcome } }: Observed): boolean {
  const byCallback = outcome?.ok === false && outcome.problem.kind === 'status' && outcome.problem.status;
  return [start.response.status, last.response.status, byCallback].includes(429);
}

/** Whether a page shows what is on it, and does not send on or refuse. */
export const isOpen = ({ response }: Seen): boolean => response.ok;

/** Where a page sends the browser on. */
export function leadsTo({ location, url }: Seen): URL | undefined {
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

function did({ walk: { last, outcome, error }, guarded }: Observed): string {
  const guard =
    guarded === undefined ? '' : `; the guarded page ${isOpen(guarded) ? 'opens' : 'stays closed'}`;
  if (outcome?.ok === false) {
    const { problem } = outcome;
    const answer = problem.kind === 'status' ? `answered ${problem.status}` : explain(problem).title;
    return `Callback: ${answer}${guard}.`;
  }
  const { pathname } = new URL(last.url);
  return `${told(error).trim() || last.response.status} at ${pathname}${guard}.`;
}

const opens = ({ guarded }: Observed): boolean | undefined => guarded && isOpen(guarded);

/** The code that the app showed, where it showed one. */
const told = (error: string | undefined): string =>
  error === undefined || error === 'unknown' ? '' : ` ${error}`;

function judgeVerified(observed: Observed): ScenarioVerdict {
  const { outcome, error, last } = observed.walk;
  const isFine =
    outcome?.ok === true && error === undefined && last.response.status < 400 && opens(observed) !== false;
  return isFine ? { passed: true, did: did(observed) } : failed(observed, whyNotVerified(observed));
}

function whyNotVerified(observed: Observed): string {
  const { outcome, error, last } = observed.walk;
  if (outcome?.ok === false) return explain(outcome.problem).fix;
  if (error === 'hook_failed' || error === 'hook_timeout') {
    return "A hook or keep threw, took too long, or returned something that it must not. The app's terminal names it.";
  }
  if (outcome?.ok === true && error === 'unknown') {
    const { pathname } = new URL(last.url);
    return pathname === new URL(outcome.redirectUri ?? last.url).pathname
      ? `The return does not find the session that started (${last.response.status}): is its cookie Secure on http, or for a different domain or path, or have several processes different session secrets or stores?`
      : `The verification succeeded, but ${pathname}, where the return leads, responds with ${last.response.status}.`;
  }
  if (error === 'identity_insufficient') {
    return "The allow of the question or of the guard refused the sandbox's person. Is that right? If not, compare what keep returns with what allow reads (a nationality is a list: attributes.nationality.includes('DE')). If it is right, run pidgate dev with a --person whom the page admits.";
  }
  if (error !== undefined) return `The app refused it with ${error}. The app's terminal may say why.`;
  if (opens(observed) === false && bindsNobody(observed)) return bindsNobodyFix;
  const { guarded } = observed;
  const led = guarded && leadsTo(guarded);
  if (guarded !== undefined && led?.searchParams.has('returnTo') === false) {
    const { pathname } = new URL(guarded.url);
    const to = led.origin === observed.origin ? led.pathname : led.origin;
    return `The verification succeeded, but ${pathname} leads to ${to}. If that is a log-in, name a page that needs none: the robot does not log in.`;
  }
  return 'The verification succeeded, but the page stays closed: does the guard require a different question or subject, has the page another session() than the router, or have several processes different session secrets or stores?';
}

function judgeRefused(id: ScenarioId, observed: Observed): ScenarioVerdict {
  const { walk } = observed;
  const { outcome } = walk;
  const fine: ScenarioVerdict = { passed: true, did: did(observed) };
  if (opens(observed) === true) {
    return failed(
      observed,
      bindsNobody(observed)
        ? bindsNobodyFix
        : 'Someone got in who must not: what does the app keep, and when?',
    );
  }
  if (outcome?.ok === false) {
    const { problem } = outcome;
    const status = problem.kind === 'status' ? problem.status : undefined;
    // A wallet sends once, so it is told that its proof cannot be checked now.
    const isLater = walk.job?.request.wallet !== undefined && status === 503;
    const isExpected = problem.kind === 'lost' || status === 400 || isLater;
    return isExpected ? fine : failed(observed, explain(problem).fix);
  }
  if (scenarioOf(id).phase === 'callback' && id !== 'foreign_state') {
    return failed(
      observed,
      'The app accepted a callback that the interface does not allow. Only the kit may respond to it.',
    );
  }
  // A wallet hears nothing of an unknown flow, and the page waits on.
  if (id === 'foreign_state' && outcome?.redirectUri === undefined) return fine;
  if (walk.error !== undefined || walk.last.response.status >= 400) return fine;
  if (scenarioOf(id).phase === 'return' && bindsNobody(observed)) return failed(observed, bindsNobodyFix);
  return failed(
    observed,
    'Nothing on the last page says that the verification failed. Let errorRedirect lead to a page that does, or leave it out so that the kit shows its own.',
  );
}

function judgeNotStarted(observed: Observed): ScenarioVerdict {
  const { walk } = observed;
  const { response } = walk.last;
  const says = response.status >= 400 || walk.error !== undefined;
  if (walk.job === undefined && says && opens(observed) !== true) return { passed: true, did: did(observed) };
  return failed(observed, 'The person must see a page that says that the verification could not start.');
}

/** Only the app knows whether its page is for adults: a page that opens for Leon is noted, or fails if that is wanted. */
export function judgeMinor(observed: Observed, isWrong: boolean): ScenarioVerdict {
  if (isLimited(observed)) return failed(observed, limitedFix);
  const { response } = observed.walk.last;
  if (response.status >= 500) return failed(observed, whyNotVerified(observed)); // a mistake keeps it shut, and no rule
  if (opens(observed) !== true) {
    return { passed: true, did: 'The guarded page stays closed for Leon, who is 17.' };
  }
  const note = 'note: the guarded page opens for Leon, who is 17';
  return {
    passed: !isWrong,
    did: isWrong
      ? 'The guarded page opens for Leon, who is 17.'
      : `${note}. If it is only for adults, give the question allow.`,
    ...(isWrong && { fix: ageGate }),
  };
}

const ageGate =
  "Keep the answer and judge by it in the question: reveal: ['age_over_18'], keep: ({ attributes }) => ({ adult: attributes.age_over_18 }), allow: ({ adult }) => adult. Every identity.require() of the question then demands it.";

/** Whatever the app makes of the answer, it must make something of it. */
function judgeDecision(observed: Observed): ScenarioVerdict {
  const { outcome, last, error } = observed.walk;
  const isRefused = error === 'refused' || error === 'identity_insufficient';
  const isDecided = outcome?.ok === true && (last.response.status < 400 || isRefused);
  return isDecided ? { passed: true, did: did(observed) } : failed(observed, whyNotVerified(observed));
}

const notStarted = (observed: Observed): ScenarioVerdict =>
  failed(observed, whyNotStarted(observed.walk.start, observed.walk.error));

/** Why a start does not lead to this sandbox: what it responds comes first. */
export function whyNotStarted({ response, url, location }: Seen, error: string | undefined): string {
  const { origin, pathname } = new URL(url);
  const said = `POST ${pathname} responds with ${response.status}${told(error)}`;
  if (error === 'origin_not_allowed') {
    return `${said}: appUrl does not list this address. Set appUrl or APP_URL to ${origin}, or let the proxy keep Host.`;
  }
  if (error === 'cross_site') {
    return `${said}: the app treats its own page as another site's, because appUrl is not ${origin}.`;
  }
  if (told(error) !== '') {
    return `${said}. Why, and how to fix it: npx pidgate explain ${error}. The app's terminal may say more.`;
  }
  if (location !== undefined) {
    const to = new URL(location, url);
    return to.origin === origin
      ? `${said}, to ${to.pathname}: something in front of the kit answers, such as a log-in. The robot does not log in: name a page whose start needs none, or play it in a test with sandbox.complete (docs/testing.md).`
      : `${said}, and leads elsewhere (${to.origin}): run the app with "pidgate dev", or set IDENTITY_BASE_URL to this sandbox.`;
  }
  if (response.status === 404) {
    return `${said}: there is no start route here. Is the router mounted where the option path says, and does a question have this name?`;
  }
  return `${said}, and not by the kit: a CSRF check (403), a log-in (401) or a check of the media type (415) above it, or a different route. Mount the kit above it.`;
}

const bindsNobodyFix =
  "The return address has no code: with confirm: 'callback' no one knows whose browser a result belongs to. Remove confirm, or bind the person in a different way.";

/** The kit's own return address has a code in it. */
function bindsNobody({ walk: { outcome } }: Observed): boolean {
  const to = outcome?.ok === true ? outcome.redirectUri : undefined;
  return to !== undefined && !new URL(to).searchParams.has('code');
}

function failed(observed: Observed, fix: string): ScenarioVerdict {
  const { error } = observed.walk;
  const read =
    error !== undefined && isKitErrorCode(error) ? `${observed.sandbox}/errors/${error}` : undefined;
  return { passed: false, did: did(observed), fix, read };
}
