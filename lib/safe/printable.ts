/** Text that a stranger wrote: capped, and without characters that control or redirect whatever shows it. */
export function strangersText(text: string, length: number): string {
  return text
    .slice(0, length) // first, so that a pair of surrogates cut in half falls to the next line
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
}
