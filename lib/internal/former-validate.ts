import { configInvalid, type IdentityError } from '../errors.js';
import { maxTimerMs, toMilliseconds } from './timeouts.js';

// The one way to check what a caller hands in: names first, then values. `where` specifies in messages whose option
// it is; '' stands for the factory, whose options need no explanation.

/** Options as they were handed in, checked for nothing but their names. */
type Given<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/**
 * Returns the own members of options that have known names only: a mistyped `maxAge` must not mean "any age". What is
 * inherited, and what a Map holds, has no name that could be checked.
 */
export function knownOptions<Name extends string>(
  value: unknown,
  names: readonly Name[],
  where: string,
): Given<Name> {
  if (!isPlainObject(value)) {
    const kind = typeof value === 'object' && value !== null && !Array.isArray(value) ? 'a plain' : 'an';
    throw configInvalid(`The options of ${where} must be ${kind} object.`);
  }
  const unknown = Object.keys(value).find((name) => !(names as readonly string[]).includes(name));
  if (unknown === undefined) return Object.assign(Object.create(null) as Given<Name>, value);
  throw unknownName(unknown, names, where);
}

/** Returns true for an object that has its members itself, of whatever realm: no list, Map or instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The error for an unknown name, with the one that was most likely meant. */
export function unknownName(name: string, known: readonly string[], where: string): IdentityError {
  const meant = nearMiss(name, known);
  const hint = meant === undefined ? `Known options: ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return configInvalid(`Unknown option ${name}${where === '' ? '' : ` of ${where}`}. ${hint}`);
}

/** Returns the known name that a mistyped one most likely means, or undefined if none is near enough. */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, name.length / 3) ? best.candidate : undefined;
}

export function nonEmptyString(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw configInvalid(`${where} must be a non-empty string.`);
}

/** Returns a copy of a list that has at least one element, each a non-empty string. */
export function stringList(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw configInvalid(`${where} must be a list that is not empty.`);
  }
  return value.map((element: unknown, index) => nonEmptyString(element, `${where}[${index}]`));
}

/** Returns a finite number that is not negative, or the default. */
export function numberFromZero(value: unknown, fallback: number, where: string): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw configInvalid(`${where} must be a number, zero or more.`);
}

/** Returns a number above zero, or the default. */
export function numberAboveZero(value: unknown, fallback: number, where: string): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  throw configInvalid(`${where} must be a number above zero.`);
}

/** Returns a whole number within the bounds, or the default. */
export function wholeNumber(
  value: unknown,
  fallback: number,
  where: string,
  [least, most]: readonly [number, number] = [1, Number.MAX_SAFE_INTEGER],
): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw configInvalid(`${where} must be a whole number ${bounds}.`);
}

/** Returns the milliseconds of a timer, or the default. */
export function timerMs(value: unknown, fallback: number, where: string): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value > 0 && value <= maxTimerMs) return value;
  throw configInvalid(`${where} must be a positive number of milliseconds, at most 24 days.`);
}

/** Returns the milliseconds of a duration, or undefined if none was given. */
export function optionalDuration(value: unknown, where: string): number | undefined {
  const ms = toMilliseconds(value);
  if (value === undefined || ms !== undefined) return ms;
  throw configInvalid(`${where} must be milliseconds or a string such as '30d'.`);
}

export function optionalBoolean(value: unknown, where: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw configInvalid(`${where} must be true or false.`);
}

/** Returns a function, or undefined if none was given. */
export function optionalFunction<T extends (...args: never) => unknown>(
  value: T | undefined,
  where: string,
): T | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw configInvalid(`${where} must be a function.`);
}

/** Returns a Date in seconds. An invalid one would compare as neither earlier nor later, and so skip its check. */
export function dateInSeconds(value: unknown, where: string): number | undefined {
  if (value === undefined) return undefined;
  const ms = value instanceof Date ? value.getTime() : Number.NaN;
  if (Number.isFinite(ms)) return ms / 1000;
  throw configInvalid(`${where} must be a valid Date.`);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, right] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
