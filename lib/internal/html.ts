const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to send: only {@link html} and {@link raw} make it. */
export interface Markup {
  readonly markup: string;
}

/** What may stand in a page. */
export type Content = string | number | false | undefined | Markup | readonly Content[];

export const raw = (markup: string): Markup => ({ markup });

/** Builds markup; every value that is not markup itself is escaped, lists are joined, `undefined` and false vanish. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const [first = '', ...others] = parts.map((part) => part.replaceAll(/\s*\n\s*/g, '\n')); // the source's indentation
  return { markup: first + others.map((part, index) => write(values[index]) + part).join('') };
}

function write(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'object') return 'markup' in content ? content.markup : content.map(write).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => String(entities[character]));
}
