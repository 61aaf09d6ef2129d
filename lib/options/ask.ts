import type { AttributeId } from '../types/attributes.js';
import { checkQuestion } from './named-requests.js';
import {
  type Ask,
  type DerivedBy,
  type DerivedMap,
  type Question,
  type RevealedBy,
  type Stored,
  madeByAsk,
} from './result-types.js';
import { shapeQuestion } from './schema.js';

/**
 * Makes one question: what is asked, why, what is kept of the answer and for how long. It is checked at once and frozen,
 * so that it can live in a file of its own and be tested alone. The factory asks it under a name in `requests`.
 *
 * @example
 * ```ts
 * import { ask, identityVerification, isAtLeast } from 'pidgate'
 *
 * export const age = ask({
 *   reveal: ['birth_date'],
 *   purpose: 'You must be 18 or over to buy spirits.',
 *   keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
 *   keepFor: '30d',
 * })
 *
 * const identity = identityVerification({ requests: { age } })
 * export const adultsOnly = identity.require({ request: 'age', allow: ({ adult }) => adult })
 * ```
 */
export function ask<
  const Reveal extends readonly AttributeId[],
  const Derived extends DerivedMap = {},
  Answer = undefined,
>(question: Question<Reveal, Derived, Answer>): Ask<RevealedBy<Reveal>, DerivedBy<Derived>, Stored<Answer>>;
export function ask(question: unknown): object {
  const shaped = shapeQuestion(question, 'ask');
  checkQuestion(shaped, 'ask.');
  Object.freeze(shaped.reveal);
  Object.freeze(shaped.derived);
  return Object.freeze({ ...shaped, [madeByAsk]: true });
}
