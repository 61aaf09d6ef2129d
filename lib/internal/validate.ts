import { configInvalid, type IdentityError } from '../errors.js';
import { maxTimerMs, toMilliseconds } from './timeouts.js';

/**
 * Checks one value that a caller hands in, and returns what the rest works with. `place` names it in messages:
 * `trust['xx'].iss`, `memoryStore: max`, or `Option limits` for the factory.
 */
export type Check<T> = (value: unknown, place: string) => T;

/** A check of each member of a type: an option that has none does not compile. */
export type ChecksOf<T> = { readonly [Name in keyof Required<T>]: Check<unknown> };

type Checked<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends Check<infer T> ? T : never;
};

/** The place of the factory's options. */
export const factoryPlace = 'Option';

/** The one sentence about a wrong value, with what was probably meant. */
export function invalid(place: string, why: string, meant?: string): IdentityError {
  const colon = place.startsWith(`${factoryPlace} `) ? ':' : '';
  return configInvalid(`${place}${colon} ${why}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
}

type Checks = Readonly<Record<string, Check<unknown>>>;

/** Checks an object whose members have known names only. A member that is undefined is absent, unless it has a default. */
export const object = <const Members extends Checks>(checks: Members): Check<Checked<Members>> =>
  objectWith([], checks);

/** The same, for an object with members whose absence lets more through: such a restriction must not be undefined. */
export function objectWith<const Members extends Checks>(
  restrictions: readonly (keyof NoInfer<Members> & string)[],
  checks: Members,
): Check<Checked<Members>> {
  const restricting: readonly string[] = restrictions;
  return (value, place) => {
    const options = knownOptions(value, Object.keys(checks), place, restricting);
    const members = Object.entries(checks).map(
      ([name, check]) => [name, check(options[name], memberOf(place, name))] as const,
    );
    return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as Checked<Members>;
  };
}

/** Checks an object by names that the caller chose. A member that is undefined is absent. */
export function record<T>(
  check: Check<T>,
  why = 'must be an object',
  whyNotName: (name: string) => string | undefined = () => undefined,
): Check<Readonly<Record<string, T>>> {
  return (value, place) => {
    if (!isPlainObject(value)) throw invalid(place, why);
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      members.map(([name, member]) => {
        const why = whyNotName(name);
        if (why !== undefined) throw invalid(memberOf(place, name), why);
        return [name, check(member, memberOf(place, name))];
      }),
    );
  };
}

/** Checks a list that has at least one element, and copies it. */
export function list<T>(check: Check<T>, why = 'must be a list that is not empty'): Check<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value) || value.length === 0) throw invalid(place, why);
    return value.map((element: unknown, index) => check(element, `${place}[${index}]`));
  };
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value, place) => (value === undefined ? undefined : check(value, place));
}

export function withDefault<T>(check: Check<T>, fallback: NoInfer<T>): Check<T> {
  return (value, place) => (value === undefined ? fallback : check(value, place));
}

/** Checks a value by a test of its own; `why` is the rest of the sentence, such as `must be a function`. */
export function satisfying<T>(test: (value: unknown) => boolean, why: string): Check<T> {
  return (value, place) => {
    if (test(value)) return value as T;
    throw invalid(place, why);
  };
}

/** Checks a value that is judged elsewhere. */
export const anything: Check<unknown> = (value) => value;

/** Checks a word of a closed list; one that is nearly another is told that. */
export function oneOf<const T extends string>(words: readonly T[]): Check<T> {
  const quoted = words.map((word) => `'${word}'`);
  const why = `must be ${[quoted.slice(0, -1).join(', '), quoted.at(-1)].join(' or ')}`;
  return (value, place) => {
    if ((words as readonly unknown[]).includes(value)) return value as T;
    const meant = typeof value === 'string' ? nearMiss(value, words) : undefined;
    throw invalid(place, why, meant);
  };
}

export const nonEmptyString: Check<string> = satisfying(
  (value) => typeof value === 'string' && value !== '',
  'must be a non-empty string',
);

export const stringList: Check<readonly string[]> = list(nonEmptyString);

/** A list of names, or one name. */
export const oneOrMore: Check<readonly string[]> = (value, place) =>
  stringList(typeof value === 'string' ? [value] : value, place);

const number = (test: (value: number) => boolean, why: string): Check<number> =>
  satisfying((value) => typeof value === 'number' && Number.isFinite(value) && test(value), why);

export const numberFromZero = number((value) => value >= 0, 'must be a number, zero or more');

export const numberAboveZero = number((value) => value > 0, 'must be a number above zero');

/** Checks a whole number within the bounds. */
export function wholeNumber(min = 1, max: number = Number.MAX_SAFE_INTEGER): Check<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const isWithin = (value: number) => Number.isInteger(value) && value >= min && value <= max;
  return number(isWithin, `must be a whole number ${bounds}`);
}

/** Milliseconds of a timer. */
export const timerMs = number(
  (value) => value > 0 && value <= maxTimerMs,
  'must be a positive number of milliseconds, at most 24 days',
);

/** Checks a duration, and returns its milliseconds. */
export function duration(max: number = Number.MAX_SAFE_INTEGER): Check<number> {
  const bound = max === maxTimerMs ? ', at most 24 days' : '';
  return (value, place) => {
    const ms = toMilliseconds(value);
    if (ms !== undefined && ms <= max) return ms;
    throw invalid(place, `must be milliseconds or a string such as '30s', '10m', '8h', '30d'${bound}`);
  };
}

export const optionalDuration: Check<number | undefined> = optional(duration());

export const boolean: Check<boolean> = satisfying(
  (value) => typeof value === 'boolean',
  'must be true or false',
);

export const optionalBoolean: Check<boolean | undefined> = optional(boolean);

/** Checks a function; what it takes and returns shows when it runs. */
export const aFunction = <T extends (...args: never) => unknown>(): Check<T> =>
  satisfying((value) => typeof value === 'function', 'must be a function');

/** Returns a function, or undefined if none was given. */
export function optionalFunction<T extends (...args: never) => unknown>(
  value: T | undefined,
  place: string,
): T | undefined {
  return optional(aFunction<T>())(value, place);
}

/** Checks an object that has these methods, of whatever class. */
export function withMethods<T>(...names: readonly string[]): Check<T> {
  return satisfying(
    (value) => hasMethods(value, ...names),
    `must have the functions ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
  );
}

