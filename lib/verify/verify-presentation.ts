import { configInvalid } from '../errors.js';
import { isPlainObject, knownOptions, numberFromZero, withDefault } from '../internal/validate.js';
import { type Receipt, receiptFor } from '../service/receipt.js';
import type { Expected, FlowVerifier, Trust, Verdict, Verifier } from '../types/trust.js';
import { type Runtime, runtimeFrom } from './jose/clock.js';
import { isObject } from './jose/decode.js';
import { checkExpected } from './trust/expectation.js';
import { compileJwt } from './trust/jwt.js';
import { compileSdJwtVc } from './trust/sd-jwt-vc.js';
import { type CompiledVerifier, customVerifier, type Defaults } from './trust/verdict.js';

/** A verdict; a good one has the receipt of the verified presentation. */
export type VerifiedPresentation =
  | (Extract<Verdict, { valid: true }> & { readonly receipt: Omit<Receipt, 'number'> })
  | Extract<Verdict, { valid: false }>;

const runtimeNames = ['clock', 'fetch', 'agent'] as const satisfies readonly (keyof Runtime)[];

/** Keys are imported and fetched once for each trust object, not for each call. */
const compiledTrusts = new WeakMap<Trust, ReadonlyMap<string, CompiledVerifier>>();

/**
 * Verifies one presentation without the router, against the values that you stored when the flow began. A bad presentation
 * never makes it throw: the verdict says why it was refused. It throws `config_invalid` for a wrong trust or expectation,
 * and whatever a verifier function of the trust throws. Keep one trust object, because keys are cached with it.
 *
 * Each check has a number and a test (docs/checks.md): the token and its key binding by RFC 9901 and RFC 8725 (P, H, S,
 * B), claims by SD-JWT VC and the PID rulebook (C), keys by RFC 7518 and certificates by RFC 5280 and HAIP 1.0 (K), status
 * by Token Status List (T), lists of trusted entities by ETSI TS 119 602 (L), a service's own JWT by RFC 7519 (J).
 * docs/evidence.md has the suites that it is played against, with their results and every difference: NIST PKITS,
 * Wycheproof, published samples, and OpenSSL and jose as oracles. docs/presentations.md ("For an auditor") says how to run
 * them yourself.
 *
 * It does not look up whether a certificate was revoked (CRL, OCSP). It does not judge name constraints and policy
 * constraints: a certificate that has them is refused. A verifier function of the trust is believed.
 *
 * @example
 * ```ts
 * import { type Trust, verifyPresentation } from 'pidgate'
 *
 * async function givenName(presentation: string, state: string, trust: Trust) {
 *   const expected = { issuer: 'de-ausweis', state, reveal: ['given_name'] } as const
 *   const verdict = await verifyPresentation(presentation, expected, trust)
 *   return verdict.valid ? verdict.attributes.given_name : undefined
 * }
 * ```
 */
export async function verifyPresentation(
  presentation: string,
  expected: Expected,
  trust: Trust,
  runtime?: Partial<Runtime>,
): Promise<VerifiedPresentation> {
  checkExpected(expected);
  if (runtime !== undefined) knownOptions(runtime, runtimeNames, 'the runtime');
  const verify = compiledTrust(trust).get(expected.issuer);
  if (verify === undefined) throw configInvalid(`trust has no entry for the issuer ${expected.issuer}.`);
  const verdict = await verify(presentation, expected, runtimeFrom(runtime));
  return verdict.valid ? { ...verdict, receipt: receiptFor(expected.state, presentation) } : verdict;
}

function compiledTrust(trust: Trust): ReadonlyMap<string, CompiledVerifier> {
  const known = compiledTrusts.get(trust);
  if (known !== undefined) return known;
  const compiled = compileTrust(trust, defaultMaxAge);
  compiledTrusts.set(trust, compiled);
  return compiled;
}

/** The maximum age of a key binding in seconds, for trust entries without `maxAge`. */
export const defaultMaxAge = 600;

/** The verifiers' clock and network, and the default `maxAge` of a key binding in seconds. */
export interface VerifierSettings extends Partial<Runtime> {
  readonly maxAge?: number;
  /** What every presentation must fit, beside what its flow asked for. */
  readonly expected?: Partial<Expected>;
}

/**
 * Compiles a trust configuration into one verifier for each issuer id. Throws `config_invalid` for an entry that could
 * never verify anything, so that the mistake shows at construction and not at the first presentation.
 */
export function createVerifiers(
  trust: Trust,
  settings: VerifierSettings = {},
): ReadonlyMap<string, FlowVerifier> {
  const runtime = runtimeFrom(settings);
  const compiled = compileTrust(trust, withDefault(numberFromZero, defaultMaxAge)(settings.maxAge, 'maxAge'));
  return new Map(
    [...compiled].map(([issuer, verify]): [string, FlowVerifier] => [
      issuer,
      async (presentation, { audience, ...asked }) => {
        const expected = { ...settings.expected, ...asked };
        checkExpected(expected);
        return await verify(
          presentation,
          audience === undefined ? expected : { ...expected, audience },
          runtime,
        );
      },
    ]),
  );
}

type Format = (entry: unknown, optionPath: string, defaults: Defaults) => CompiledVerifier;

/** The formats by the name that a trust entry gives: a token never chooses (P11). */
const formats: ReadonlyMap<unknown, Format> = new Map([
  ['sd-jwt-vc', compileSdJwtVc],
  ['jwt', compileJwt],
]);

/** Compiles a trust configuration, by issuer id. */
export function compileTrust(trust: unknown, maxAge: number): ReadonlyMap<string, CompiledVerifier> {
  if (!isPlainObject(trust)) throw configInvalid('trust must be a plain object of issuer ids.');
  const entries = Object.entries(trust).filter(([, entry]) => entry !== undefined);
  return new Map(
    entries.map(([issuer, entry]) => [issuer, compileEntry(entry, `trust['${issuer}']`, { issuer, maxAge })]),
  );
}

function compileEntry(entry: unknown, optionPath: string, defaults: Defaults): CompiledVerifier {
  if (typeof entry === 'function') return customVerifier(entry as Verifier, optionPath);
  if (!isObject(entry)) throw configInvalid(`${optionPath} must be a trust entry or a verifier function.`);
  const compile = formats.get(entry['format']);
  if (compile !== undefined) return compile(entry, optionPath, defaults);
  throw configInvalid(`${optionPath}.format must be ${[...formats.keys()].join(' or ')}.`);
}
