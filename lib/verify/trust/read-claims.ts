import { configInvalid, type IdentityError } from '../../errors.js';
import { toIsoDate } from '../../internal/dates.js';
import { redacted } from '../../internal/redacted.js';
import { type Check, invalid, knownOptions, object, optional, stringList } from '../../internal/validate.js';
import {
  type AttributeId,
  attributeIds,
  type AttributeValues,
  claimPath,
  type ClaimPaths,
  type DerivedId,
  derivedIds,
  type DerivedResults,
  isPidAttributeId,
  type PidAttributeId,
  type PidAttributes,
  type Variant,
} from '../../types/attributes.js';
import type { Clock } from '../../types/json.js';
import type { Expected, Verdict } from '../../types/trust.js';
import { isObject, type JsonObject } from '../jose/decode.js';
import { checkFailed, enforce } from '../jose/enforce.js';
import { askedDerived, variantOf } from './expectation.js';
import { readAge } from './read-age.js';

type Places<Id extends string, Place> = Readonly<Partial<Record<Id, Place>>>;

const checksById = <Place>(ids: readonly string[], place: Check<Place>) =>
  Object.fromEntries(ids.map((id) => [id, optional(place)]));

const pathOfAges: Check<readonly string[] | false> = (value, place) => {
  if (value === false || Array.isArray(value)) return value === false ? value : stringList(value, place);
  throw invalid(
    place,
    "must be the path below which the ages stand, such as ['age_equal_or_over'], or false",
  );
};

/** Checks the `claims` of a trust entry: the path of claim names of each attribute. */
export const attributePaths = object({
  ...checksById(attributeIds, stringList),
  age_over: optional(pathOfAges),
}) as Check<ClaimPaths>;

/** Returns the value at a path of own members, or undefined. */
export function getPath(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    claims,
  );
}

/** Refuses an entry that does not say where something is that is asked for: no token could bring it. */
export function requirePaths(reveal: readonly AttributeId[], paths: ClaimPaths, optionPath: string): void {
  const missing = reveal.find((id) => claimPath(id, paths) === undefined && !isCounted(id, paths.birth_date));
  if (missing === undefined) return;
  throw placeIsMissing(optionPath, missing, isPidAttributeId(missing) ? '' : ' Add age_over or birth_date.');
}

/** Returns the places of the derived results that are asked for. */
export function requirePlaces<Id extends string, Place>(
  asked: readonly Id[],
  places: Places<Id, Place>,
  optionPath: string,
): Readonly<Record<Id, Place>> {
  const missing = asked.find((id) => places[id] === undefined);
  if (missing === undefined) return places as Readonly<Record<Id, Place>>;
  throw placeIsMissing(optionPath, missing);
}

const placeIsMissing = (optionPath: string, missing: string, hint = ''): IdentityError =>
  configInvalid(`${optionPath} does not say where ${missing} is, which is asked for.${hint}`);

interface Form<Value> {
  /** Returns undefined if the value has another form: nothing is repaired. */
  readonly read: (value: unknown, variant: Variant) => Value | undefined;
  readonly description: string;
}

const name: Form<string> = {
  // Spaces, controls and half characters are nothing that a person could be called.
  read: (value) => (typeof value === 'string' && /[^\p{Z}\p{C}]/u.test(value) ? value : undefined),
  description: 'a string with a character that can be seen',
};

/** The encodings of the EU PID rulebook, sections 2.1 and 2.2. */
const forms: { readonly [Id in PidAttributeId]: Form<PidAttributes[Id]> } = {
  family_name: name,
  given_name: name,
  birth_date: {
    read: (value, variant) => (typeof value === 'string' ? toIsoDate(value, variant) : undefined),
    description: "a day of the calendar in the variant's own form",
  },
  nationality: {
    // QU (unknown) and QS (stateless) are values too: the form is checked, not an ISO list.
    read: (value) => (Array.isArray(value) && value.every(isCountry) ? value : undefined),
    description: 'a list of two-letter codes (older issuers sent a single string or a map)',
  },
};

const isCountry = (value: unknown): value is string => typeof value === 'string' && /^[A-Z]{2}$/.test(value);

/** An age that is not there is counted from the date of birth. */
const isCounted = (id: AttributeId, birthDate: unknown): boolean =>
  !isPidAttributeId(id) && birthDate !== undefined;

/**
 * Returns exactly the attributes that were asked for, each in its form (C13, C14). Whatever verifier found them, this is
 * where a date of birth that came for an age ends, as a boolean.
 */