export const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  names.every(
    (name) => typeof (value as Readonly<Record<string, unknown>> | null | undefined)?.[name] === 'function',
  );

/** Returns a Date in seconds. An invalid one would compare as neither earlier nor later, and so skip its check. */
export const dateInSeconds: Check<number | undefined> = (value, place) => {
  if (value === undefined) return undefined;
  const ms = value instanceof Date ? value.getTime() : Number.NaN;
  if (Number.isFinite(ms)) return ms / 1000;
  throw invalid(place, 'must be a valid Date');
};

function memberOf(place: string, name: string): string {
  const isMaker = place === factoryPlace || place.endsWith(':');
  return `${place}${isMaker ? ' ' : '.'}${name}`;
}

/**
 * Returns the own members of options that have known names only: a mistyped `maxAge` must not mean "any age". What is
 * inherited, and what a Map holds, has no name that could be checked. Of `restrictions`, members whose absence lets more
 * through, none may be there and undefined: `rules.maxage` is, where `rules.maxAge` was meant.
 */
export function knownOptions<Name extends string>(
  value: unknown,
  names: readonly Name[],
  place: string,
  restrictions: readonly Name[] = [],
): Readonly<Partial<Record<Name, unknown>>> {
  const maker = place.replace(/^(?:Option|\w+:) |^Option$|:$/g, '');
  if (!isPlainObject(value)) {
    const kind = typeof value === 'object' && value !== null && !Array.isArray(value) ? 'a plain' : 'an';
    if (place.startsWith(`${factoryPlace} `)) throw invalid(place, `must be ${kind} object`);
    throw configInvalid(`The options${maker === '' ? '' : ` of ${maker}`} must be ${kind} object.`);
  }
  const own = Object.getOwnPropertyNames(value);
  const unknown = own.find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const meant = nearMiss(unknown, names);
    const hint = meant === undefined ? `Known options: ${names.join(', ')}.` : `Did you mean ${meant}?`;
    throw configInvalid(`Unknown option ${unknown}${maker === '' ? '' : ` of ${maker}`}. ${hint}`);
  }
  const options = Object.create(null) as Record<string, unknown>;
  for (const name of own) options[name] = value[name];
  const lifted = restrictions.find((name) => name in options && options[name] === undefined);
  if (lifted === undefined) return options as Readonly<Partial<Record<Name, unknown>>>;
  const why = 'must not be undefined, because that would lift a restriction unnoticed';
  throw invalid(memberOf(place, lifted), `${why}: to leave it out, write ...(x && { ${lifted}: x })`);
}

/** Returns true for an object that has its members itself, of whatever realm: no list, Map or instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return true;
  // An object without a prototype can be one too: what it hands down would not be seen.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty');
}

/** Returns the known name that a mistyped one most likely means, or undefined if none is near enough. */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, name.length / 3))
    .toSorted((a, b) => a.distance - b.distance);
  return best?.candidate;
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
