import { hash } from 'node:crypto';
import { configInvalid } from '../../errors.js';
import { type Markup, raw } from '../../internal/html.js';
import type { PagesConfiguration } from '../../options/pages/page-options.js';

/** How the pages of one factory look, and the policy that allows exactly that. */
export interface Theme {
  readonly style: Markup;
  readonly policy: string;
}

type Look = Partial<Pick<PagesConfiguration, 'colors' | 'font' | 'logo'>>;

export function createTheme({ colors, font, logo }: Look): Theme {
  const light = `:root{${declarationsOf('light', colors)}}`;
  const dark = `@media (prefers-color-scheme:dark){:root{${declarationsOf('dark', colors)}}}`;
  const family = font === undefined ? '' : `html{font-family:${font}}\n`;
  const style = `${light}\n${dark}${baseStyle}${family}`;
  const digest = hash('sha256', style, 'base64');
  const images = Object.values(logo ?? {}).map((image) => (image.startsWith('data:') ? 'data:' : "'self'"));
  return {
    // The digest counts every character between the tags.
    style: raw(`<style>${style}</style>`),
    // No form-action: Chromium applies it to the redirect that follows a form's POST, and would stop the way to the
    // wallet.
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${digest}'`,
      ...(images.length === 0 ? [] : [`img-src ${[...new Set(images)].join(' ')}`]),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

/** The policy of pages that the app renders itself. */
export const appPagesPolicy =
  "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";

type Rgb = readonly [red: number, green: number, blue: number];
type Scheme = 'light' | 'dark';

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** The contrast that WCAG 2.2 asks of text (1.4.3, AA). */
const minContrast = 4.5;

const kitColours = {
  light: { accent: '#0b5a8a', background: '#eef2f5', surface: '#ffffff' },
  dark: { accent: '#6cb8e6', background: '#10171d', surface: '#182129' },
} as const;

/** What stands on a light surface, and on a dark one. */
const inks = {
  light: { ink: '#14202b', note: '#fff6dd', 'note-line': '#9a7210' },
  dark: { ink: '#e8eef3', note: '#2e2812', 'note-line': '#c79a2b' },
} as const;

/** The colours of one scheme, made of the site's own: what is written in them, and on them, can be read. */
function declarationsOf(scheme: Scheme, own: Partial<Look['colors']> = {}): string {
  const colourOf = (name: keyof typeof own): Rgb => parse(own[name]?.[scheme] ?? kitColours[scheme][name]);
  const [accent, surface] = [colourOf('accent'), colourOf('surface')];
  const inkOn = (ground: Rgb, light: Rgb, dark: Rgb): Rgb =>
    contrast(light, ground) > contrast(dark, ground) ? light : dark;
  const ink = inkOn(surface, parse(inks.dark.ink), parse(inks.light.ink));
  const look = toHex(ink) === inks.light.ink ? 'light' : 'dark'; // a site may have one look for both schemes
  const accentInk = inkOn(accent, white, black);
  const tint = mix(surface, accent, 0.12);
  const soft = toLegible(mix(ink, surface, 0.28), [surface], ink);
  const link = toLegible(accent, [surface, tint], look === 'light' ? black : white);
  const note = parse(inks[look].note);
  const pairs: readonly (readonly [name: string, colour: Rgb, ground: Rgb])[] = [
    ['text on the surface', ink, surface],
    ['small text on the surface', soft, surface],
    ['links and focus ring on the surface', link, surface],
    ['the icon', link, tint],
    ['errors and notes', ink, note],
    ['the button', accentInk, accent],
  ];
  for (const [name, colour, ground] of pairs) {
    const ratio = Math.floor(contrast(colour, ground) * 100) / 100;
    if (ratio >= minContrast) continue;
    const pair = `${name} (${toHex(colour)} on ${toHex(ground)}) has a contrast of ${ratio}:1 in the ${scheme} scheme`;
    throw configInvalid(`Option pages.colors: ${pair}; it must be at least ${minContrast}:1.`);
  }
  const declarations = {
    ink,
    soft,
    line: mix(surface, ink, 0.16),
    ground: colourOf('background'),
    card: surface,
    tint,
    accent,
    'accent-ink': accentInk,
    'accent-over': mix(accent, accentInk === white ? black : white, 0.18),
    link,
    note,
    'note-line': parse(inks[look]['note-line']),
  };
  const written = Object.entries(declarations).map(([name, value]) => `--${name}:${toHex(value)}`);
  const shade = look === 'light' ? '0 1px 2px #14202b14,0 12px 32px #14202b14' : 'none';
  return [`color-scheme:${look}`, ...written, `--shade:${shade}`].join(';');
}

/** The colour itself, or as much of it as can be read on these grounds. */
function toLegible(colour: Rgb, grounds: readonly Rgb[], towards: Rgb): Rgb {
  const steps = Array.from({ length: 20 }, (_, step) => mix(colour, towards, step / 20));
  const isLegible = (step: Rgb): boolean => grounds.every((ground) => contrast(step, ground) >= minContrast);
  return steps.find(isLegible) ?? towards;
}

function parse(hex: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red, green, blue];
}

function toHex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Whole numbers, so that what is compared is the colour as it is written. */
function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share);
  return [part(0), part(1), part(2)];
}

