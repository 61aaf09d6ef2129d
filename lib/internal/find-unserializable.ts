/**
 * Returns the path of the first value that JSON would drop or empty, or undefined if there is none. A value with a
 * `toJSON` of its own, such as a Date, says itself how it is written. Expects a value that JSON.stringify takes.
 */
export function lostInJson(value: unknown, path: string): string | undefined {
  if (typeof value === 'object' && value !== null) return lostInObject(value, path);
  const lost =
    typeof value === 'number'
      ? !Number.isFinite(value)
      : typeof value === 'function' || typeof value === 'symbol';
  return lost ? path : undefined;
}

function lostInObject(value: object, path: string): string | undefined {
  if ('toJSON' in value) return undefined;
  const members = Object.entries(value);
  // A Map, a Set or an Error has its content elsewhere.
  if (members.length === 0 && !Array.isArray(value) && !isPlain(value)) return path;
  for (const [name, member] of members) {
    const lost = lostInJson(member, `${path}.${name}`);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
