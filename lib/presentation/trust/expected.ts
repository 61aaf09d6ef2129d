import { configInvalid } from '../../errors.js';
import type { DerivedId, Variant } from '../../contracts/attributes.js';
import type { Expected } from '../../contracts/verifier.js';
import { isAttributeId, isDerivedId } from '../../protocol/attributes.js';
import { variants } from '../../protocol/dates.js';
import { dateInSeconds, nonEmptyString } from '../../safe/check-options.js';

/** Refuses an expectation that is malformed: it must never count as one that is absent. */
export function checkExpected(expected: Expected): void {
  nonEmptyString(expected.state, 'expected.state');
  if (!Array.isArray(expected.reveal) || !expected.reveal.every(isAttributeId)) {
    throw configInvalid('expected.reveal must be a list of attribute ids.');
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

/** Returns the derived attributes that were asked for. */
export function askedDerived({ derived = {} }: Expected): readonly DerivedId[] {
  const ids = Object.keys(derived) as DerivedId[];
  return ids.filter((id) => derived[id] !== undefined);
}

export function variantOf({ variant = 'derived' }: Expected): Variant {
  return variant;
}
