/** Markup that is safe to send. Made only by {@link sandboxHtml}. */
export interface Html {
  readonly markup: string;
}

type Piece = string | number | Html | false | undefined | readonly Html[];

/** A template in which every value is text, unless it is markup made by this same template. */
export function sandboxHtml(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { markup: String.raw({ raw: strings }, ...pieces.map(render)) };
}

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  return 'markup' in piece ? piece.markup : piece.map(({ markup }) => markup).join('');
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
