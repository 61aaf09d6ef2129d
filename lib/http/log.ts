import type { Log } from '../types/events.js';
import { checkOf, isKitErrorCode, listedCodeOf, logLevelOf } from '../errors.js';
import { unreadable } from '../flow/flow.js';
import { rememberLast } from '../internal/remember-last.js';
import { supportCodeOf } from '../internal/support-code.js';
import { systemCodeOf } from '../internal/system-code.js';
import type { Configuration } from '../options/resolve.js';
import type { Help } from './help/help.js';

const quietMs = 60_000;
const maxCodes = 64;

/**
 * Writes at most one line per code and check per minute, in the kit's own words: the code, the flow's support code, the
 * question's name, the kit's sentence and a system code; and what its help adds for a developer.
 */
export function createLog({ logger, clock }: Pick<Configuration, 'logger' | 'clock'>, help: Help): Log {
  const codes = new Map<string, number>();
  const checks = new Map<string, number>();
  const see = (code: string): string => `See ${help.explainedAt(code)}`;

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
    rememberLast(written, name, now, maxCodes);
    return true;
  }

  /** Anyone can send presentations that fail with many numbers: while 64 are quiet, one more is not written. */
  function isCheckDue(name: string): boolean {
    const [oldest = 0] = checks.values();
    const isFull = checks.size >= maxCodes && !checks.has(name);
    return !(isFull && clock().getTime() - oldest < quietMs) && isDue(checks, name);
  }

  return {
    fault(error, { flow, question } = {}) {
      const code = listedCodeOf(error);
      const level = isKitErrorCode(code) ? logLevelOf(code) : 'error';
      if (level === undefined) return;
      const { sentence, thrown } = help.wordsOf(error, code, flow);
      const check = checkOf(error);
      // A minute of its own: an outage of the store must not hide it, nor the other way round.
      const name = sentence === unreadable ? unreadable : code;
      if (!(check === undefined ? isDue(codes, name) : isCheckDue(`${code} ${check}`))) return;
      const about = [flow && `flow ${supportCodeOf(flow)}`, question && `question ${question}`]
        .filter(Boolean)
        .join(', ');
      const system = systemCodeOf(error.cause);
      const words = system === undefined ? sentence : `${sentence.replace(/\.$/, '')} (${system}).`;
      write(level, `${code}${about && ` (${about})`}. ${words}${thrown} ${see(code)}`);
    },

    warn(sentence, code) {
      if (isDue(codes, sentence)) write('warn', code === undefined ? sentence : `${sentence} ${see(code)}`);
    },

    once(what, detail) {
      if (isDue(codes, what, Infinity)) write('warn', `${what}${help.detail(detail)}`);
    },
  };
}
