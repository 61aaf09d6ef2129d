import { describe, expect, test } from '@jest/globals';
import { type Theme, createTheme } from '../../lib/http/pages/theme.js';
import { configured } from '../options/settings.js';

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

const schemes = ['light', 'dark'] as const;
type Colours = { accent?: string; background?: string; surface?: string };

/** The declarations of both schemes. */
function declarationsOf(own: Colours): { light: string; dark: string } {
  const { markup } = themeOf(own).style;
  const [, light = '', dark = ''] =
    /^<style>:root\{([^}]*)\}\n@media[^:]*:dark\)\{:root\{([^}]*)\}\}/.exec(markup) ?? [];
  return { light, dark };
}

function themeOf(own: Colours): Theme {
  return createTheme(configured({ pages: { colors: own } }).pages);
}

const readIn = (declarations: string): Readonly<Record<string, Rgb>> =>
  Object.fromEntries(
    [...declarations.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(
      ([, name = '', value]) => [name, parse(value)] as const,
    ),
  );

const pairs = [
  ['ink', 'card'],
  ['soft', 'card'],
  ['link', 'card'],
  ['link', 'tint'],
  ['ink', 'note'],
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-over'],
  ['note-line', 'note', 3], // a shape, not text
] as const;

/** What of a site's colours cannot be read, or is not as the site has it. */
function illegibleOf(own: Colours): unknown[] {
  const declared = declarationsOf(own);
  return schemes.flatMap((scheme) => {
    const its = readIn(declared[scheme]);
    const of = (name: string): Rgb => its[name] ?? [0, 0, 0];
    const changed = [
      ['accent', own.accent],
      ['ground', own.background],
      ['card', own.surface],
    ].filter(([name, colour]) => colour !== undefined && String(of(name ?? '')) !== String(parse(colour)));
    const low = pairs.filter(([a, b, least = 4.5]) => !(contrast(of(a), of(b)) >= least));
    return [...changed, ...low].map((found) => [own, scheme, ...found]);
  });
}

describe("people P9 a site's own colours", () => {
  test("the kit's own can be read", () => {
    expect(illegibleOf({})).toEqual([]);
    expect(declarationsOf({}).light).toContain('--link:#0b5a8a');
  });

  test.each(colours)('%s: what is written on it and in it can be read, in both schemes', (accent) => {
    expect(illegibleOf({ accent })).toEqual([]);
  });

  test('so it is with accents from all over the range', () => {
    const all = Array.from({ length: 4_096 }, (_, n) => `#${(n * 4_095).toString(16).padStart(6, '0')}`);
    expect(all.flatMap((accent) => illegibleOf({ accent }))).toEqual([]);
  });

  test('a surface is legible with every accent, or refused by itself', () => {
    const greys = Array.from({ length: 64 }, (_, n) => `#${(n * 4).toString(16).padStart(2, '0').repeat(3)}`);
    const tints = ['#f7f4f0', '#fdf1d6', '#211d1a', '#e6d2b5', '#002b36', '#ffe0e0', '#3b0764', '#c0ffee'];
    const all = [...greys, ...tints].flatMap((surface) => colours.map((accent) => ({ accent, surface })));
    const taken = all.filter((own) => refusalOf(own) === undefined);
    expect(taken.flatMap(illegibleOf)).toEqual([]);
    expect(taken.length).toBeGreaterThan(0.8 * all.length); // only middle greys are refused
    const why = new Set(all.map((own) => /: (.*?) \(/.exec(refusalOf(own) ?? '')?.[1]));
    expect([...why]).toEqual(expect.arrayContaining(['text on the surface', 'the icon']));
  });

  test('a colour that can be read stays as it is', () => {
    expect(declarationsOf({ accent: '#0b5a8a' }).light).toContain('--accent-ink:#ffffff');
    expect(declarationsOf({ accent: '#ffdd00' }).light).toContain('--accent-ink:#000000');
  });

  test('each scheme may have its own; one for both has one look in both', () => {
    const surface = { light: '#fffaf0', dark: '#211d1a' };
    const { light, dark } = declarationsOf({ surface } as never);
    expect([light, dark].map((it) => /^color-scheme:(\w+);.*--card:(#\w+)/.exec(it)?.slice(1))).toEqual([
      ['light', '#fffaf0'],
      ['dark', '#211d1a'],
    ]);
    const one = declarationsOf({ surface: '#fffaf0', background: '#f7f4f0', accent: '#9a3f0c' });
    expect(one.dark).toBe(one.light);
  });

  test.each([
    ['#777777', 'text on the surface (#e8eef3 on #777777) has a contrast of 3.82:1 in the light scheme'],
    [
      { light: '#ffffff', dark: '#808080' },
      'text on the surface (#14202b on #808080) has a contrast of 4.18:1 in the dark scheme',
    ],
  ])('%j is refused with its pair and ratio', (surface, sentence) => {
    expect(refusalOf({ surface } as never)).toBe(
      `Option pages.colors: ${sentence}; it must be at least 4.5:1.`,
    );
  });
});

function refusalOf(own: Colours): string | undefined {
  try {
    themeOf(own);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('people P9 font and logo', () => {
  test('a font is written as it is, and the policy counts it', () => {
    const plain = createTheme(configured({}).pages);
    const own = createTheme(configured({ pages: { font: 'Georgia, "Times New Roman", serif' } }).pages);
    expect(own.style.markup).toContain('html{font-family:Georgia, "Times New Roman", serif}\n</style>');
    expect(own.policy).not.toBe(plain.policy);
  });

  test.each([
    ['/logo.svg', "img-src 'self';"],
    [{ light: 'data:image/png;base64,AAAA', dark: '/dark.svg' }, "img-src data: 'self';"],
    [undefined, 'base-uri'],
  ])('the policy allows what the logo needs: %j', (logo, part) => {
    const { policy } = createTheme(configured({ pages: { logo } }).pages);
    expect(policy.split('; ').slice(2).join('; ')).toMatch(new RegExp(`^${part}`));
  });
});
