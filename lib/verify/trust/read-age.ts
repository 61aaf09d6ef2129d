import { isIncompleteDate, toIsoDate } from '../../internal/dates.js';
import { isAtLeast, isCertainlyYounger } from '../../service/is-at-least.js';
import { type AgeId, type Variant, yearsOf } from '../../types/attributes.js';
import type { Clock } from '../../types/json.js';
import { secondsNow } from '../jose/clock.js';
import { enforce } from '../jose/enforce.js';

/**
 * Returns whether somebody has reached an age. A claim is of the day on which the ID was issued, and a date of birth of
 * today: so the date decides where both came. An incomplete date is a no.
 */
export function readAge(
  id: AgeId,
  claim: unknown,
  birthDate: unknown,
  { variant, clock }: { readonly variant: Variant; readonly clock: Clock },
): boolean {
  if (claim !== undefined) {
    enforce('C13', typeof claim === 'boolean', `${id} is neither true nor false.`, 'attribute_invalid');
  }
  if (birthDate === undefined) return claim === true;
  const text = typeof birthDate === 'string' ? birthDate : '';
  const born = toIsoDate(text, variant);
  const isDate = born !== undefined || isIncompleteDate(text, variant);
  enforce('C13', isDate, `birth_date, from which ${id} is counted, is not a date.`, 'attribute_invalid');
  if (born === undefined) return false;
  const years = yearsOf(id);
  const now = new Date(secondsNow(clock) * 1000);
  if (claim === true) {
    const contradicts = isCertainlyYounger(born, years, now);
    enforce('C17', !contradicts, `${id} is true, and the date of birth is later.`);
  }
  return isAtLeast(born, years, now);
}
