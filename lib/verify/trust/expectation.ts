import { randomBytes } from 'node:crypto';
import { configInvalid, kitError } from '../../errors.js';
import type { DerivedId, Variant } from '../../types/attributes.js';
import type { Expected } from '../../types/verifier.js';
import { isAttributeId, isDerivedId } from '../../service/attributes.js';
import { variants } from '../../service/prove/dates.js';
import {
  dateInSeconds,
  isPlainObject,
  knownOptions,
  nonEmptyString,
} from '../../internal/former-validate.js';

const expectedNames = [
  'issuer',
  'state',
  'reveal',
  'derived',
  'variant',
  'startedAt',
] as const satisfies readonly (keyof Expected)[];

/** Refuses an expectation that is malformed: it must never count as one that is absent. */
export function checkExpected(expected: Expected): void {
  knownOptions(expected, expectedNames, 'what is expected');
  checkState(expected.state);
  if (!Array.isArray(expected.reveal) || !expected.reveal.every(isAttributeId)) {
    throw configInvalid('expected.reveal must be a list of attribute ids.');
  }
  if (expected.derived !== undefined && !isPlainObject(expected.derived)) {
    throw configInvalid('expected.derived must be an object of derived attributes.');
  }
  if (!askedDerived(expected).every(isDerivedId)) {
    throw configInvalid('expected.derived has an id that is not a derived attribute.');
  }
  for (const id of askedDerived(expected)) nonEmptyString(expected.derived?.[id], `expected.derived.${id}`);
  if (!variants.includes(variantOf(expected))) {
    throw configInvalid(`expected.variant must be ${variants.join(' or ')}.`);
  }
  dateInSeconds(expected.startedAt, 'expected.startedAt');
}

/** Half of a surrogate pair has no bytes of its own: nonces and receipts of such states would be the same. */
function checkState(value: unknown): void {
  const state = nonEmptyString(value, 'expected.state');
  if (Buffer.from(state).toString() === state) return;
  throw configInvalid('expected.state must be well-formed text: it has half of a surrogate pair.');
}

/** Returns the derived attributes that were asked for. */
export function askedDerived({ derived = {} }: Expected): readonly DerivedId[] {
  const ids = Object.keys(derived) as DerivedId[];
  return ids.filter((id) => derived[id] !== undefined);
}

export function variantOf({ variant = 'derived' }: Expected): Variant {
  return variant;
}

/** 128 bits in base64url. */
const minNonceLength = 22;

/**
 * Tries a function that computes a nonce for two states, because a constant or a short one binds a presentation to no
 * flow (B07). Returns the function.
 */
export function probeNonceFunction(
  compute: (expected: Expected) => unknown,
  issuer: string,
  where: string,
): (expected: Expected) => unknown {
  const [one, another] = [1, 2].map(() => {
    const state = randomBytes(32).toString('base64url');
    return attempt(
      () => compute({ issuer, state, reveal: [], variant: 'derived', startedAt: new Date() }),
      where,
    );
  });
  if (typeof one !== 'string' || one.length < minNonceLength || one === another) {
    throw configInvalid(
      `${where} must return at least ${minNonceLength} characters, and others for another state.`,
    );
  }
  return compute;
}

function attempt(compute: () => unknown, where: string): unknown {
  try {
    return compute();
  } catch (cause) {
    throw kitError('config_invalid', { message: `${where} threw when it was tried.`, cause });
  }
}
