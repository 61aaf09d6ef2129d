import type { Check } from '../checks.js';
import { type IdentityError, type KitErrorCode, kitError } from '../../errors.js';

/**
 * The error for a presentation that failed a check: the check's number and one sentence for an operator. The sentence
 * never holds a value of the presentation. The error has no cause, because a parser's message may quote its input.
 */
export function checkFailed(
  check: Check,
  message: string,
  code: KitErrorCode = 'presentation_invalid',
): IdentityError {
  return kitError(code, { check, message });
}
