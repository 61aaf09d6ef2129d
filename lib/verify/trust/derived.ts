import { configInvalid } from '../../errors.js';
import type { DerivedId, DerivedResults } from '../../types/attributes.js';
import type { Expected } from '../../types/verifier.js';
import { derivedIds } from '../../service/attributes.js';
import { redacted } from '../../internal/redacted.js';
import { enforce } from '../jose/check-failed.js';
import { knownOptions, stringList } from '../../internal/former-validate.js';
import type { JsonObject } from '../jose/segment.js';
import { getPath, valuesAt } from './claim-paths.js';

/** The place of a derived result, and of the value that it was computed for: undefined if dangerously unbound. */
export interface DerivedClaim {
  readonly result: readonly string[];
  readonly value: readonly string[] | undefined;
}

/** The places of the derived results that a trust entry knows. */
export type DerivedPlaces = Readonly<Partial<Record<DerivedId, DerivedClaim>>>;

/** Parses the `derived` of a trust entry. */
export function parseDerivedPlaces(value: unknown, where: string): DerivedPlaces {
  const given = knownOptions(value, derivedIds, where);
  const places = derivedIds.flatMap((id) => {
    const place = given[id];
    return place === undefined ? [] : [[id, parsePlace(place, `${where}.${id}`)] as const];
  });
  return Object.fromEntries(places);
}

function parsePlace(given: unknown, where: string): DerivedClaim {
  const place = knownOptions(given, ['result', 'value', 'dangerouslyUnbound'], where);
  const result = stringList(place.result, `${where}.result`);
  if (place.dangerouslyUnbound === true && place.value === undefined) return { result, value: undefined };
  if (place.dangerouslyUnbound !== undefined) {
    throw configInvalid(`${where} must have either a value or dangerouslyUnbound: true.`);
  }
  const value = stringList(place.value, `${where}.value`);
  const differing = result.filter((name, index) => name !== value[index]);
  if (result.length === value.length && differing.length === 1) return { result, value };
  throw configInvalid(`${where}.value must be beside ${where}.result: the paths differ in one name.`);
}

/** The two values of a derived result that an issuer signs. */
const signedMeanings: ReadonlyMap<unknown, boolean> = new Map([
  ['1', true],
  ['0', false],
]);

/** Returns the derived results that an issuer signed, each computed for the value that was asked (B19, C15). */
export function readSignedDerived(
  claims: JsonObject,
  places: ReadonlyMap<DerivedId, DerivedClaim>,
  asked: NonNullable<Expected['derived']>,
): Readonly<Partial<DerivedResults>> {
  const results = new Map([...places].map(([id, { result }]) => [id, result]));
  const derived = readDerived([...places.keys()], signedMeanings, valuesAt(claims, results));
  for (const [id, { value }] of places) {
    enforce(
      'B19',
      value === undefined || getPath(claims, value) === asked[id],
      `The derived ${id} was not computed for the value that was asked.`,
    );
  }
  return derived;
}

/** Returns exactly the derived results that were asked for. `meanings` holds the only two accepted values (C15). */
export function readDerived(
  asked: readonly DerivedId[],
  meanings: ReadonlyMap<unknown, boolean>,
  find: (id: DerivedId) => unknown,
): Readonly<Partial<DerivedResults>> {
  const entries = asked.map((id) => {
    const value = find(id);
    enforce(
      'C15',
      value !== undefined,
      `The presentation does not hold the derived ${id}.`,
      'attributes_missing',
    );
    const meaning = meanings.get(value);
    enforce(
      'C15',
      meaning !== undefined,
      `The derived ${id} is neither of the two values that it may have.`,
      'attribute_invalid',
    );
    return [id, meaning];
  });
  return redacted(Object.fromEntries(entries) as Partial<DerivedResults>);
}
