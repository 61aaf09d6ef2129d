import { type Markup, raw } from '../../internal/html.js';

const shapes = {
  shield:
    '<path d="M12 3l7 2.6v5.2c0 4.6-2.9 8.2-7 10.2-4.1-2-7-5.6-7-10.2V5.6z"/><path d="M8.8 12l2.3 2.3 4.3-4.6"/>',
  warning: '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.3v.2"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5.2l3.3 2"/>',
} as const;

/** The sign above a page's title. */
export type Mark = keyof typeof shapes;

export function markOf(mark: Mark): Markup {
  return raw(`<svg class="mark ${mark}" viewBox="0 0 24 24" aria-hidden="true">${shapes[mark]}</svg>`);
}
