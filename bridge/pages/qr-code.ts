import { encode } from 'uqr';
import { type Html, html } from './html.js';

/** An image without another address. Its border is the quiet zone that the standard asks for. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return html`<svg
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${data.map((row, y) => runs(row, y)).join('')}" />
  </svg>`;
}

/** The dark modules of a row, as rectangles as long as they can be. */
function runs(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = row.indexOf(true); x !== -1; x = row.indexOf(true, x)) {
    const end = row.indexOf(false, x); // the border is white
    path += `M${x} ${y}h${end - x}v1H${x}z`;
    x = end;
  }
  return path;
}
