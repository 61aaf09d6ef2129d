import { randomBytes } from 'node:crypto';
import type { Expected, Verdict } from '../../types/trust.js';
import { configInvalid, IdentityError } from '../../errors.js';
import { checkSdJwt } from '../../verify/sd-jwt/check-sd-jwt.js';
import type { CheckNumber } from '../../verify/checks.js';
import { checkFailed, enforce, traced } from '../../verify/jose/enforce.js';
import {
  defaultLimits,
  isObject,
  type JsonObject,
  readObject,
  startReading,
} from '../../verify/jose/decode.js';
import { compactText, splitJws } from '../../verify/jose/jws.js';
import type { Runtime } from '../../verify/jose/clock.js';
import { compileTrust, defaultMaxAge } from '../../verify/verify-presentation.js';
import type { Decoded } from './decode.js';

/** The entry of a trust configuration that a presentation is checked with. */
export interface ChosenTrust {
  readonly issuer: string;
  readonly entry: unknown;
}

/** The outcome, why it is so, and the checks that passed, in order. */
export interface Verified {
  readonly verdict: 'valid' | 'refused' | 'unknown';
  readonly failed?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly passed: ReadonlySet<CheckNumber>;
}

/** Checks a presentation by the kit's own verifier, as far as what is known of its flow allows. */
export async function verify(
  presentation: string,
  decoded: Decoded,
  { trust, state }: { readonly trust: ChosenTrust | undefined; readonly state: string | undefined },
  runtime: Runtime,
): Promise<Verified> {
  if (!decoded.isReadable && typeof trust?.entry !== 'function') return refuseRubbish(presentation);
  if (trust === undefined) return await verifyForm(presentation, decoded, runtime);
  const { issuer, entry } = trust;
  if (typeof entry === 'function' && state === undefined) {
    throw configInvalid(`The trust entry of ${issuer} is a function, which needs --state.`);
  }
  const asked = state === undefined ? withoutState(object(entry), decoded) : { entry, state };
  const compiled = compileTrust({ [issuer]: asked.entry }, defaultMaxAge).get(issuer);
  if (compiled === undefined) throw configInvalid(`The trust entry of ${issuer} is empty.`);
  const expected = { issuer, state: asked.state, reveal: [] } as const;
  const passed = new Set<CheckNumber>();
  const verdict = await traced(passed, async () => await compiled(presentation, expected, runtime));
  if (state === undefined) without(passed, 'B07', 'J06');
  return { ...outcomeOf(verdict), passed };
}

/** Says why a text whose signed part cannot be read is no presentation of any format. */
function refuseRubbish(text: string): Verified {
  try {
    const jws = splitJws(compactText(text, defaultLimits).split('~', 1).join());
    enforce('P06', jws !== undefined, 'it does not begin with three segments that have dots between them.');
    const reading = startReading(defaultLimits);
    readObject(jws.header, 'its header', reading);
    readObject(jws.payload, 'its payload', reading);
    throw checkFailed('P09', 'it cannot be read.');
  } catch (error) {
    const { check: failed, code, message } = error as IdentityError;
    const reason = `This is no presentation: ${message.replace(/^The presentation/, 'it')}`;
    return { verdict: 'refused', reason, ...(failed && { failed }), code, passed: new Set() };
  }
}

/** Takes out what the presentation was compared with itself for. */
function without(passed: Set<CheckNumber>, ...compared: readonly CheckNumber[]): void {
  for (const check of compared) passed.delete(check);
}

function outcomeOf(verdict: Verdict): Omit<Verified, 'passed'> {
  if (verdict.valid) return { verdict: 'valid' };
  const { check, code, reason } = verdict;
  return { verdict: 'refused', reason, ...(check && { failed: check }), ...(code && { code }) };
}

/** What the wallet signed for is taken from the presentation itself, so that the checks after it are made. */
function withoutState(entry: JsonObject, { claims, keyBinding }: Decoded): { entry: unknown; state: string } {
  const fromState = ({ state }: Expected) => state;
  const { claim } = object(entry['binding']);
  const signed = entry['format'] === 'jwt' ? claims[String(claim)] : keyBinding?.claims['nonce'];
  const state = typeof signed === 'string' && signed !== '' ? signed : randomBytes(32).toString('base64url');
  const changed =
    entry['format'] === 'jwt'
      ? { binding: { ...object(entry['binding']), value: fromState } }
      : { keyBinding: { ...object(entry['keyBinding']), nonce: fromState } };
  return { entry: { ...entry, ...changed }, state };
}

/** Nothing is trusted: checks the form of an SD-JWT, its times, its Disclosures and what its key binding is about. */
async function verifyForm(presentation: string, decoded: Decoded, runtime: Runtime): Promise<Verified> {
  const passed = new Set<CheckNumber>();
  const unproved = 'Nothing is proved: no trust entry was given.';
  if (decoded.form === 'JWT') return { verdict: 'unknown', reason: unproved, passed };
  const { nonce, aud } = decoded.keyBinding?.claims ?? {};
  const binding = {
    nonce: typeof nonce === 'string' ? nonce : '',
    audience: [aud, decoded.claims['aud']].flat().filter((audience) => typeof audience === 'string'),
    maxAge: Infinity,
    tolerance: 300,
    startedAt: undefined,
  };
  const rules = {
    keys: async () => await Promise.reject(checkFailed('K15', unproved)),
    types: ['dc+sd-jwt'],
    algorithms: ['ES256'],
    clockTolerance: 5,
    limits: defaultLimits,
  };
  const error = await traced(
    passed,
    async () => await checkSdJwt(presentation, rules, binding, runtime),
  ).catch((thrown: unknown) => thrown);
  without(passed, 'B07', 'B08', 'C10');
  if (!(error instanceof IdentityError) || error.check === undefined) throw error;
  if (error.check === 'K15') return { verdict: 'unknown', reason: unproved, passed };
  return { verdict: 'refused', reason: error.message, failed: error.check, passed };
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
