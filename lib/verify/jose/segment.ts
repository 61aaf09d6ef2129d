import { isUtf8 } from 'node:buffer';
import type { TokenLimits } from './limits.js';
import { enforce } from './check-failed.js';
import { type JsonPart, parseStrict } from './json.js';

/** A JSON object from outside. Read only its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the bytes of a segment. Only the canonical spelling encodes back to itself (P02). */
export function decodeSegment(segment: string, name: string): Buffer {
  const bytes = Buffer.from(segment, 'base64url');
  enforce(
    'P02',
    segment !== '' && bytes.toString('base64url') === segment,
    `${name} is not canonical base64url.`,
  );
  return bytes;
}

/** Returns the JSON value inside a segment. */
export function readSegment(segment: string, part: JsonPart, limits: TokenLimits): unknown {
  const bytes = decodeSegment(segment, part.name);
  enforce('P09', isUtf8(bytes), `${part.name} is not UTF-8.`);
  return parseStrict(bytes.toString(), part, limits);
}

/** Returns the JSON object inside a segment. */
export function readObject(segment: string, name: string, limits: TokenLimits): JsonObject {
  const value = readSegment(segment, { name, malformed: 'P09' }, limits);
  enforce('P09', isObject(value), `${name} is not a JSON object.`);
  return value;
}
