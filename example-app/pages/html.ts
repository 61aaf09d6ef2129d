/** Markup that is safe to send: only {@link html} makes it. */
export interface Html {
  readonly markup: string;
}

type Piece = string | Html | readonly Html[] | undefined;

/** A template in which every value is text, unless it is markup made by this same template. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const written = pieces.map((piece, index) => write(piece) + (parts[index + 1] ?? ''));
  return { markup: (parts[0] ?? '') + written.join('') };
}

function write(piece: Piece): string {
  if (piece === undefined) return '';
  if (typeof piece !== 'string') return 'markup' in piece ? piece.markup : piece.map(write).join('');
  return piece.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
