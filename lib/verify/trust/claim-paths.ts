import { configInvalid } from '../../errors.js';
import { knownOptions, stringList } from '../../internal/former-validate.js';
import { isObject } from '../jose/segment.js';

/** The place of each value in the claims, as a path of claim names. */
export type ClaimPaths<Id extends string> = Readonly<Partial<Record<Id, readonly string[]>>>;

/** Parses paths by attribute id. */
export function parseClaimPaths<Id extends string>(
  value: unknown,
  ids: readonly Id[],
  where: string,
): ClaimPaths<Id> {
  const given = knownOptions(value, ids, where);
  const paths = ids.flatMap((id) => {
    const path = given[id];
    return path === undefined ? [] : [[id, stringList(path, `${where}.${id}`)] as const];
  });
  return Object.fromEntries(paths) as ClaimPaths<Id>;
}

/** Returns the value at a path of own members, or undefined. */
export function getPath(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    claims,
  );
}

/** Returns the values at these paths, by id. */
export function valuesAt<Id extends string>(
  claims: unknown,
  paths: ReadonlyMap<Id, readonly string[]>,
): (id: Id) => unknown {
  const values = new Map([...paths].map(([id, path]) => [id, getPath(claims, path)]));
  return (id) => values.get(id);
}

/** Returns the places of what is asked for. Without one it cannot be found in any token: a configuration error. */
export function placesOf<Id extends string, Place>(
  asked: readonly Id[],
  places: Readonly<Partial<Record<Id, Place>>>,
  where: string,
): ReadonlyMap<Id, Place> {
  return new Map(
    asked.map((id) => {
      const place = places[id];
      if (place !== undefined) return [id, place];
      throw configInvalid(`${where} does not say where ${id} is, which is asked for.`);
    }),
  );
}
