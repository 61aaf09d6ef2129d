/** Markup that is safe to send: only `html` makes it. */
export interface Html {
  readonly markup: string;
}

type Content = string | number | undefined | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds markup. A value that is not markup itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return { markup: parts.map((part, index) => part + write(values[index])).join('') };
}

function write(content: Content): string {
  if (content === undefined) return '';
  if (typeof content !== 'object')
    return String(content).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
  return 'markup' in content ? content.markup : content.map(write).join('');
}
