import { describe, expect, test } from '@jest/globals';
import type { Trust, Verdict } from '../../lib/index.js';
import { receiptFor } from '../../lib/service/receipt.js';
import { verifyPresentation } from '../../lib/verify/verify-presentation.js';
import { entryMutants, strictEntry, strictExpected } from '../support/verify/entry-mutants.js';
import { clock, issuerKeys, mint, newKeyPair, nonceOf, nowSeconds } from '../support/verify/issuer.js';
import { type Mutant, mutants } from '../support/verify/mutants.js';
import { issuerServer, packed, servingList, statusVerifier } from '../support/verify/servers.js';
import {
  checkOf,
  checkOfSdJwt,
  expected,
  judge,
  judgeEach,
  present,
  state,
  thrown,
  trustIn,
  verify,
} from '../support/verify/verdicts.js';

describe('verifyPresentation', () => {
  test('a good presentation, with a receipt', async () => {
    const token = present();
    expect(await verifyPresentation(token, expected, trustIn(), { clock })).toEqual({
      valid: true,
      attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
      derived: {},
      receipt: receiptFor(state, token),
    });
  });

  test('a bad one is a verdict without a claim', async () => {
    expect(await verifyPresentation(mint(), expected, trustIn(), { clock })).toEqual({
      valid: false,
      check: 'B07',
      code: 'presentation_invalid',
      reason: 'The nonce of the key binding JWT does not match.',
    });
  });

  test("without runtime it takes the platform's", async () => {
    expect(await verifyPresentation(present(), expected, trustIn())).toMatchObject({ valid: false });
  });

  test('keys are fetched once for one trust object', async () => {
    let fetched = 0;
    const fetch = async () => {
      fetched += 1;
      return await Promise.resolve(Response.json({ keys: [issuerKeys.jwk] }));
    };
    const trust = trustIn({ keys: { jwksUri: 'https://issuer.example/jwks.json' } });
    for (const token of [present(), present(), present()]) {
      expect(await verifyPresentation(token, expected, trust, { clock: () => clock(), fetch })).toMatchObject(
        { valid: true },
      );
    }
    expect(fetched).toBe(1);
    await verifyPresentation(present(), expected, { ...trust }, { clock, fetch });
    expect(fetched).toBe(2);
  });

  test('H06 only an own key of the trust is an issuer', async () => {
    for (const issuer of ['fr-identite', '__proto__', 'constructor', 'toString']) {
      const error = await thrown(() => verifyPresentation(present(), { ...expected, issuer }, trustIn()));
      expect(error).toMatchObject({
        code: 'config_invalid',
        message: `trust has no entry for the issuer ${issuer}.`,
      });
    }
  });

  test('K16 a trust that is wrong is config_invalid', async () => {
    for (const trust of [{}, { 'de-ausweis': {} }, undefined, 7]) {
      const run = async () => await verifyPresentation(present(), expected, trust as unknown as Trust);
      expect(await thrown(run)).toMatchObject({ code: 'config_invalid' });
    }
  });
});

describe('credential ends', () => {
  const past = { exp: nowSeconds - 3600 };
  const codeOf = (verdict: Verdict): unknown => (verdict.valid ? 'valid' : [verdict.code, verdict.check]);

  describe('a genuine credential that has ended has a code of its own: trying again cannot help', () => {
    const published = issuerServer();

    test('C04 one that has expired', async () => {
      expect(codeOf(await judge(present({ payload: past })))).toEqual(['credential_expired', 'C04']);
      const error = await thrown(async () => await verify(mint({ payload: past })));
      expect(error).toMatchObject({ code: 'credential_expired', check: 'C04', retryable: false });
    });

    test('C04 a forged one, and one for another flow, is told no more than before', async () => {
      const forged = present({ payload: past, issuer: newKeyPair() });
      expect(codeOf(await judge(forged))).toEqual(['presentation_invalid', 'K02']);
      const elsewhere = present({ payload: past }, 'the state of another flow');
      expect(codeOf(await judge(elsewhere))).toEqual(['presentation_invalid', 'B07']);
    });

    test.each([1, 2, 3])('T15 one whose status is %i', async (status) => {
      published.answer = servingList({ list: { bits: 8, lst: packed(status) } });
      const { verdict } = statusVerifier(published);
      expect(codeOf(await verdict())).toEqual(['credential_revoked', 'T15']);
      expect(codeOf(await verdict(undefined, { issuer: newKeyPair() }))).toEqual([
        'presentation_invalid',
        'K02',
      ]);
    });
  });
});

describe('receipt id', () => {
  const trust = trustIn();

  /** The receipt of a good presentation for the flow with this state. */
  async function receiptOf(state: string): Promise<string> {
    const verdict = await verifyPresentation(present({}, state), { ...expected, state }, trust, { clock });
    if (!verdict.valid) throw new Error(verdict.reason);
    return verdict.receipt.id;
  }

  describe('F73 the receipt of a flow is its own, whatever the form of the state', () => {
    const canonical = 'q0Vd3v7nF0gTnM8xJY1W2u5c6b7a8Z9y0X1w2V3u4T4';

    test.each([
      ['order-1001', 'order-1002'],
      ['1000001', '1000002'],
      ['a', 'b'],
      ['session:1/flow:1', 'session:1/flow:2'],
      ['user@example.org#1', 'user@example.org#2'],
      ['a.1', 'a.2'],
      ['ä1', 'ä2'],
      ['f+g', 'f-g'],
      ['flow 1', 'flow1'],
      ['a', 'a='],
      ['7d444840-9dc0-11d1-b245-5ffdce74fad1', '7d444840-9dc0-11d1-b245-5ffdce74fad2'],
      [canonical, `${canonical.slice(0, -1)}5`],
      [canonical, `${canonical}=`],
      ['one state', 'one state\0'],
      ['x'.repeat(64), 'x'.repeat(65)],
      ['\u00e4', 'a\u0308'],
    ])('F73 %j and %j', async (one, other) => {
      expect(await receiptOf(one)).not.toBe(await receiptOf(other));
      expect(await receiptOf(one)).toBe(await receiptOf(one));
    });

    test('F73 a state with half a character, which no hash can tell from another, is config_invalid', async () => {
      for (const state of ['a\ud800', '\udc00a', 'a\udbff\udbff']) {
        const run = async () => await verifyPresentation(present(), { ...expected, state }, trust, { clock });
        expect(await thrown(run)).toMatchObject({
          code: 'config_invalid',
          message: 'expected.state must be well-formed text: it has half of a surrogate pair.',
        });
      }
    });
  });
});

describe('mutants', () => {
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
});
