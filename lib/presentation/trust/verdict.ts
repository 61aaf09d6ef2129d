import { IdentityError } from '../../errors.js';
import type { Expected, Verdict } from '../../contracts/verifier.js';
import type { Seams } from '../token/runtime.js';

/** A verifier that was compiled from configuration, its seams still open. */
export type Judge = (presentation: string, expected: Expected, seams: Seams) => Promise<Verdict>;

/** Turns the refusal of a check into a verdict; anything else thrown is no judgement and stays thrown. */
export async function verdictOf(judge: () => Verdict | Promise<Verdict>): Promise<Verdict> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof IdentityError) || error.check === undefined) throw error;
    return { valid: false, check: error.check, code: error.code, reason: error.message };
  }
}
