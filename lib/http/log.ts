import type { Log } from '../types/log.js';
import { type IdentityError, checkOf, isKitErrorCode, logLevelOf, sentenceOf } from '../errors.js';
import type { Configuration } from '../options/resolve.js';
import { isServiceErrorCode } from '../service/prove/errors.js';
import { systemCodeOf } from '../internal/system-code.js';

const quietMs = 60_000;
const maxCodes = 64;

/** Why a callback may come for a flow that this process does not know. */
export const unknownState =
  'a callback came for a verification that this process does not know: it has expired, was forged, or another process ' +
  'has it, where flows are kept in memory (memoryStore).';

/** Numbers that all presentations fail with when a clock is wrong. */
const ofClock: ReadonlySet<string> = new Set(['B10', 'B11', 'B12', 'B19', 'C04', 'C07']);

/** As many refusals of one number, and no good presentation: it is not the people. */
const enough = 10;

/** The failures of one request since its last good presentation, as long as all have one number. */
interface Run {
  readonly check: string;
  readonly count: number;
}

/**
 * Writes at most one line per code and check per minute, in the kit's own words: the code, the flow's public id, the
 * request's name, the kit's sentence and a system code. In development also the class of what was thrown.
 */
export function createLog(
  { logger, clock, mode }: Pick<Configuration, 'logger' | 'clock' | 'mode'>,
  inMemory: boolean,
): Log {
  const written = new Map<string, number>();
  const numbers = new Map<string, number>();
  const runs = new Map<string, Run>();
  const told = new Map<string, { code: string; sentence: string }>();
  const inDevelopment = mode === 'development';

  function write(level: 'error' | 'warn', line: string): void {
    if (logger === false) return;
    // A logger that fails must not fail a verification.
    void (async () => await logger[level](`pidgate: ${line}`))().catch(() => undefined);
  }

  function isNew(code: string, quietFor: number): boolean {
    const now = clock().getTime();
    const last = written.get(code);
    if (last !== undefined && now - last < quietFor) return false;
    remember(written, code, now);
    return true;
  }

  /** Anyone can send presentations that fail with many numbers: where 64 are quiet, one more is not written. */
  function isNewNumber(number: string): boolean {
    const now = clock().getTime();
    const [oldest] = numbers.values();
    const isFull = numbers.size >= maxCodes && !numbers.has(number);
    if (isFull && oldest !== undefined && now - oldest < quietMs) return false;
    const last = numbers.get(number);
    if (last !== undefined && now - last < quietMs) return false;
    remember(numbers, number, now);
    return true;
  }

  function once(what: string, detail?: string): void {
    if (isNew(what, Infinity)) write('warn', `${what}${inDevelopment && detail ? ` (${detail})` : ''}`);
  }

  function countRun(code: string, check: string, request: string): void {
    const before = runs.get(request);
    const run = { check, count: before?.check === check ? before.count + 1 : 1 };
    remember(runs, request, run);
    if (run.count < enough || !isNewNumber(`all ${check} ${request}`)) return;
    const why = ofClock.has(check) ? 'compare the clock of this machine' : 'the trust entry does not fit';
    write('warn', `${code} (request ${request}): all fail with ${check}: ${why}. See ${pageOf(code)}`);
  }

  return {
    fault(error, { flow, request } = {}) {
      const { code: given } = error;
      if (given === 'state_unknown' && flow === undefined && inMemory) once(unknownState);
      const ofService = isServiceErrorCode(given);
      const code = ofService || isKitErrorCode(given) ? given : 'service_error';
      const level = ofService ? 'error' : logLevelOf(code);
      const own = sentenceOf(error);
      const sentence = inDevelopment ? own : withoutAddresses(own);
      if (level === undefined) return;
      if (inDevelopment && flow !== undefined) remember(told, flow, { code, sentence });
      const check = checkOf(error);
      if (check === undefined ? isNew(code, quietMs) : isNewNumber(`${code} ${check}`)) {
        const where = [flow && `flow ${flow}`, request && `request ${request}`].filter(Boolean).join(', ');
        const system = systemCodeOf(error.cause);
        const told = system === undefined ? sentence : `${sentence.replace(/\.$/, '')} (${system}).`;
        write(
          level,
          `${code}${where && ` (${where})`}. ${told}${inDevelopment ? thrown(error) : ''} See ${pageOf(code)}`,
        );
      }
      if (check !== undefined && request !== undefined) countRun(code, check, request);
    },

    accepted(request) {
      runs.delete(request);
    },

    lastOf: (flow) => told.get(flow),

    once,
  };
}

function pageOf(code: string): string {
  return `pidgate/docs/errors/${code}.md`;
}

/** Sets a value; with one more than the limit, the one that was set longest ago is forgotten. */
function remember<T>(all: Map<string, T>, name: string, value: T): void {
  all.delete(name);
  all.set(name, value);
  const [oldest] = all.keys();
  if (all.size > maxCodes && oldest !== undefined) all.delete(oldest);
}

/** An address may have a person's data in its path or query. */
function withoutAddresses(sentence: string): string {
  return sentence.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;()]*[^\s,;().]/gi, '(address)');
}

/** The name of the class alone: an error's own words may be personal. */
function thrown({ cause }: IdentityError): string {
  // Anything can be thrown, also an object without a class.
  const { constructor } = (cause ?? {}) as { constructor?: unknown };
  if (typeof cause !== 'object' || typeof constructor !== 'function') return '';
  const { name }: { name: unknown } = constructor;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? ` It threw ${name}.` : '';
}
