import { randomBytes } from 'node:crypto';
import { types } from 'node:util';
import { configInvalid, kitError } from '../../errors.js';
import type { Expected } from '../../types/trust.js';
import {
  type DerivedId,
  isAttributeId,
  isDerivedId,
  type Variant,
  variants,
} from '../../types/attributes.js';
import { nonceOf } from '../../service/receipt.js';
import { ignoreRejection } from '../../internal/ignore-rejection.js';
import { isThenable, TimeoutError, withTimeout } from '../../internal/timeouts.js';
import { dateInSeconds, isPlainObject, knownOptions, nonEmptyString } from '../../internal/validate.js';
import { keyDeadlineMs } from '../keys/key-set.js';

const names: readonly (keyof Expected)[] = ['issuer', 'state', 'reveal', 'derived', 'variant', 'startedAt'];

/** Refuses an expectation that is malformed: it must never count as one that is absent. */
export function checkExpected(expected: Expected): void {
  knownOptions(expected, names, 'what is expected');
  const state = nonEmptyString(expected.state, 'expected.state');
  // Half of a surrogate pair has no bytes of its own: nonces and receipts of such states would be the same.
  if (Buffer.from(state).toString() !== state) {
    throw configInvalid('expected.state must be well-formed text: it has half of a surrogate pair.');
  }
  if (!Array.isArray(expected.reveal) || !expected.reveal.every(isAttributeId)) {
    throw configInvalid('expected.reveal must be a list of attribute ids.');
  }
  if (expected.derived !== undefined && !isPlainObject(expected.derived)) {
    throw configInvalid('expected.derived must be an object of derived attributes.');
  }
  for (const id of askedDerived(expected)) {
    if (!isDerivedId(id)) throw configInvalid('expected.derived has an id that is not a derived attribute.');
    nonEmptyString(expected.derived?.[id], `expected.derived.${id}`);
  }
  if (!variants.includes(variantOf(expected))) {
    throw configInvalid(`expected.variant must be ${variants.join(' or ')}.`);
  }
  dateInSeconds(expected.startedAt, 'expected.startedAt');
}

export function askedDerived({ derived = {} }: Expected): readonly DerivedId[] {
  const ids = Object.keys(derived) as DerivedId[];
  return ids.filter((id) => derived[id] !== undefined);
}

export const variantOf = ({ variant = 'derived' }: Expected): Variant => variant;

type Compute = (expected: Expected) => unknown;
type Word = 'state-sha256' | 'state';

/** Compiles the value that ties a presentation to one flow (B07, J06): one of these words, or a function. */
export function compileBoundValue(
  value: unknown,
  words: readonly Word[],
  issuer: string,
  optionPath: string,
): (expected: Expected) => string {
  const compute = wordOrFunction(value, words, optionPath);
  return computed(compute, tryOnce(compute, issuer, optionPath), issuer, optionPath);
}

/** Compiles the nonce that a wallet must have signed (B07). One that a verifier drew itself is asked for. */
export function compileNonce(
  value: unknown,
  issuer: string,
  optionPath: string,
): (expected: Expected) => string | Promise<string> {
  const compute = wordOrFunction(value, ['state-sha256'], optionPath);
  if (types.isAsyncFunction(compute)) return askedFor(compute, optionPath);
  const one = tryOnce(compute, issuer, optionPath);
  return isThenable(one) ? askedFor(compute, optionPath) : computed(compute, one, issuer, optionPath);
}

function wordOrFunction(value: unknown, words: readonly Word[], optionPath: string): Compute {
  if (value === 'state-sha256') return ({ state }) => nonceOf(state);
  if (value === 'state' && words.includes(value)) return ({ state }) => state;
  if (typeof value === 'function') return value as Compute;
  const quoted = words.map((word) => `'${word}'`).join(', ');
  throw configInvalid(`${optionPath} must be ${quoted} or a function of what is expected.`);
}

/** What a function returns for a flow that never was. */
function tryOnce(compute: Compute, issuer: string, optionPath: string): unknown {
  const state = randomBytes(32).toString('base64url');
  try {
    const answer = compute({ issuer, state, reveal: [], variant: 'derived', startedAt: new Date() });
    ignoreRejection(answer);
    return answer;
  } catch (cause) {
    throw kitError('config_invalid', {
      message: `${optionPath} threw when pidgate tried it with a made-up flow. It must work for every flow.`,
      cause,
    });
  }
}

/** 128 bits in base64url. */
const minLength = 22;

const isLongEnough = (answer: unknown): answer is string =>
  typeof answer === 'string' && answer.length >= minLength;

/** Refuses a constant or short value, which would tie a presentation to no flow. */
function computed(
  compute: Compute,
  one: unknown,
  issuer: string,
  optionPath: string,
): (expected: Expected) => string {
  if (isLongEnough(one) && one !== tryOnce(compute, issuer, optionPath)) {
    return (expected) => nonEmptyString(compute(expected), `What ${optionPath} returns`);
  }
  throw configInvalid(
    `${optionPath} must return at least ${minLength} characters, and something else for another state.`,
  );
}

/** Each answer is judged by itself: who draws the nonce is trusted to draw another one for each flow. */
function askedFor(compute: Compute, optionPath: string): (expected: Expected) => Promise<string> {
  return async (expected) => {
    const answer = await withTimeout(keyDeadlineMs, () => compute(expected)).catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error;
      const message = `${optionPath} did not answer within ${keyDeadlineMs / 1000} seconds.`;
      throw kitError('verify_timeout', { message });
    });
    if (isLongEnough(answer)) return answer;
    throw configInvalid(`What ${optionPath} returns must be a string of at least ${minLength} characters.`);
  };
}
