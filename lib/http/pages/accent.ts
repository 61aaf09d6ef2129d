type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** The contrast that WCAG 2.2 asks of text (1.4.3, AA). */
const legible = 4.5;

/** The grounds of the two looks: see style.ts. */
const cards = { light: [255, 255, 255], dark: [0x18, 0x21, 0x29] } as const;

/** The declarations that a site's own colour replaces, for one look. Whatever the colour, text on it and in it is legible. */
export function accentDeclarations(accent: string, look: 'light' | 'dark'): string {
  const rgb = parse(accent);
  const ink = contrast(rgb, white) >= contrast(rgb, black) ? white : black;
  const card = cards[look];
  const tint = mix(card, rgb, 0.12);
  const declarations = {
    accent: rgb,
    'accent-ink': ink,
    'accent-over': mix(rgb, ink === white ? black : white, 0.18),
    tint,
    link: legibleOn(rgb, [card, tint], look === 'light' ? black : white),
  };
  return Object.entries(declarations)
    .map(([name, value]) => `--${name}:${write(value)}`)
    .join(';');
}

/** The colour itself, or as much of it as can be read on these grounds. */
function legibleOn(colour: Rgb, grounds: readonly Rgb[], towards: Rgb): Rgb {
  const steps = Array.from({ length: 20 }, (_, step) => mix(colour, towards, step / 20));
  return steps.find((it) => grounds.every((ground) => contrast(it, ground) >= legible)) ?? towards;
}

function parse(hex: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red, green, blue];
}

function write(colour: Rgb): string {
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
