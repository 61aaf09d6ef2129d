import { describe, expect, test } from '@jest/globals';
import { Extension } from '@peculiar/asn1-x509';
import { OctetString } from '@peculiar/asn1-schema';
import type { Trust } from '../../../lib/types/trust.js';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { trustFromPem } from '../../../lib/verify/x5c/trust-from-pem.js';
import { certify, pemOf } from '../../support/verify/certificates.js';
import { clock, now } from '../../support/verify/issuer.js';
import { brainpool, by, intermediate, leaf, rsa, root } from '../../support/verify/chains.js';
import { entry, trustIn } from '../trust/trusting.js';
import { thrown } from '../../support/verify/verdicts.js';

const pem = pemOf(root);
const expired = certify({ subject: 'Expired', isCa: true, notAfter: -60 });
const critical = new Extension({ extnID: '1.2.3', critical: true, extnValue: new OctetString([5, 0]) });

/** The root with a key of a kind that has no name: its object identifier is one beside id-ecPublicKey. */
const ofUnknownKind = Buffer.from(
  root.der.toString('hex').replace('2a8648ce3d0201', '2a8648ce3d0209'),
  'hex',
);

/** What can be no anchor, and why not. */
const wrong: [what: string, anchors: unknown, message: RegExp][] = [
  ['none', [], /^must be a list that is not empty/],
  ['an empty text', [''], /^\[0\] must be a non-empty string/],
  ['bytes', [root.der], /^\[0\] must be a non-empty string/],
  ['base64 alone', [pem, root.der.toString('base64')], /^\[1\] must be certificates in PEM/],
  [
    'a private key',
    [root.keys.privateKey.export({ type: 'pkcs8', format: 'pem' })],
    /in PEM and nothing else/,
  ],
  [
    'a private key beside a certificate',
    [pem + String(root.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
    /in PEM and nothing else/,
  ],
  ['PEM that is cut off', [pem.slice(0, -30)], /^\[0\] must be certificates in PEM/],
  ['PEM of something else', [pem.replace(/MII/, 'AAA')], /^\[0\] has a certificate that cannot be read/],
  [
    'a key of an unknown kind',
    [pemOf({ ...root, der: ofUnknownKind })],
    /^\[0\] has a certificate that cannot be read/,
  ],
  [
    'a leaf',
    [pemOf(leaf)],
    /^\[0\] cannot be an anchor: the certificate CN=PID Issuer, O=Example, C=DE is not a CA/,
  ],
  ['a leaf behind a CA', [pemOf(root, leaf)], /^\[0\] cannot be an anchor: the certificate CN=PID Issuer/],
  [
    'a CA that signs no certificates',
    [pemOf(certify({ subject: 'A', isCa: true, keyUsage: ['cRLSign'] }))],
    /may not sign/,
  ],
  ['a CA of old, without extensions', [pemOf(certify({ subject: 'A', bare: true }))], /is not a CA/],
  ['a CA without a name', [pemOf(certify({ subject: '', isCa: true }))], /has no subject/],
  ['a weak key', [pemOf(certify({ subject: 'A', isCa: true, keys: rsa(1024) }))], /neither EC P-256/],
  ['a foreign curve', [pemOf(certify({ subject: 'A', isCa: true, keys: brainpool() }))], /neither EC P-256/],
  [
    'a critical extension',
    [pemOf(certify({ subject: 'A', isCa: true, more: [critical] }))],
    /is not supported/,
  ],
];

describe('K16 anchors that could judge nothing are refused at construction', () => {
  test.each(wrong)('K16 %s', async (_, anchors, message) => {
    const trust = { 'de-ausweis': { ...entry, keys: { x5c: { anchors } } } } as unknown as Trust;
    const where = "trust['de-ausweis'].keys.x5c.anchors";
    const error = await thrown(() => createVerifiers(trust));
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringContaining(where) });
    expect((error as Error).message.replace(where, '').trim()).toMatch(message);
    expect(error).not.toHaveProperty('cause');
  });

  test.each([
    ['no anchors', {}, /\.keys\.x5c\.anchors must be a list/],
    ['a text', { anchors: pem }, /\.keys\.x5c\.anchors must be a list/],
    ['a list in its place', [pem], /\.keys\.x5c must be an object/],
    ['a near miss', { anchor: [pem] }, /Unknown option anchor of .*\.keys\.x5c\. Did you mean anchors/],
  ])('K16 %s', async (_, x5c, message) => {
    const trust = { 'de-ausweis': { ...entry, keys: { x5c } } } as unknown as Trust;
    expect(await thrown(() => createVerifiers(trust))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });

  test('K16 an unknown profile', async () => {
    const trust = { 'de-ausweis': { ...entry, profile: 'haip' } } as unknown as Trust;
    expect(await thrown(() => createVerifiers(trust))).toMatchObject({
      message: "trust['de-ausweis'].profile must be 'sd-jwt-vc' or 'haip-1.0'.",
    });
  });

  test('K16 an expired anchor is no mistake of today', () => {
    expect(createVerifiers(trustIn({ keys: { x5c: { anchors: [pemOf(expired)] } } })).size).toBe(1);
  });
});

describe('trustFromPem', () => {
  test('makes anchors of one text or several, with anything written around the certificates', async () => {
    const text = `PID anchors of 2026\n\n${pem}\r\n# and:\n${pemOf(intermediate).replaceAll('\n', '\r\n')}`;
    for (const x5c of [trustFromPem(text, clock), trustFromPem([pem, pemOf(intermediate)], clock)]) {
      expect(x5c.anchors).toHaveLength(2);
      const trust = trustIn({ keys: { x5c }, iss: 'https://issuer.example' });
      expect(await by([leaf, intermediate], trust)).toBe('valid');
      expect(await by([leaf], trust)).toBe('valid');
    }
  });

  test('describes what it trusts, a line for each', () => {
    const { description, certificates } = trustFromPem([pem, pemOf(expired)], clock);
    const early = certify({ subject: 'Early', isCa: true, notBefore: 1 });
    const [first, second] = description.split('\n');
    expect(first).toMatch(
      /^CN=PID Root, O=Example, C=DE \| valid from 2025-08-12T12:00:00\.000Z until 2027-08-12T12:00:00\.000Z \| SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}$/,
    );
    expect(second).toMatch(
      /^CN=Expired, .*until 2026-08-12T11:59:00\.000Z: expired 60 seconds ago \| SHA-256/,
    );
    expect(trustFromPem(pemOf(early), clock).description).toContain(': is valid only in 1 second | SHA-256');
    expect(certificates).toMatchObject([
      {
        subject: 'CN=PID Root, O=Example, C=DE',
        validFrom: new Date(now.getTime() - 365 * 86_400_000),
        validUntil: new Date(now.getTime() + 365 * 86_400_000),
      },
      { subject: 'CN=Expired, O=Example, C=DE' },
    ]);
    expect(first).toContain(certificates[0]?.fingerprint);
  });

  test('knows the time by itself', () => {
    const past = certify({ subject: 'Past', isCa: true, notBefore: -3e9, notAfter: -1.5e9 });
    expect(trustFromPem(pemOf(past)).description).toMatch(/: expired \d+ seconds ago/);
  });

  test.each(wrong)('K16 %s', async (_, anchors, message) => {
    const error = await thrown(() => trustFromPem(anchors as string[]));
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(/^trustFromPem/) });
    expect((error as Error).message.replace('trustFromPem', '').trim()).toMatch(message);
  });

  test.each([[undefined], [7], [{}], [Buffer.from(pem)]])('K16 no text: %p', async (given) => {
    expect(await thrown(() => trustFromPem(given as unknown as string))).toMatchObject({
      code: 'config_invalid',
    });
  });
});
