import { describe, expect, it } from '@jest/globals';
import { sanitizeText } from '../../lib/internal/sanitize-text.js';

describe('printable', () => {
  it('leaves plain text of any script', () => {
    expect(sanitizeText('Größe: 東京 🙂', 100)).toBe('Größe: 東京 🙂');
  });

  it('takes out what controls, redirects or hides', () => {
    expect(sanitizeText('a\u0000b\u007fc\u009bd\u200be\u202ef\u2066g\u2028h\u2029i\ufeffj', 100)).toBe(
      'a b c d e f g h i j',
    );
  });

  it('never leaves half a character, so that the text survives every encoding', () => {
    const cut = sanitizeText(`${'x'.repeat(9)}🙂`, 10);
    expect(cut).toBe('x'.repeat(9));
    expect(encodeURIComponent(sanitizeText('a\ud83db', 10))).toBe('a%20b');
  });
});
