/** Returns a string from outside without characters that control or redirect what shows it, cut at a length. */
export function sanitizeText(text: string, length: number): string {
  return text
    .slice(0, length) // first, so that a pair of surrogates cut in half falls to the next line
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
}
