import { configInvalid, IdentityError, inOwnWords, isInOwnWords } from '../../errors.js';
import type { FlowExpectation, Verdict, Verifier } from '../../types/trust.js';
import type { Runtime } from '../jose/clock.js';
import { isObject, type JsonObject } from '../jose/decode.js';
import { askedDerived } from './expectation.js';
import { getPath, readAttributes, readDerived } from './read-claims.js';

/** A verifier that was compiled from configuration; each call brings its runtime. */
export type CompiledVerifier = (
  presentation: string,
  expected: FlowExpectation,
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

const maxReasonLength = 200;

/**
 * Wraps a verifier that the customer wrote. Its refusals are passed on. A valid verdict must still hold every attribute
 * that was asked for, in the kit's forms. If it throws, there is no verdict.
 */
export function customVerifier(verify: Verifier, optionPath: string): CompiledVerifier {
  return async (presentation, expected, { clock }) => {
    if (typeof presentation !== 'string')
      return refused({ check: 'P01', reason: 'The presentation is not a string.' });
    const verdict: unknown = await verify(presentation, expected);
    if (!isObject(verdict) || typeof verdict['valid'] !== 'boolean') {
      throw configInvalid(`${optionPath} returned something that is not a verdict.`);
    }
    if (!verdict['valid']) return refused(verdict);
    const { attributes, derived } = verdict;
    return await verdictOf(() => ({
      valid: true,
      attributes: readAttributes(expected.reveal, 'derived', (id) => getPath(attributes, [id]), clock),
      derived: readDerived(askedDerived(expected), (id) => getPath(derived, [id]), asBoolean),
    }));
  };
}

const asBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function refused({ reason, check, code }: JsonObject): Verdict {
  return {
    valid: false,
    reason: typeof reason === 'string' ? reason.slice(0, maxReasonLength) : 'No reason was given.',
    code: typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : 'presentation_invalid',
    ...(typeof check === 'string' && { check: check.slice(0, 20) }),
  };
}
