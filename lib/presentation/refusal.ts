import { IdentityError, type KitErrorCode } from '../errors.js';

/**
 * The refusal of a presentation: the number of the check that failed and one sentence for an operator. The sentence
 * never holds a value of the presentation, and the error no cause: jose's errors carry all claims.
 */
export function refusal(
  check: string,
  message: string,
  code: KitErrorCode = 'presentation_invalid',
): IdentityError {
  return new IdentityError(code, { check, message });
}
