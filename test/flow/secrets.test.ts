import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { claimId, namesOf, newSecret, replyKey, resultKey, sha256 } from '../../lib/flow/secrets.js';

const state = newSecret();
const other = newSecret();
const body = sha256('a body');

const expanded = (secret: string, label: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${label}\u0001`).digest();

describe('what is derived of a secret', () => {
  test.each(['/identity', '/shop/identität', ''])('is the second step of HKDF-SHA-256: path %j', (path) => {
    const { id, key } = namesOf(state, path);
    expect(id).toBe(expanded(state, `pidgate/1 record id ${path}`).toString('base64url'));
    expect(key).toEqual(expanded(state, `pidgate/1 record key ${path}`));
    expect(namesOf(state, path, 'known')).toEqual({ id: 'known', key });
    expect(claimId('a session')).toBe(sha256('pidgate/1 claim a session'));
    expect(replyKey(state, body)).toEqual(expanded(state, `pidgate/1 reply ${body}`));
    expect(resultKey(state)).toEqual(expanded(state, 'pidgate/1 result'));
  });

  test('differs wherever state, body, session, path or purpose differ', () => {
    const all = [state, other].flatMap((secret) => [
      claimId(secret),
      resultKey(secret).toString('base64url'),
      replyKey(secret, body).toString('base64url'),
      replyKey(secret, sha256('another body')).toString('base64url'),
      ...['/identity', '/age'].flatMap((path) => [
        namesOf(secret, path).id,
        namesOf(secret, path).key.toString('base64url'),
      ]),
    ]);
    expect(new Set(all).size).toBe(all.length);
  });
});
