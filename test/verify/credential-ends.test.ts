import { describe, expect, test } from '@jest/globals';
import type { Verdict } from '../../lib/index.js';
import { mint, newKeyPair, nowSeconds } from '../support/verify/issuer.js';
import { issuerServer, packed, servingList, statusVerifier } from '../support/verify/servers.js';
import { judge, present, thrown, verify } from '../support/verify/verdicts.js';

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
