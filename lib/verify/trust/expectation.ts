import { randomBytes } from 'node:crypto';
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
import { dateInSeconds, isPlainObject, knownOptions, nonEmptyString } from '../../internal/validate.js';

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

/** Compiles the value that ties a presentation to one flow (B07, J06): one of these words, or a function. */
export function compileBoundValue(
  value: unknown,
  words: readonly ('state-sha256' | 'state')[],
  issuer: string,
  optionPath: string,
): (expected: Expected) => string {
  if (value === 'state-sha256') return ({ state }) => nonceOf(state);
  if (value === 'state' && words.includes(value)) return ({ state }) => state;
  if (typeof value !== 'function') {
    const quoted = words.map((word) => `'${word}'`).join(', ');
    throw configInvalid(`${optionPath} must be ${quoted} or a function of what is expected.`);
  }
  const compute = value as (expected: Expected) => unknown;
  tryForTwoStates(compute, issuer, optionPath);
  return (expected) => nonEmptyString(compute(expected), `What ${optionPath} returns`);
}

/** 128 bits in base64url. */
const minLength = 22;

/** Refuses a constant or short value, which would tie a presentation to no flow. */
function tryForTwoStates(compute: (expected: Expected) => unknown, issuer: string, optionPath: string): void {
  const [one, another] = [1, 2].map(() => {
    const state = randomBytes(32).toString('base64url');
    try {
      return compute({ issuer, state, reveal: [], variant: 'derived', startedAt: new Date() });
    } catch (cause) {
      throw kitError('config_invalid', { message: `${optionPath} threw when it was tried.`, cause });
    }
  });
  if (typeof one === 'string' && one.length >= minLength && one !== another) return;
  throw configInvalid(
    `${optionPath} must return at least ${minLength} characters, and others for another state.`,
  );
}
