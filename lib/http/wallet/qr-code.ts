import { encode } from 'uqr';
import { html, type Markup } from '../../internal/html.js';

/**
 * The quiet zone that the standard asks for, and one mask for each code: to try all eight takes as much CPU as the rest of a
 * verification, and the one that is found reads no better, because the text of an address has no pattern.
 */
const settings = { ecc: 'M', border: 4, maskPattern: 3 } as const;

/**
 * Returns a QR code as an image that needs no other address and no inline style. In development it is a link too, for who has
 * no other device at hand.
 */
export function qrCode(text: string, label: string, link?: string): Markup {
  const { data, size } = encode(text, settings);
  const path = data
    .map((row, y) =>
      runsIn(row)
        .map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)
        .join(''),
    )
    .join('');
  const image = html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
  return link === undefined ? image : html`<a href="${link}" target="_blank" rel="noopener">${image}</a>`;
}

/** Where dark squares stand side by side, and how many: one shape for them all. */
function runsIn(row: readonly boolean[]): [start: number, width: number][] {
  const runs: [number, number][] = [];
  for (const [x, dark] of row.entries()) {
    const last = runs.at(-1);
    if (dark && last !== undefined && row[x - 1] === true) last[1] += 1;
    else if (dark) runs.push([x, 1]);
  }
  return runs;
}
