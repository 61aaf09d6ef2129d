import { createHash } from 'node:crypto';
import type { PagesConfiguration } from '../../options/pages/options.js';
import { accentDeclarations } from './accent.js';
import { type Markup, raw } from '../../internal/html.js';
import { baseStyle } from './style.js';

/** How the pages of one factory look, and the policy that allows exactly that. */
export interface Theme {
  readonly style: Markup;
  readonly policy: string;
}

export function createLook({ accent, logo }: Pick<PagesConfiguration, 'accent' | 'logo'>): Theme {
  const style = accent === undefined ? baseStyle : `${baseStyle}${ownColour(accent)}`;
  const digest = createHash('sha256').update(style).digest('base64');
  return {
    // The digest counts every character between the tags.
    style: raw(`<style>${style}</style>`),
    // No form-action: Chromium applies it to the redirect that follows a form's POST, and would stop the way to the
    // wallet.
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${digest}'`,
      ...(logo === undefined ? [] : [`img-src ${logo.startsWith('data:') ? 'data:' : "'self'"}`]),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

function ownColour(accent: string): string {
  const [light, dark] = (['light', 'dark'] as const).map(
    (look) => `:root{${accentDeclarations(accent, look)}}`,
  );
  return `${light}@media (prefers-color-scheme:dark){${dark}}\n`;
}

/** Of what the app renders itself. */
export const ownPagesPolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');
