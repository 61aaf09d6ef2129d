import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { namesOf, open, openSure, replyKey, resultKey, seal } from '../../lib/flow/secrets.js';

const key = resultKey('a secret');

describe('the seal', () => {
  test('opens with the same key and the same bound text, and with no other', () => {
    const sealed = seal(key, 'flow', 'text with Ümlaut');
    expect(open(key, 'flow', sealed)).toBe('text with Ümlaut');
    expect(open(resultKey('another'), 'flow', sealed)).toBeUndefined();
    expect(open(key, 'other', sealed)).toBeUndefined();
  });

  test('each key and name of one secret is a derivation of its own', () => {
    const secret = 'A'.repeat(43);
    const { id, key } = namesOf(secret, '/identity');
    const derived = [
      id,
      ...[key, resultKey(secret), replyKey(secret, 'body')].map((made) => made.toString('base64url')),
    ];
    const bare = createHmac('sha256', Buffer.from(secret, 'base64url')).update('\u0001').digest('base64url');
    expect(new Set([...derived, bare]).size).toBe(5);
  });

  test('F35 the spare bits of the last character count too', () => {
    // 12 + 1 + 16 bytes end in a character of which four bits are spare.
    const sealed = seal(key, 'flow', 'x');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(sealed.at(-1) ?? '');
    const spared = sealed.slice(0, -1) + alphabet[last ^ 1];
    expect(Buffer.from(spared, 'base64url')).toEqual(Buffer.from(sealed, 'base64url'));
    expect(open(key, 'flow', spared)).toBeUndefined();
  });

  test('a seal that was cut short opens to nothing', () => {
    const whole = Buffer.from(seal(key, 'flow', ''), 'base64url');
    for (let bytes = 0; bytes <= whole.length; bytes += 1) {
      const cut = whole.subarray(0, bytes).toString('base64url');
      expect(open(key, 'flow', cut)).toBe(bytes === whole.length ? '' : undefined);
    }
  });

  test('no nonce comes twice', () => {
    const nonces = Array.from({ length: 1_000 }, () => seal(key, 'flow', '').slice(0, 16));
    expect(new Set(nonces).size).toBe(1_000);
  });

  test('what must open and does not is a fault of the store', () => {
    expect(openSure(key, 'flow', seal(key, 'flow', 'x'))).toBe('x');
    for (const sealed of [undefined, 'AAAA']) {
      expect(() => openSure(key, 'flow', sealed)).toThrow(
        expect.objectContaining({ code: 'store_unavailable' }),
      );
    }
  });
});
