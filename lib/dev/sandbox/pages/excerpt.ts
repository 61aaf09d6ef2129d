const length = 400;

/** The words of a reply, for its developer: without tags, and without what could be a secret or a presentation. */
export function excerpt(reply: string, state: string): string {
  const words = reply
    .replaceAll(state, '[hidden]')
    .replaceAll(/[\w~.%+/=-]{40,}/g, '[hidden]')
    .replaceAll(/<(?:style|script|title)\b[^]*?<\/\w+>|<[^>]*>/gi, ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
  return words.length > length ? `${words.slice(0, length).trimEnd()} …` : words;
}
