import type { Check } from '../checks.js';
import type { TokenLimits } from './limits.js';
import { checkFailed, enforce, passed } from './check-failed.js';

/** The part being read: its name for the operator, and the check that fails if it is not JSON. */
export interface JsonPart {
  readonly name: string;
  readonly malformed: Check;
}

/**
 * Parses JSON and refuses duplicate member names, of which JSON.parse silently keeps the last. Members are counted in
 * the string and in the parsed value: the counts differ exactly if a name is repeated, however it is escaped (P10).
 */
export function parseStrict(text: string, part: JsonPart, limits: TokenLimits): unknown {
  const written = countWritten(text, part, limits);
  const value = parse(text, part);
  passed(part.malformed);
  const parsed = countParsed(value, part, limits);
  passed('P08');
  enforce('P10', parsed === written, `${part.name} has two members of one name.`);
  return value;
}

function parse(text: string, part: JsonPart): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw checkFailed(part.malformed, `${part.name} is not JSON.`);
  }
}

const [quote, comma, colon, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** Counts the colons outside strings, and limits the number and depth of values before they are parsed (P08). */
function countWritten(text: string, part: JsonPart, limits: TokenLimits): number {
  let members = 0;
  let commas = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === colon) members += 1;
    else if (char === comma) {
      commas += 1;
      if (commas >= limits.values) throw checkFailed('P08', `${part.name} has too many values.`);
    } else if (char === closeBracket || char === closeBrace) depth -= 1;
    else if (char === openBracket || char === openBrace) {
      depth += 1;
      if (depth > limits.depth) throw checkFailed('P08', `${part.name} is nested too deep.`);
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

function countParsed(value: unknown, part: JsonPart, limits: TokenLimits): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) {
    const members: readonly unknown[] = Object.values(value);
    return members.length + countInside(members, part, limits);
  }
  if (value.length <= limits.arrayLength) return countInside(value, part, limits);
  throw checkFailed('P08', `${part.name} has an array that is too long.`);
}

function countInside(values: readonly unknown[], part: JsonPart, limits: TokenLimits): number {
  let members = 0;
  for (const value of values) members += countParsed(value, part, limits);
  return members;
}

/** Refuses numbers that JSON.parse silently rounds or turns into infinity (S24). */
export function checkNumbers(value: unknown): void {
  enforce(
    'S24',
    typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER,
    'A number is too large to be read exactly.',
  );
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) checkNumbers(inner);
}
