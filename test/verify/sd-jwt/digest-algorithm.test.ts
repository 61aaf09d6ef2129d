import { describe, expect, test } from '@jest/globals';
import { mint } from '../../support/verify/issuer.js';
import { checkOf } from '../../support/verify/verdicts.js';

describe('S01 to S03 the digest algorithm', () => {
  test('S01 without _sd_alg it is sha-256', async () => {
    expect(await checkOf(mint())).toBe('accepted');
    expect(await checkOf(mint({ payload: { _sd_alg: 'sha-256' } }))).toBe('accepted');
    expect(await checkOf(mint({ hash: 'sha512' }))).toBe('S11');
    expect(await checkOf(mint({ hash: 'sha3-256' }))).toBe('S17');
  });

  test.each([[null], [256], [['sha-256']], [{}], [true]])('S02 %p is no name', async (name) => {
    expect(await checkOf(mint({ payload: { _sd_alg: name } }))).toBe('S02');
  });

  test.each(['sha3-256', 'SHA-256', 'sha-256-128', 'sha256', 'md5', '', 'sha-1', '__proto__'])(
    'S03 %s is refused',
    async (name) => {
      expect(await checkOf(mint({ payload: { _sd_alg: name } }))).toBe('S03');
    },
  );

  test.each([
    ['sha-384', 'sha384'],
    ['sha-512', 'sha512'],
  ])('S03 %s is one of the three', async (name, hash) => {
    expect(await checkOf(mint({ hash, payload: { _sd_alg: name } }))).toBe('accepted');
    expect(await checkOf(mint({ payload: { _sd_alg: name } }))).toBe('S11');
  });

  test('S04 _sd_alg below the top level', async () => {
    expect(await checkOf(mint({ payload: { address: { _sd_alg: 'sha-256' } } }))).toBe('S04');
    expect(await checkOf(mint({ payload: { list: [{ _sd_alg: 'sha-256' }] } }))).toBe('S04');
    expect(await checkOf(mint({ sd: { address: { _sd_alg: 'sha-256' } } }))).toBe('S04');
  });
});
