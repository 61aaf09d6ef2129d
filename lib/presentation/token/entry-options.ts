import { configInvalid } from '../../errors.js';
import { supportedAlgorithms } from './algorithms.js';
import { isObject } from './segment.js';

/** Options as they were handed in, nothing judged but their names. */
type Given<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/** The options under known names; `undefined` counts as absent, an unknown name is named. */
export function namedOptions<Name extends string>(
  value: unknown,
  names: readonly Name[],
  where: string,
): Given<Name> {
  if (!isObject(value)) throw configInvalid(`${where} must be an object.`);
  const unknown = Object.keys(value).find((name) => !(names as readonly string[]).includes(name));
  if (unknown === undefined) return value as Given<Name>;
  throw configInvalid(`${where} has the unknown option ${unknown}; it knows ${names.join(', ')}.`);
}

/** A non-empty text. */
export function text(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw configInvalid(`${where} must be a non-empty string.`);
}

/** A list of at least one non-empty text, copied. */
export function textList(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || value.length === 0)
    throw configInvalid(`${where} must be a list that is not empty.`);
  return value.map((element: unknown, index) => text(element, `${where}[${index}]`));
}

/** A number that is not negative, or the default. */
export function amount(value: unknown, fallback: number, where: string): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw configInvalid(`${where} must be a number, zero or more.`);
}

/** Signature algorithms; only asymmetric ones are known. */
export function algorithmList(value: unknown, where: string): readonly string[] {
  if (value === undefined) return ['ES256'];
  const names = textList(value, where);
  const unknown = names.find((name) => !supportedAlgorithms.includes(name));
  if (unknown === undefined) return names;
  throw configInvalid(`${where} has ${unknown}; supported are ${supportedAlgorithms.join(', ')}.`);
}

/** A Date in seconds. An invalid one would compare as neither earlier nor later, and so skip its check. */
export function seconds(value: unknown, where: string): number | undefined {
  if (value === undefined) return undefined;
  const ms = value instanceof Date ? value.getTime() : Number.NaN;
  if (Number.isFinite(ms)) return ms / 1000;
  throw configInvalid(`${where} must be a valid Date.`);
}
