import type { Random } from './random.js';

/** Something that was a good presentation, and is none any more. */
export function changed(presentation: string, random: Random): string {
  const at = random.below(presentation.length);
  const [before, here, after] = [
    presentation.slice(0, at),
    presentation.charAt(at),
    presentation.slice(at + 1),
  ];
  const parts = presentation.split('~');
  const part = 1 + random.below(Math.max(1, parts.length - 2));
  return random.pick([
    () => `${before}${here === 'A' ? 'B' : 'A'}${after}`,
    () => `${before}${after}`,
    () => `${before}${random.pick(['.', '~', '=', '%', ' ', '\u0000', 'é', '🪪'])}${here}${after}`,
    () => before,
    () => parts.toSpliced(part, 1).join('~'),
    () => parts.toSpliced(part, 0, parts[part] ?? '').join('~'),
    () => parts.toReversed().join('~'),
    () => `${presentation}${presentation}`,
    () => presentation.toUpperCase(),
    () => `${presentation}\n`,
  ])();
}