/** WCAG 2.2, definition of contrast ratio. */
function contrast(a: Rgb, b: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The kit's one stylesheet; its colours stand in front of it. On a phone the space beside large text does not grow with it. */
const baseStyle = `
*{box-sizing:border-box}
html{font:100%/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%;hyphens:auto;hyphenate-limit-chars:10 4 4}
body{margin:0;min-height:100vh;min-height:100dvh;background:var(--ground);color:var(--ink);display:grid;place-items:center;padding:1.5rem min(1rem,4.2vw)}
main{width:100%;max-width:33rem;overflow-wrap:anywhere;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:2.25rem;box-shadow:var(--shade)}
main>:last-child{margin-bottom:0}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .9rem;margin:0 0 .75rem}
.mark{flex:none;width:2.75rem;height:2.75rem;padding:.55rem;border-radius:12px;background:var(--tint);color:var(--link);
fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.warning{background:var(--note);color:var(--note-line)}
h1{flex:1 1 11rem;min-width:0;font-size:1.55rem;line-height:1.25;letter-spacing:-.01em;margin:0;text-wrap:balance}
section{margin:0 0 .9rem}
h2{font-size:1rem;margin:0 0 .3rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr));gap:0 1rem}
p{margin:0 0 1rem;text-wrap:pretty}
ul{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:10px}
li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.1rem 1rem;padding:.35rem min(1rem,4.2vw)}
li+li{border-top:1px solid var(--line)}
.soft,li span{color:var(--soft);font-size:.95rem}
.lead{font-size:1.08rem}
.note{margin:0 0 1rem;padding:.4rem min(.75rem,3.2vw);background:var(--note);border-inline-start:4px solid var(--note-line);border-radius:8px;font-size:.875rem}
.note p:last-child{margin:0}
.warn{font-weight:600}
details{margin:0 0 1rem}summary{list-style:none}details>p{margin:.75rem 0 0}
.button{display:block;width:100%;padding:.9rem min(1.2rem,5vw);border:1px solid var(--link);border-radius:10px;background:var(--accent);
color:var(--accent-ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{background:var(--accent-over)}
.other{background:none;color:var(--link)}
.other:hover{background:var(--tint)}
:focus-visible{outline:3px solid var(--link);outline-offset:3px}
a{color:var(--link);text-underline-offset:.2em}
.site{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.25rem 1rem;font-weight:600;margin:0 0 1.1rem}
.site a{max-width:100%;color:inherit;text-decoration:none}
.langs{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.site .lang{color:var(--link);text-decoration:underline;font-weight:400;padding:.2rem 0}
.site img{display:block;height:2.5rem;max-width:100%;object-fit:contain;object-position:left}
.away{text-align:center}
.away a{display:inline-block;padding:.35rem 1rem}
.foot{margin-top:1.25rem}
form{margin:0;padding:.25rem 0 .9rem}
.qr{display:block;width:100%;max-width:18rem;margin:0 auto 1rem;border-radius:10px;forced-color-adjust:none}
.folded{margin:1rem 0 0}
strong{white-space:nowrap}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-height:30rem){.mark{display:none}}
@media (forced-colors:active){.button,.button:hover{border-width:2px;background:ButtonText;color:ButtonFace;forced-color-adjust:none}.other,.other:hover{background:ButtonFace;color:ButtonText}}
@media print{body{display:block;padding:0}main{border:0;box-shadow:none}form,.button,details,.away,.mark,.lang{display:none}}
@media (max-width:30rem){body{padding:.5rem min(.75rem,3.1vw)}main{padding:1.1rem min(1.25rem,5.2vw)}h1{font-size:1.4rem}}
`;
