/** A word of a text, as it is compared: `start` and `end` are where it stands. */
interface Word {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text. `not_shared` and `Next.js` are two words each. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    stem: stemOf(word.toLowerCase()),
    start: index,
    end: index + word.length,
  }));
}

/** Cuts off what a word is inflected by, so that "upgrade", "upgrades" and "upgrading" are one word. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  const singular = word.endsWith('ss') ? word : word.replace(/e?s$/, '');
  const verb = singular.length > 5 ? singular.replace(/(?:ing|ed)$/, '') : singular;
  return verb.length > 3 ? verb.replace(/e$/, '') : verb;
}
