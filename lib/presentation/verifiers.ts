import type { Trust } from '../contracts/trust.js';
import type { Verifier } from '../contracts/verifier.js';
import { numberFromZero } from '../safe/check-options.js';
import { compileTrust } from './trust/compile-trust.js';
import { checkExpected } from './trust/expected.js';
import { type Runtime, runtimeFrom } from './token/runtime.js';

/** The maximum age of a key binding in seconds, for trust entries without `maxAge`. */
export const defaultMaxAge = 600;

/** The verifiers' clock and network, and the default `maxAge` of a key binding in seconds. */
export interface VerifierSettings extends Partial<Runtime> {
  readonly maxAge?: number;
}

/**
 * Compiles a trust configuration into one verifier for each issuer id. Throws `config_invalid` for an entry that could
 * never verify anything, so that the mistake shows at construction and not at the first presentation.
 */
export function createVerifiers(
  trust: Trust,
  settings: VerifierSettings = {},
): ReadonlyMap<string, Verifier> {
  const runtime = runtimeFrom(settings);
  const compiled = compileTrust(trust, numberFromZero(settings.maxAge, defaultMaxAge, 'maxAge'));
  return new Map(
    [...compiled].map(([issuer, verify]): [string, Verifier] => [
      issuer,
      async (presentation, expected) => {
        checkExpected(expected);
        return await verify(presentation, expected, runtime);
      },
    ]),
  );
}
