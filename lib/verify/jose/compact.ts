import { enforce } from './check-failed.js';
import type { TokenLimits } from './limits.js';

/** An object of lists by the id of a query, and not the general JSON serialization of a JWS. */
const wholeVpToken = /^\{\s*"(?!signatures")[^"]*"\s*:\s*\[/;

/** Returns a presentation that may be a compact token of some kind (P01, P07, P12). */
export function compactText(presentation: unknown, limits: TokenLimits): string {
  enforce(
    'P01',
    typeof presentation === 'string' && presentation !== '',
    'The presentation is not a string.',
  );
  enforce('P01', presentation.length <= limits.length, 'The presentation is too large.');
  enforce(
    'P12',
    !wholeVpToken.test(presentation),
    'The presentation is a whole vp_token: hand over the one presentation inside it.',
  );
  enforce(
    'P07',
    !presentation.startsWith('{'),
    'The presentation is in JSON serialization: only the compact one is accepted.',
  );
  return presentation;
}
