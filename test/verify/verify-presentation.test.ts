import { describe, expect, test } from '@jest/globals';
import type { Trust } from '../../lib/index.js';
import { verifyPresentation } from '../../lib/verify/verify-presentation.js';
import { receiptFor } from '../../lib/service/receipt.js';
import { clock, issuerKeys, mint } from '../support/verify/issuer.js';
import { expected, present, state, thrown, trustIn } from '../support/verify/verdicts.js';

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
