import { IdentityError, inOwnWords, isInOwnWords } from '../../errors.js';
import type { Expected, Verdict } from '../../types/verifier.js';
import type { Runtime } from '../jose/clock-and-fetch.js';

/** A verifier that was compiled from configuration; each call brings its runtime. */
export type CompiledVerifier = (
  presentation: string,
  expected: Expected,
  runtime: Runtime,
) => Promise<Verdict>;

/** The parts of an entry that come from outside it: its issuer id, and the default `maxAge` in seconds. */
export interface Defaults {
  readonly issuer: string;
  readonly maxAge: number;
}

/** Returns the verdict of a check. If the trust changed meanwhile, it is checked again (L20). */
export async function verdictOf(
  check: () => Verdict | Promise<Verdict>,
  generation: () => unknown = () => undefined,
): Promise<Verdict> {
  for (;;) {
    const before = generation();
    const verdict = await attempt(check);
    if (generation() === before) return verdict;
  }
}

/** Turns a failed check into a verdict. Every other error stays thrown: then there is no verdict. */
async function attempt(check: () => Verdict | Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof IdentityError) || error.check === undefined) throw error;
    const { check: failed, code, message } = error;
    const verdict = { valid: false, check: failed, code, reason: message } as const;
    return isInOwnWords(error) ? inOwnWords(verdict) : verdict;
  }
}
