import { describe, expect, it } from '@jest/globals';
import { readAccess, whyNotNow } from '../../../lib/service/access.js';
import { type Authority, certify, pemOf } from '../../support/verify/certificates.js';

// What a chain and a key of the option wallets become, and what is wrong with them.

const root = certify({ subject: 'Root', isCa: true });
const middle = certify({ subject: 'Middle', issuer: root, isCa: true });
const leaf = certify({ subject: 'Shop', issuer: middle });
const { privateKey } = leaf.keys;
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

const read = (chain: readonly Authority[], more: object = {}) =>
  readAccess(
    { certificate: chain.map((one) => pemOf(one as typeof leaf)).join(''), key: privateKey, ...more },
    (member) => `wallets.${member}`,
  );

const base64 = ({ der }: Authority): string => der.toString('base64');

describe('a chain', () => {
  it('goes out as it is, but for a root at its end', () => {
    expect(read([leaf, middle]).x5c).toEqual([base64(leaf), base64(middle)]);
    expect(read([leaf, middle, root])).toMatchObject({
      x5c: [base64(leaf), base64(middle)],
      certificates: [leaf.der, middle.der, root.der],
      scheme: 'openid4vp',
    });
    expect(read([leaf], { scheme: 'haip-vp' }).scheme).toBe('haip-vp');
  });

  const namesake = certify({ subject: 'Middle', issuer: root, isCa: true });

  it.each<[string, readonly Authority[], string]>([
    ['whose second one has not issued the first', [leaf, root, middle], '2 has not issued certificate 1'],
    ['whose third one has not issued the second', [leaf, middle, leaf], '3 has not issued certificate 2'],
    ['whose second one has the name of the issuer alone', [leaf, namesake], '2 has not issued certificate 1'],
  ])('%s is out of order', (_, chain, why) => {
    expect(() => read(chain)).toThrow(`is out of order: its certificate ${why}. The leaf comes first`);
  });
});

describe('a key', () => {
  const none = 'wallets.key must be a private key in PEM, a KeyObject, or a function that signs.';
  const closed = 'wallets.key is encrypted: decrypt it (openssl pkey), or give a function that signs.';
  const [cipher, passphrase] = ['aes-128-cbc', 'x'];

  it.each<[string, unknown, string]>([
    ['whose text is broken', pem.slice(0, 80), none],
    ['that is a number', 1, none],
    ['in PKCS#8, encrypted', privateKey.export({ type: 'pkcs8', format: 'pem', cipher, passphrase }), closed],
    ['in SEC1, encrypted', privateKey.export({ type: 'sec1', format: 'pem', cipher, passphrase }), closed],
  ])('%s is refused', (_, key, message) => {
    expect(() => read([leaf], { key })).toThrow(message);
  });

  it.each([
    ['of a header line', `Was once Proc-Type: 4,ENCRYPTED\n${pem}`],
    ['of another key', `Was once -----BEGIN ENCRYPTED PRIVATE KEY-----\n${pem}`],
  ])('is taken beside words %s', (_, key) => {
    expect(read([leaf], { key }).key).toMatchObject({ type: 'private' });
  });
});

describe('a registration', () => {
  it('is a text', () => {
    for (const registration of [1, 'Authorization: a.b.c', 'a.b.c d'])
      expect(() => read([leaf], { registration })).toThrow('wallets.registration must be a compact JWT');
    expect(read([leaf], { registration: ' a.b.c\n' }).registration).toBe('a.b.c');
  });
});

describe('a certificate counts', () => {
  const access = read([leaf]);
  const { validFrom, validUntil } = access;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

  it('from the first moment to the end of its last second', () => {
    expect([validFrom, validUntil + 999].map((now) => whyNotNow(access, now))).toEqual([
      undefined,
      undefined,
    ]);
    expect(whyNotNow(access, validFrom - 1)).toBe(`is not valid before ${day(validFrom)}`);
    expect(whyNotNow(access, validUntil + 1_000)).toBe(`expired on ${day(validUntil)}`);
  });
});
