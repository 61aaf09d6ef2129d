import { describe, expect, test } from '@jest/globals';
import { accentDeclarations } from '../../../lib/http/pages/accent.js';

const colours = [
  '#000000',
  '#ffffff',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#808080',
  '#0b5a8a',
  '#E30613',
  '#1fa682', // at the edge: what counts is the colour as it is written
];

type Rgb = [number, number, number];
const parse = (hex = ''): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;

/** WCAG's contrast, computed here by itself. */
function contrast(a: Rgb, b: Rgb): number {
  const light = ([r, g, bl]: Rgb): number => {
    const [x, y, z] = [r, g, bl].map((it) => {
      const c = it / 255;
      return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }) as Rgb;
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const [p, q] = [light(a), light(b)];
  return (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05);
}

const readIn = (declarations: string): Record<string, Rgb> =>
  Object.fromEntries(
    declarations.split(';').map((it) => {
      const [name = '', value] = it.split(':');
      return [name.slice(2), parse(value)];
    }),
  );

/** What of a site's colour cannot be read. */
function illegibleOf(accent: string): unknown[] {
  const found: unknown[] = [];
  for (const [look, card] of [
    ['light', '#ffffff'],
    ['dark', '#182129'],
  ] as const) {
    const its = readIn(accentDeclarations(accent, look));
    const [plain, over, ink, link, tint] = ['accent', 'accent-over', 'accent-ink', 'link', 'tint'].map(
      (name) => its[name] ?? [0, 0, 0],
    ) as [Rgb, Rgb, Rgb, Rgb, Rgb];
    if (String(plain) !== String(parse(accent))) found.push([accent, look, 'is another colour', plain]);
    for (const [a, b] of [
      [plain, ink],
      [over, ink],
      [link, parse(card)],
      [link, tint],
    ] as const) {
      if (!(contrast(a, b) >= 4.5)) found.push([accent, look, a, b, contrast(a, b)]);
    }
  }
  return found;
}

describe("a site's own colour", () => {
  test.each(colours)('%s: what is written on it and in it can be read, in both looks', (accent) => {
    expect(illegibleOf(accent)).toEqual([]);
  });

  test('so it is with colours from all over the range', () => {
    const all = Array.from({ length: 4_096 }, (_, n) => `#${(n * 4_095).toString(16).padStart(6, '0')}`);
    expect(all.flatMap(illegibleOf)).toEqual([]);
  });

  test('a colour that can be read stays as it is', () => {
    expect(accentDeclarations('#0b5a8a', 'light')).toContain('--link:#0b5a8a');
    expect(accentDeclarations('#0b5a8a', 'light')).toContain('--accent-ink:#ffffff');
    expect(accentDeclarations('#ffdd00', 'light')).toContain('--accent-ink:#000000');
  });
});
