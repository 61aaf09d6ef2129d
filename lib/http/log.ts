import type { Log } from '../types/events.js';
import {
  type IdentityError,
  checkOf,
  isKitErrorCode,
  listedCodeOf,
  logLevelOf,
  sentenceOf,
} from '../errors.js';
import { unreadable } from '../flow/flow.js';
import { explainedAt } from '../options/development.js';
import type { Configuration } from '../options/resolve.js';
import { systemCodeOf } from '../internal/system-code.js';

const quietMs = 60_000;
const maxCodes = 64;

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

/**
 * Writes at most one line per code and check per minute, in the kit's own words: the code, the flow's public id, the
 * question's name, the kit's sentence and a system code. In development also the class of what was thrown.
 */
export function createLog(
  { logger, clock, mode, sandboxUrl }: Pick<Configuration, 'logger' | 'clock' | 'mode' | 'sandboxUrl'>,
  inMemory: boolean,
): Log {
  const codes = new Map<string, number>();
  const checks = new Map<string, number>();
  /** By question, or step, the failures since it last went well, as long as all have one number, or code. */
  const runs = new Map<string, { check: string; count: number }>();
  const lastFaults = new Map<string, { code: string; sentence: string }>();
  const inDevelopment = mode === 'development';
  const see = (code: string): string => `See ${explainedAt(sandboxUrl, code)}`;

  function write(level: 'error' | 'warn', line: string): void {
    if (logger === false) return;
    // A failing logger must not fail a verification.
    void (async () => await logger[level](`pidgate: ${line}`))().catch(() => undefined);
  }

  /** Whether this was not written within that time; then it counts as written now. */
  function isDue(written: Map<string, number>, name: string, quietFor = quietMs): boolean {
    const now = clock().getTime();
    const last = written.get(name);
    if (last !== undefined && now - last < quietFor) return false;
    remember(written, name, now);
    return true;
  }

  /** Anyone can send presentations that fail with many numbers: while 64 are quiet, one more is not written. */
  function isCheckDue(name: string): boolean {
    const [oldest = 0] = checks.values();
    const isFull = checks.size >= maxCodes && !checks.has(name);
    return !(isFull && clock().getTime() - oldest < quietMs) && isDue(checks, name);
  }

  function once(what: string, detail?: string): void {
    if (!isDue(codes, what, Infinity)) return;
    write('warn', `${what}${inDevelopment && detail ? ` (${detail})` : ''}`);
  }

  function countRun(check: string, what: string): number {
    const last = runs.get(what);
    const count = last?.check === check ? last.count + 1 : 1;
    remember(runs, what, { check, count });
    return count;
  }

  function writeRun(code: string, check: string, question: string): void {
    if (countRun(check, question) < minRun || !isCheckDue(`all ${check} ${question}`)) return;
    const why = clockChecks.has(check) ? "check this machine's clock" : 'the trust entry does not match';
    write('warn', `${code} (question ${question}): all fail with ${check}: ${why}. ${see(code)}`);
  }

  return {
    fault(error, { flow, question } = {}) {
      if (error.code === 'state_unknown' && flow === undefined && inMemory) once(unknownState);
      const code = listedCodeOf(error);
      if (code === 'return_wrong_browser' && countRun(code, '/return') === minLost)
        once(`${lostSessions} ${see(code)}`);
      const level = isKitErrorCode(code) ? logLevelOf(code) : 'error';
      if (level === undefined) return;
      const sentence = inDevelopment ? sentenceOf(error) : hideAddresses(sentenceOf(error));
      if (inDevelopment && flow !== undefined) {
        const timeline =
          sandboxUrl === undefined ? '' : ` Every step and check: ${sandboxUrl}/timeline/${flow}.`;
        remember(lastFaults, flow, { code, sentence: sentence + timeline });
      }
      const check = checkOf(error);
      // A minute of its own: an outage of the store must not hide it, nor the other way round.
      const name = sentence === unreadable ? unreadable : code;
      if (check === undefined ? isDue(codes, name) : isCheckDue(`${code} ${check}`)) {
        const about = [flow && `flow ${flow}`, question && `question ${question}`].filter(Boolean).join(', ');
        const system = systemCodeOf(error.cause);
        const words = system === undefined ? sentence : `${sentence.replace(/\.$/, '')} (${system}).`;
        const thrown = inDevelopment ? thrownClass(error) : '';
        write(level, `${code}${about && ` (${about})`}. ${words}${thrown} ${see(code)}`);
      }
      if (check !== undefined && question !== undefined) writeRun(code, check, question);
    },

    accepted(what) {
      runs.delete(what);
    },

    warn(sentence) {
      if (isDue(codes, sentence)) write('warn', sentence);
    },

    lastOf: (flow) => lastFaults.get(flow),

    once,
  };
}

/** Sets a value; with one more than the limit, the one that was set longest ago is forgotten. */
function remember<T>(all: Map<string, T>, name: string, value: T): void {
  all.delete(name);
  all.set(name, value);
  const [oldest] = all.keys();
  if (all.size > maxCodes && oldest !== undefined) all.delete(oldest);
}

/** An address may contain personal data in its path or query. */
const hideAddresses = (sentence: string): string =>
  sentence.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;()]*[^\s,;().]/gi, '(address)');

/** Only the name of the class: an error's message may be personal. */
function thrownClass({ cause }: IdentityError): string {
  // Anything can be thrown, also an object without a class.
  const { constructor } = (cause ?? {}) as { constructor?: unknown };
  if (typeof cause !== 'object' || typeof constructor !== 'function') return '';
  const { name }: { name: unknown } = constructor;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? ` It threw ${name}.` : '';
}
