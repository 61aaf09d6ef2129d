import { describe, expect, test } from '@jest/globals';
import { mint } from './issuer.js';
import { mutants } from './mutants.js';
import { checkOf } from './verdicts.js';

/** A sd_hash that differs is B14, whatever was done to the Disclosures. */
const shownAs: Readonly<Record<string, string>> = { B15: 'B14', B16: 'B14' };

describe('a presentation with one fault, otherwise good and freshly signed', () => {
  test('without the fault it is accepted', async () => {
    expect(await checkOf(mint())).toBe('accepted');
  });

  test.each(mutants().map(({ check, what, token }) => [check, what, token] as const))(
    '%s refuses %s',
    async (check, _, token) => {
      expect(await checkOf(token())).toBe(shownAs[check] ?? check);
    },
  );
});
