import { encode } from 'uqr';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';

/** The quiet zone that the standard asks for. */
const border = 4;

/** Returns a QR code as an image that needs no other address and no inline style. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return sandboxHtml`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
}
