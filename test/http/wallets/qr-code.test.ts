import { expect, test } from '@jest/globals';
import { encode } from 'uqr';
import { qrCode } from '../../../lib/http/wallet/qr-code.js';

const text = `openid4vp://?client_id=x509_hash%3A${'a'.repeat(43)}`;

/** The dark squares that a picture has, row by row. */
function squaresOf(markup: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)?.[1]);
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const path = /<path d="([^"]*)" fill="#000"/.exec(markup)?.[1] ?? '';
  const rest = path.replaceAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g, (_, x: string, y: string, width: string) => {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) {
      expect(rows[Number(y)]?.[at]).toBe(false); // none is drawn twice
      (rows[Number(y)] as boolean[])[at] = true;
    }
    return '';
  });
  expect(rest).toBe('');
  return rows;
}

test('the picture of a code has its squares, a quiet zone of four around them, and a name', () => {
  const { markup } = qrCode(text, 'QR code for your wallet');
  const { data } = encode(text, { ecc: 'M', border: 4, maskPattern: 3 });
  const begins = data.flatMap((row) => row.filter((dark, x) => dark && row[x - 1] !== true));
  expect(markup.match(/h\d+v1/g)).toHaveLength(begins.length); // what stands side by side is one shape
  expect(squaresOf(markup)).toEqual(data);
  expect(data.slice(0, 4).flat()).not.toContain(true);
  expect(markup).toMatch(/^<svg\s[^]*aria-label="QR code for your wallet"[^]*<\/svg>$/);
});

test('in development it is a link as well, which opens beside the page', () => {
  const { markup } = qrCode(text, 'QR code', 'http://127.0.0.1:1/wallet?a=1&b=2');
  expect(markup).toMatch(
    /^<a href="http:\/\/127\.0\.0\.1:1\/wallet\?a=1&amp;b=2" target="_blank" rel="noopener"><svg[^]*<\/svg><\/a>$/,
  );
});
