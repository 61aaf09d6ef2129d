import { isUtf8 } from 'node:buffer';
import type { CheckNumber } from '../checks.js';
import { checkFailed, enforce, passed } from './enforce.js';

/** The largest token that is accepted (P01, P08). */
export interface TokenLimits {
  /** Characters of the whole token; default 262,144, the size limit of a callback. */
  readonly length: number;
  /** Disclosures; default 1,000. */
  readonly disclosures: number;
  /** Characters of one Disclosure; default 131,072: a portrait fits. */
  readonly disclosureLength: number;
  /** Objects and arrays inside one another; default 32. */
  readonly depth: number;
  /** Elements of one array, digests included; default 2,000. */
  readonly arrayLength: number;
  /** Members and elements of all parts together; an empty object or array counts as one. Default 5,000. */
  readonly values: number;
}

export const defaultLimits: TokenLimits = Object.freeze({
  length: 256 * 1024,
  disclosures: 1000,
  disclosureLength: 128 * 1024,
  depth: 32,
  arrayLength: 2000,
  values: 5000,
});

/** A JSON object from outside. Read only its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isOneOf = (value: unknown, names: readonly string[]): value is string =>
  (names as readonly unknown[]).includes(value);

/** The reading of one token: its limits, and what was found in the parts read so far. */
export interface Reading {
  readonly limits: TokenLimits;
  /** Members and elements. */
  values: number;
  /** False once a number was found that JSON.parse rounds or turns into infinity. */
  isExact: boolean;
}

export const startReading = (limits: TokenLimits): Reading => ({ limits, values: 0, isExact: true });

/** The part being read: its name for the operator, and the check that fails if it is not JSON. */
export interface JsonPart {
  readonly name: string;
  readonly malformed: CheckNumber;
}

/** Returns the bytes of a segment. Only the canonical spelling encodes back to itself (P02). */
export function decodeSegment(segment: string, name: string): Buffer {
  const bytes = Buffer.from(segment, 'base64url');
  const isCanonical = segment !== '' && bytes.toString('base64url') === segment;
  enforce('P02', isCanonical, `${name} is not canonical base64url.`);
  return bytes;
}

export function readSegment(segment: string, part: JsonPart, reading: Reading): unknown {
  const bytes = decodeSegment(segment, part.name);
  enforce('P09', isUtf8(bytes), `${part.name} is not UTF-8.`);
  return parseStrict(bytes.toString(), part, reading);
}

export function readObject(segment: string, name: string, reading: Reading): JsonObject {
  const value = readSegment(segment, { name, malformed: 'P09' }, reading);
  enforce('P09', isObject(value), `${name} is not a JSON object.`);
  return value;
}

/**
 * Parses JSON and refuses duplicate member names, of which JSON.parse silently keeps the last. Members are counted in
 * the string and in the parsed value: the counts differ exactly if a name is repeated, however it is escaped (P10).
 */
export function parseStrict(text: string, part: JsonPart, reading: Reading): unknown {
  const written = countWritten(text, part, reading);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw checkFailed(part.malformed, `${part.name} is not JSON.`);
  }
  passed(part.malformed);
  const parsed = countParsed(value, part, reading);
  passed('P08');
  enforce('P10', parsed === written, `${part.name} has two members of one name.`);
  return value;
}

/**
 * Returns the number of colons outside strings, and limits the number and depth of values before any is made (P08). A
 * comma stands before every element of an object or array but its first, so commas and openings together count them all.
 */
function countWritten(text: string, part: JsonPart, reading: Reading): number {
  const { depth: deepest, values: most } = reading.limits;
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === ':') members += 1;
    else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',' || char === '[' || char === '{') {
      if (char !== ',') depth += 1;
      if (depth > deepest) throw checkFailed('P08', `${part.name} is nested too deep.`);
      reading.values += 1;
      if (reading.values > most)
        throw checkFailed('P08', `${part.name} and what stands before it have too many values.`);
    }
  }
  return members;
}

/** Returns the index of the closing quote, or the end of a string that has none and that JSON.parse will refuse. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}

/** Returns the number of members, and looks at each value once: how long an array is (P08), how exact a number (S24). */
function countParsed(value: unknown, part: JsonPart, reading: Reading): number {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) reading.isExact = false;
  if (typeof value !== 'object' || value === null) return 0;
  const inside: readonly unknown[] = Object.values(value);
  const isList = Array.isArray(value);
  if (isList && inside.length > reading.limits.arrayLength) {
    throw checkFailed('P08', `${part.name} has an array that is too long.`);
  }
  let members = isList ? 0 : inside.length;
  for (const each of inside) members += countParsed(each, part, reading);
  return members;
}

/** Refuses a token with a number that JSON.parse silently rounds or turns into infinity (S24). */
export function checkNumbers({ isExact }: Reading): void {
  enforce('S24', isExact, 'A number is too large to be read exactly.');
}
