import type { Log } from '../contracts/log.js';
import { type IdentityError, isKitErrorCode, logLevelOf } from '../errors.js';
import type { Configuration } from '../options/resolve.js';
import { isServiceErrorCode } from '../protocol/service-errors.js';

const quietMs = 60_000;
const mostCodes = 64;

/** Why a callback may come for a flow that this process does not know. */
export const unknownState =
  'a callback came for a verification that this process does not know: it has expired, was forged, or another process ' +
  'has it, where flows are kept in memory (memoryStore).';

/**
 * Writes at most one line a code and minute, of our own words: the code, the flow's public id and the request's name. In
 * development also the error's sentence, and the class of what was thrown.
 */
export function createLog(
  { logger, clock, mode }: Pick<Configuration, 'logger' | 'clock' | 'mode'>,
  inMemory: boolean,
): Log {
  const written = new Map<string, number>();
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
    written.delete(code);
    written.set(code, now);
    const [oldest] = written.keys();
    if (written.size > mostCodes && oldest !== undefined) written.delete(oldest);
    return true;
  }

  function once(what: string, detail?: string): void {
    if (isNew(what, Infinity)) write('warn', `${what}${inDevelopment && detail ? ` (${detail})` : ''}`);
  }

  return {
    fault(error, { flow, request } = {}) {
      const { code: given } = error;
      if (given === 'state_unknown' && flow === undefined && inMemory) once(unknownState);
      const ofService = isServiceErrorCode(given);
      const code = ofService || isKitErrorCode(given) ? given : 'service_error';
      const level = ofService ? 'error' : logLevelOf(code);
      if (level === undefined || !isNew(code, quietMs)) return;
      const where = [flow && `flow ${flow}`, request && `request ${request}`].filter(Boolean).join(', ');
      const more = inDevelopment ? ` ${error.message}${thrown(error)}` : '';
      write(level, `${code}${where && ` (${where})`}.${more} See pidgate/docs/errors/${code}.md`);
    },

    once,
  };
}

/** The name of the class alone: an error's own words may be personal. */
function thrown({ cause }: IdentityError): string {
  // Anything can be thrown, also an object without a class.
  const { constructor } = (cause ?? {}) as { constructor?: unknown };
  if (typeof cause !== 'object' || typeof constructor !== 'function') return '';
  const { name }: { name: unknown } = constructor;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? ` It threw ${name}.` : '';
}
