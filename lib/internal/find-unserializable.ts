import { isPlainObject } from './validate.js';

/**
 * Returns the path of the first value that JSON would drop or empty, or undefined if there is none. A value with a
 * `toJSON` of its own, such as a Date, says itself how it is written. Expects a value that JSON.stringify takes.
 */
export function lostInJson(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value === 'function' || typeof value === 'symbol') return path;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined;
  const members = Object.entries(value);
  // A Map, a Set or an Error has its content elsewhere.
  if (members.length === 0 && !Array.isArray(value) && !isPlainObject(value)) return path;
  for (const [name, member] of members) {
    const lost = lostInJson(member, `${path}.${name}`);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
