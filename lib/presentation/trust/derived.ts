import type { DerivedId, DerivedResults } from '../../contracts/attributes.js';
import { redacted } from '../../safe/redacted.js';
import { checkFailed } from '../token/check-failed.js';

/** The two values of a derived result that an issuer signs. */
export const signedMeanings: ReadonlyMap<unknown, boolean> = new Map([
  ['1', true],
  ['0', false],
]);

/** Returns exactly the derived results that were asked for. `meanings` holds the only two accepted values (C15). */
export function readDerived(
  asked: readonly DerivedId[],
  meanings: ReadonlyMap<unknown, boolean>,
  find: (id: DerivedId) => unknown,
): Readonly<Partial<DerivedResults>> {
  const entries = asked.map((id) => {
    const value = find(id);
    if (value === undefined) {
      throw checkFailed('C15', `The presentation does not hold the derived ${id}.`, 'attributes_missing');
    }
    const meaning = meanings.get(value);
    if (meaning === undefined) {
      throw checkFailed(
        'C15',
        `The derived ${id} is neither of the two values that it may have.`,
        'attribute_type',
      );
    }
    return [id, meaning];
  });
  return redacted(Object.fromEntries(entries) as Partial<DerivedResults>);
}
