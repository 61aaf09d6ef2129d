import { configInvalid, type IdentityError } from '../errors.js';

/** The known name that a mistyped one most likely means, if any is near enough. */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, name.length / 3) ? best.candidate : undefined;
}

/** The error for a name that nobody knows; `where` is what it stands in. */
export function unknownName(name: string, known: readonly string[], where = ''): IdentityError {
  const meant = nearMiss(name, known);
  const hint = meant === undefined ? `It knows ${known.join(', ')}.` : `Did you mean ${where}${meant}?`;
  return configInvalid(`Unknown option ${where}${name}. ${hint}`);
}

/** Refuses names that nobody knows: a mistyped `maxAge` must not mean "any age". */
export function checkNames(given: object, known: readonly string[], where: string): void {
  const name = Object.keys(given).find((it) => !known.includes(it));
  if (name !== undefined) throw unknownName(name, known, where);
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
