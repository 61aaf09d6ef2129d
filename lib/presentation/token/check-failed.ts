import { IdentityError, type KitErrorCode } from '../../errors.js';

/**
 * The refusal of a presentation: the number of the check that failed and one sentence for an operator. The sentence
 * never holds a value of the presentation, and the error no cause: those of parsers may quote what they read.
 */
export function refusal(
  check: string,
  message: string,
  code: KitErrorCode = 'presentation_invalid',
): IdentityError {
  return new IdentityError(code, { check, message });
}
