import { rememberLast } from '../internal/remember-last.js';
import type { Configuration } from '../options/resolve.js';
import type { IdentityEvent, Log } from '../types/events.js';

/** Why a callback may arrive for a flow that this process does not know. */
export const unknownState =
  'a callback arrived that this process does not know: its verification has expired or ended, it was forged, or it ' +
  'belongs to another factory or process (memoryStore keeps the flows of one, until it restarts).';

const lostSessions =
  'return_wrong_browser, three times in a row: if no one gets through, the session cookie does not return. Give all ' +
  "processes one session secret, and set 'trust proxy'.";

/** The checks that every presentation fails when a clock is wrong. */
const clockChecks: ReadonlySet<string> = new Set(['B10', 'B11', 'B12', 'B19', 'C04', 'C07']);

/** So many failures of one check and no valid presentation: the people are not the cause. */
const minRun = 10;
const minLost = 3;
const maxRuns = 64;

/** So many starts without an answer are no accident: people close a page, but not all of them do. */
const minStarts = 40;
const quietMs = 60 * 60_000;

type Heard = Omit<IdentityEvent, 'at'>;

interface NoticeSettings extends Pick<Configuration, 'clock' | 'flowTtl'> {
  readonly log: Log;
  /** The flows live in this process alone. */
  readonly inMemory: boolean;
  /** The app asks wallets itself. */
  readonly asksWallets: boolean;
}

/**
 * A listener of events that tells the operator what no single event shows: all presentations fail, all returns are lost,
 * or no verification is answered.
 */
export function createNotice(settings: NoticeSettings): (event: Heard) => void {
  const { log, inMemory } = settings;
  const countUnanswered = unansweredStarts(settings);
  const countRun = runsOf();
  return (event) => {
    const { type, flow, question, code, check } = event;
    countUnanswered(event);
    if (code === 'state_unknown' && flow === undefined && inMemory) log.once(unknownState);
    if (type === 'flow.verified' || type === 'flow.confirmed' || code === 'refused') {
      countRun(question ?? '', undefined); // its presentation was good
    }
    if (type === 'flow.confirmed') countRun('/return', undefined);
    if (code === 'return_wrong_browser' && countRun('/return', code) === minLost)
      log.warn(lostSessions, code);
    if (code === undefined || check === undefined || question === undefined) return;
    if (countRun(question, check) < minRun) return;
    const why = clockChecks.has(check) ? "check this machine's clock" : 'the trust entry does not match';
    log.warn(`${code} (question ${question}): all fail with ${check}: ${why}.`, code);
  };
}

/** Counts failures in a row by what fails, as long as all have one number, or code; without one it went well. */
function runsOf() {
  const runs = new Map<string, { readonly fault: string; readonly count: number }>();
  return (what: string, fault: string | undefined): number => {
    const last = runs.get(what);
    if (fault === undefined) {
      runs.delete(what);
      return 0;
    }
    const count = last?.fault === fault ? last.count + 1 : 1;
    rememberLast(runs, what, { fault, count }, maxRuns);
    return count;
  };
}

/**
 * Verifications that are started and never answered: nothing else in the log says so. It waits for one flow's life,
 * because people may still be in their wallets. A return in this process is an answer too: the callback may have come to
 * another one.
 */
function unansweredStarts({ clock, flowTtl, log, asksWallets }: NoticeSettings): (event: Heard) => void {
  let starts = 0;
  let since = 0;
  let toldAt = -Infinity;
  const question = asksWallets
    ? 'do wallets reach /request and /callback, and do they accept the access certificate?'
    : "is the callback's address right in the service's portal?";
  return ({ type, flow }) => {
    if (type === 'flow.requested') return; // a wallet has come, and may get no further
    if (type !== 'flow.started') {
      // Of a flow that is not known a callback may tell, too: it found the way.
      const isAnswer = type === 'callback.unknown' || (flow !== undefined && type !== 'start.failed');
      if (isAnswer) starts = 0;
      return;
    }
    const now = clock().getTime();
    if (starts === 0) since = now;
    starts += 1;
    if (starts < minStarts || now - since < flowTtl || now - toldAt < quietMs) return;
    toldAt = now;
    log.warn(`${starts} verifications were started and none was answered: ${question}`);
  };
}
