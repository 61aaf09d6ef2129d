import type { Trust } from '../contracts/trust.js';
import type { Verifier } from '../contracts/verifier.js';
import { numberFromZero } from '../safe/check-options.js';
import { compileTrust } from './trust/compile-trust.js';
import { judgeExpected } from './trust/expected.js';
import { type Seams, seamsFrom } from './token/runtime.js';

/** Seconds that a key binding stays good where the trust entry does not say. */
export const defaultMaxAge = 600;

/** The seams of the verifiers, and the default age of a key binding in seconds. */
export interface VerifierSettings extends Partial<Seams> {
  readonly maxAge?: number;
}

/**
 * Compiles a trust configuration into one verifier for each issuer id. Throws `config_invalid` for every entry that
 * could not judge anything, so that nothing is found out at the first presentation.
 */
export function createVerifiers(
  trust: Trust,
  settings: VerifierSettings = {},
): ReadonlyMap<string, Verifier> {
  const seams = seamsFrom(settings);
  const judges = compileTrust(trust, numberFromZero(settings.maxAge, defaultMaxAge, 'maxAge'));
  return new Map(
    [...judges].map(([issuer, judge]): [string, Verifier] => [
      issuer,
      async (presentation, expected) => {
        judgeExpected(expected);
        return await judge(presentation, expected, seams);
      },
    ]),
  );
}
