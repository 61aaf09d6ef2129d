import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { nonceOf, receiptFor } from '../../lib/service/receipt.js';

const state = 'q0Vd3v7nF0gTnM8xJY1W2u5c6b7a8Z9y0X1w2V3u4T5';

describe('receiptFor', () => {
  it('derives its id by HMAC-SHA-256 of the whole state under a label of its own', () => {
    const digest = createHmac('sha256', 'pidgate/2 receipt').update(state).digest();
    expect(receiptFor(state, 'p').id).toBe(digest.subarray(0, 16).toString('base64url'));
  });

  it('has one id for a flow, whatever the presentation, and another for each flow', () => {
    expect(receiptFor(state, 'p').id).toBe(receiptFor(state, 'q').id);
    expect(receiptFor(`${state.slice(0, -1)}4`, 'p').id).not.toBe(receiptFor(state, 'p').id);
  });

  it('names the presentation by its hash', () => {
    expect(receiptFor(state, 'abc').presentationSha256).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });
});

describe('nonceOf', () => {
  it('is SHA-256 in base64url', () => {
    expect(nonceOf('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });
});
