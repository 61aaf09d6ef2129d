const length = 400;
const unseen = ['style', 'script', 'title'];

/** The words of a reply, for its developer: without tags, and without what could be a secret or a presentation. */
export function excerpt(reply: string, state: string): string {
  const words = withoutTags(reply.replaceAll(state, '[hidden]').replaceAll(/[\w~.%+/=-]{40,}/g, '[hidden]'))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
  return words.length > length ? `${words.slice(0, length).trimEnd()} …` : words;
}

/** Looks at each character once: a stranger's reply must not decide how long this takes. */
function withoutTags(markup: string): string {
  const [first = '', ...pieces] = markup.split('<');
  let inside: string | undefined;
  const texts = pieces.map((piece) => {
    const name = /^\/?[a-z]{0,10}/i.exec(piece)?.[0].toLowerCase() ?? '';
    if (inside !== undefined && name !== `/${inside}`) return '';
    inside = unseen.includes(name) ? name : undefined;
    const end = piece.indexOf('>');
    if (end === -1) return `<${piece}`;
    return inside === undefined ? ` ${piece.slice(end + 1)}` : '';
  });
  return first + texts.join('');
}
