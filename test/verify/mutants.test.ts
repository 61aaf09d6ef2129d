import { describe, expect, test } from '@jest/globals';
import { nonceOf } from '../../lib/service/nonce.js';
import { entryMutants, strictEntry, strictExpected } from '../support/verify/entry-mutants.js';
import { mint } from '../support/verify/issuer.js';
import { mutants } from '../support/verify/mutants.js';
import { judge, state } from './trust/trusting.js';
import { checkOf } from '../support/verify/verdicts.js';

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

describe('a presentation with one fault, for an entry that asks for everything', () => {
  const { good, mutants: all } = entryMutants(nonceOf(state));
  const refusedBy = async (token: string) => {
    const verdict = await judge(token, { 'de-ausweis': strictEntry }, strictExpected);
    return verdict.valid ? 'accepted' : (verdict.check ?? '');
  };

  test('without the fault it is accepted', async () => {
    expect(await refusedBy(good())).toBe('accepted');
  });

  test.each(all.map(({ check, what, token }) => [check, what, token] as const))(
    '%s refuses %s',
    async (check, _, token) => {
      expect(await refusedBy(token())).toBe(check);
    },
  );
});
