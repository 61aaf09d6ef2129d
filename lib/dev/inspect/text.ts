/** In place of a value, as where a result is printed. */
const hidden = '[hidden]';
const maxLength = 200;

/** Returns a value of a stranger as one line of JSON of a bounded length, with a space between its members. */
export function sanitizeValue(value: unknown): string {
  const json = JSON.stringify(value, undefined, 1)?.replaceAll(/\n */g, ' ');
  const text = escapeControls(json ?? 'nothing');
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text;
}

/** Escapes in JSON, or in any text, what a terminal obeys, and what turns the direction of the text. */
export function escapeControls(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\n' ? char : char.replaceAll(/./gs, (unit) => `\\u${hexOf(unit)}`),
  );
}

/** The same for a text that is to stay in its line: what was said elsewhere cannot add a line of its own. */
export function toOneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\n');
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

/** Returns the same structure with every value hidden, except that of members with these names at the top. */
export function masked(value: unknown, open: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((element) => masked(element));
  if (typeof value !== 'object' || value === null) return hidden;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, open.includes(name) ? member : masked(member)]),
  );
}
