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

export function raw(markup: string): Markup {
  return { markup };
}

/** Builds markup; every value that is not markup itself is escaped, lists are joined, `undefined` and false vanish. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  const written = values.map((value, index) => `${write(value)}${parts[index + 1] ?? ''}`);
  return { markup: `${parts[0] ?? ''}${written.join('')}` };
}

function write(value: unknown): string {
  if (value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(write).join('');
  if (typeof value === 'object' && value !== null && 'markup' in value) return String(value.markup);
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
