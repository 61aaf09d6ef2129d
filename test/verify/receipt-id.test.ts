import { describe, expect, test } from '@jest/globals';
import { verifyPresentation } from '../../lib/verify/verify-presentation.js';
import { clock } from '../support/verify/issuer.js';
import { expected, present, thrown, trustIn } from '../support/verify/verdicts.js';

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