export function readAttributes(
  reveal: readonly AttributeId[],
  variant: Variant,
  find: (id: AttributeId) => unknown,
  clock: Clock,
): Readonly<Partial<AttributeValues>> {
  const birthDate = find('birth_date');
  const values = reveal.map((id) => [id, find(id)] as const);
  const missing = values
    .filter(([id, value]) => value === undefined && !isCounted(id, birthDate))
    .map(([id]) => id);
  if (missing.length > 0) {
    throw checkFailed('C13', `The presentation does not hold ${missing.join(', ')}.`, 'attributes_missing');
  }
  // Elements are disclosed one by one, and some wallets disclose none of them.
  const isEmptied = (value: unknown) => Array.isArray(value) && value.length === 0;
  if (values.some(([id, value]) => id === 'nationality' && isEmptied(value))) {
    const why = 'nationality has no element: the wallet showed the list without any.';
    throw checkFailed('C13', why, 'attributes_missing');
  }
  const entries = values.map(([id, value]) => {
    if (!isPidAttributeId(id)) return [id, readAge(id, value, birthDate, { variant, clock })];
    const { read, description } = forms[id];
    const attribute = read(value, variant);
    enforce('C13', attribute !== undefined, `${id} is not ${description}.`, 'attribute_invalid');
    return [id, attribute];
  });
  return redacted(Object.fromEntries(entries) as Partial<AttributeValues>);
}

/** The place of a derived result, and of the value that it was computed for: undefined if dangerously unbound. */
interface DerivedPlace {
  readonly result: readonly string[];
  readonly value: readonly string[] | undefined;
}

export const derivedPlaces = object(checksById(derivedIds, parsePlace)) as Check<
  Places<DerivedId, DerivedPlace>
>;

function parsePlace(options: unknown, optionPath: string): DerivedPlace {
  const place = knownOptions(options, ['result', 'value', 'dangerouslyUnbound'], optionPath);
  const result = stringList(place.result, `${optionPath}.result`);
  if (place.dangerouslyUnbound === true && place.value === undefined) return { result, value: undefined };
  if (place.dangerouslyUnbound !== undefined) {
    throw configInvalid(`${optionPath} must have either a value or dangerouslyUnbound: true.`);
  }
  const value = stringList(place.value, `${optionPath}.value`);
  const differing = result.filter((name, index) => name !== value[index]);
  if (result.length === value.length && differing.length === 1) return { result, value };
  throw configInvalid(
    `${optionPath}.value must be beside ${optionPath}.result: the two paths must differ in one name only.`,
  );
}

/** The two values of a derived result that an issuer signs. */
const signedMeanings: ReadonlyMap<unknown, boolean> = new Map(Object.entries({ '1': true, '0': false }));

/** Returns the derived results that an issuer signed, each computed for the value that was asked (B19, C15). */
function readSignedDerived(
  claims: JsonObject,
  places: Readonly<Record<DerivedId, DerivedPlace>>,
  expected: Expected,
): Readonly<Partial<DerivedResults>> {
  const asked = askedDerived(expected);
  const find = (id: DerivedId) => getPath(claims, places[id].result);
  const derived = readDerived(asked, find, (value) => signedMeanings.get(value));
  for (const id of asked) {
    const { value: path } = places[id];
    const isBound = path === undefined || getPath(claims, path) === expected.derived?.[id];
    enforce('B19', isBound, `The derived ${id} was not computed for the value that was asked.`);
  }
  return derived;
}

/** Returns the verdict on claims that passed every check: exactly what was asked for. */
export function readResult(
  claims: JsonObject,
  expected: Expected,
  {
    paths,
    derived,
  }: { readonly paths: ClaimPaths; readonly derived: Readonly<Record<DerivedId, DerivedPlace>> },
  clock: Clock,
): Verdict {
  const find = (id: AttributeId) => {
    const path = claimPath(id, paths);
    return path === undefined ? undefined : getPath(claims, path);
  };
  return {
    valid: true,
    attributes: readAttributes(expected.reveal, variantOf(expected), find, clock),
    derived: readSignedDerived(claims, derived, expected),
  };
}

/** Returns exactly the derived results that were asked for. Each has one of two values (C15). */
export function readDerived(
  asked: readonly DerivedId[],
  find: (id: DerivedId) => unknown,
  meaningOf: (value: unknown) => boolean | undefined,
): Readonly<Partial<DerivedResults>> {
  const entries = asked.map((id) => {
    const value = find(id);
    const missing = `The presentation does not hold the derived ${id}.`;
    enforce('C15', value !== undefined, missing, 'attributes_missing');
    const meaning = meaningOf(value);
    const invalid = `The derived ${id} is neither of the two values that it may have.`;
    enforce('C15', meaning !== undefined, invalid, 'attribute_invalid');
    return [id, meaning];
  });
  return redacted(Object.fromEntries(entries) as Partial<DerivedResults>);
}
