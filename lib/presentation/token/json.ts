import type { Limits } from './limits.js';
import { refusal } from './check-failed.js';

/** What is being read: its name for the operator, and the check that it fails where it is no JSON at all. */
export interface Part {
  readonly name: string;
  readonly malformed: string;
}

/**
 * JSON.parse keeps the last of two members of one name and says nothing. So the members are counted twice, in the
 * text and in the parsed value: they differ exactly where a name was repeated, however it was escaped (P10).
 */
export function parseStrict(text: string, part: Part, limits: Limits): unknown {
  const written = countWritten(text, part, limits);
  const value = parse(text, part);
  if (countParsed(value, part, limits) !== written) {
    throw refusal('P10', `${part.name} has two members of one name.`);
  }
  return value;
}

function parse(text: string, part: Part): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(part.malformed, `${part.name} is not JSON.`);
  }
}

const [quote, comma, colon, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** Counts the colons outside strings, and bounds number and depth of values before anything parses them (P08). */
function countWritten(text: string, part: Part, limits: Limits): number {
  let members = 0;
  let commas = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === colon) members += 1;
    else if (char === comma) {
      commas += 1;
      if (commas >= limits.values) throw refusal('P08', `${part.name} has too many values.`);
    } else if (char === closeBracket || char === closeBrace) depth -= 1;
    else if (char === openBracket || char === openBrace) {
      depth += 1;
      if (depth > limits.depth) throw refusal('P08', `${part.name} is nested too deep.`);
    }
  }
  return members;
}

/** The index of the closing quote, or the end of a text that has none and that JSON.parse will refuse. */
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

function countParsed(value: unknown, part: Part, limits: Limits): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) {
    const members: readonly unknown[] = Object.values(value);
    return members.length + countInside(members, part, limits);
  }
  if (value.length <= limits.arrayLength) return countInside(value, part, limits);
  throw refusal('P08', `${part.name} has an array that is too long.`);
}

function countInside(values: readonly unknown[], part: Part, limits: Limits): number {
  let members = 0;
  for (const value of values) members += countParsed(value, part, limits);
  return members;
}
