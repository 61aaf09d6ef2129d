import { describe } from '@jest/globals';
import { entryMutants, strictEntry, strictExpected } from '../support/verify/entry-mutants.js';
import { mint, nonceOf } from '../support/verify/issuer.js';
import { type Mutant, mutants } from '../support/verify/mutants.js';
import { checkOf, checkOfSdJwt, judgeEach, state } from '../support/verify/verdicts.js';

/** A sd_hash that differs is B14, whatever was done to the Disclosures. */
const shownAs: Readonly<Record<string, string>> = { B15: 'B14', B16: 'B14' };

const rowsOf = (all: readonly Mutant[]) =>
  Object.fromEntries(
    all.map(({ check, what, token }) => [
      `${check} refuses ${what}`,
      [shownAs[check] ?? check, token] as const,
    ]),
  );

describe('a presentation with one fault, otherwise good and freshly signed', () => {
  judgeEach((token: () => string) => checkOfSdJwt(token()), {
    'without the fault it is accepted': ['valid', mint],
    ...rowsOf(mutants()),
  });
});

describe('a presentation with one fault, for an entry that asks for everything', () => {
  const { good, mutants: all } = entryMutants(nonceOf(state));
  const check = async (token: () => string) =>
    (await checkOf(token(), { 'de-ausweis': strictEntry }, strictExpected)).replace(/^.* /, '');
  judgeEach(check, { 'without the fault it is accepted': ['valid', good], ...rowsOf(all) });
});
