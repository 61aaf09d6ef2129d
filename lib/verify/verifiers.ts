import { configInvalid } from '../errors.js';
import type { Trust } from '../types/trust.js';
import type { Verifier } from '../types/verifier.js';
import { isPlainObject, numberFromZero } from '../internal/former-validate.js';
import { type Runtime, runtimeFrom } from './jose/clock-and-fetch.js';
import { isObject } from './jose/segment.js';
import { customVerifier } from './trust/custom-verifier.js';
import { checkExpected } from './trust/expectation.js';
import { jwt } from './trust/jwt.js';
import { compileSdJwtVc } from './trust/sd-jwt-vc.js';
import type { CompiledVerifier, Defaults } from './trust/verdict.js';

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

/** Compiles a trust entry. */
type Format = (entry: unknown, where: string, defaults: Defaults) => CompiledVerifier;

/** The formats by the name that a trust entry gives: a token never chooses (P11). */
const formats: ReadonlyMap<unknown, Format> = new Map([
  ['sd-jwt-vc', compileSdJwtVc],
  ['jwt', jwt],
]);

/** Checks a whole trust configuration and compiles it, by issuer id. */
export function compileTrust(trust: unknown, maxAge: number): ReadonlyMap<string, CompiledVerifier> {
  if (!isPlainObject(trust)) throw configInvalid('trust must be a plain object of issuer ids.');
  const given = Object.entries(trust).filter(([, entry]) => entry !== undefined);
  return new Map(
    given.map(([issuer, entry]) => [issuer, compileEntry(entry, `trust['${issuer}']`, { issuer, maxAge })]),
  );
}

function compileEntry(entry: unknown, where: string, defaults: Defaults): CompiledVerifier {
  if (typeof entry === 'function') return customVerifier(entry as Verifier, where);
  if (!isObject(entry)) throw configInvalid(`${where} must be a trust entry or a verifier function.`);
  const compile = formats.get(entry['format']);
  if (compile !== undefined) return compile(entry, where, defaults);
  throw configInvalid(`${where}.format must be ${[...formats.keys()].join(' or ')}.`);
}
