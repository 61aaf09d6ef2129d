/** A part of an entry: a paragraph, an item of a list, or lines of code. */
export interface GuidePart {
  readonly kind: 'text' | 'item' | 'code';
  readonly content: string;
}

/** Returns what docs/errors.md, whose text this is, says of a code; undefined where it has no entry. */
export function entryIn(document: string, code: string): readonly GuidePart[] | undefined {
  const section = document
    .split(/^## /m)
    .find((part) => part.startsWith(`${code}\n`))
    ?.slice(code.length);
  return section?.split(/^```\w*\n([^]*?)\n```$/m).flatMap((part, at) => {
    if (at % 2 === 1) return { kind: 'code', content: part };
    return part.trim() === ''
      ? []
      : part
          .trim()
          .split(/\n{2,}/)
          .flatMap(proseOf);
  });
}

function proseOf(block: string): GuidePart[] {
  if (!block.startsWith('- ')) return [{ kind: 'text', content: block }];
  const [, ...items] = block.split(/^- /m);
  return items.map((item) => ({ kind: 'item', content: item.trim() }));
}

/** What Markdown marks in a text. */
export interface Inline {
  readonly mark: 'code' | 'strong' | undefined;
  readonly text: string;
}

/** Of a link only its words are left: it leads to another document of the package. */
export function inlinesOf(text: string): readonly Inline[] {
  const unlinked = text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return unlinked.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return { mark: 'code', text: part.slice(1, -1) };
    return part.startsWith('**')
      ? { mark: 'strong', text: part.slice(2, -2) }
      : { mark: undefined, text: part };
  });
}
