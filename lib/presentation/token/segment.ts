import { isUtf8 } from 'node:buffer';
import type { Limits } from './limits.js';
import { checkFailed } from './check-failed.js';
import { type Part, parseStrict } from './json.js';

/** A JSON object from outside. Read only its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the bytes of a segment. Only the canonical spelling encodes back to itself (P02). */
export function decodeSegment(segment: string, name: string): Buffer {
  const bytes = Buffer.from(segment, 'base64url');
  if (segment !== '' && bytes.toString('base64url') === segment) return bytes;
  throw checkFailed('P02', `${name} is not canonical base64url.`);
}

/** Returns the JSON value inside a segment. */
export function readSegment(segment: string, part: Part, limits: Limits): unknown {
  const bytes = decodeSegment(segment, part.name);
  if (!isUtf8(bytes)) throw checkFailed('P09', `${part.name} is not UTF-8.`);
  return parseStrict(bytes.toString(), part, limits);
}

/** Returns the JSON object inside a segment. */
export function readObject(segment: string, name: string, limits: Limits): JsonObject {
  const value = readSegment(segment, { name, malformed: 'P09' }, limits);
  if (!isObject(value)) throw checkFailed('P09', `${name} is not a JSON object.`);
  return value;
}
