import { hkdfSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { claimId, namesOf, newSecret, replyKey, resultKey, sha256 } from '../../lib/flow/secrets.js';

const state = newSecret();
const other = newSecret();
const body = sha256('a body');

const hkdf = (secret: string, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', label, 32));

describe('what is derived of a secret', () => {
  test.each(['/identity', '/shop/identität', ''])('is HKDF-SHA-256 as Node has it: path %j', (path) => {
    const { id, key } = namesOf(state, path);
    expect(id).toBe(hkdf(state, `pidgate/1 record id ${path}`).toString('base64url'));
    expect(key).toEqual(hkdf(state, `pidgate/1 record key ${path}`));
    expect(claimId('a session', path)).toBe(
      hkdf('a session', `pidgate/1 claim ${path}`).toString('base64url'),
    );
    expect(replyKey(state, body)).toEqual(hkdf(`${state}${body}`, 'pidgate/1 reply'));
    expect(resultKey(state)).toEqual(hkdf(state, 'pidgate/1 result'));
  });

  test('differs wherever state, body, session, path or purpose differ', () => {
    const all = [state, other].flatMap((secret) => [
      resultKey(secret).toString('base64url'),
      replyKey(secret, body).toString('base64url'),
      replyKey(secret, sha256('another body')).toString('base64url'),
      ...['/identity', '/age'].flatMap((path) => [
        claimId(secret, path),
        namesOf(secret, path).id,
        namesOf(secret, path).key.toString('base64url'),
      ]),
    ]);
    expect(new Set(all).size).toBe(all.length);
  });
});
