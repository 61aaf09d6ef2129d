import { knownOptions, stringList } from '../../safe/check-options.js';
import { isObject } from '../token/segment.js';

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
export function at(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    claims,
  );
}
