import { describe, expect, test } from '@jest/globals';
import { trustFromPem } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { type CertificatePlan, pemOf, extension } from '../../support/verify/certificates.js';
import { brainpool, caOf, checkChain, good, intermediate, leaf, root } from '../../support/verify/chains.js';
import { anchoredIn, rsa } from '../../support/verify/chains.js';
import { clock, now } from '../../support/verify/issuer.js';
import { refuseEach, refuseValues, trustIn } from '../../support/verify/verdicts.js';

const pem = pemOf(root);
const privateKey = String(root.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const expired = caOf('Expired', { notAfter: -60 });
const withAnchors = (anchors: unknown) => createVerifiers(trustIn({ keys: { x5c: { anchors } } }));
const only = (change: Partial<CertificatePlan>) => [pemOf(caOf('A', change))];

/** The root with a key of a kind that has no name: its object identifier is one beside id-ecPublicKey. */
const ofUnknownKind = Buffer.from(
  root.der.toString('hex').replace('2a8648ce3d0201', '2a8648ce3d0209'),
  'hex',
);

/** What can be no anchor, and why not. */
const wrong: [what: string, anchors: unknown, message: RegExp][] = [
  ['none', [], /(anchors|Pem) must be a list that is not empty/],
  ['an empty text', [''], /\[0\] must be a non-empty string/],
  ['bytes', [root.der], /\[0\] must be a non-empty string/],
  ['base64 alone', [pem, root.der.toString('base64')], /\[1\] must be certificates in PEM/],
  ['a private key', [privateKey], /in PEM and nothing else/],
  ['a private key beside a certificate', [pem + privateKey], /in PEM and nothing else/],
  ['PEM that is cut off', [pem.slice(0, -30)], /\[0\] must be certificates in PEM/],
  ['PEM of something else', [pem.replace(/MII/, 'AAA')], /\[0\] has a certificate that cannot be read/],
  ['a key of an unknown kind', [pemOf({ ...root, der: ofUnknownKind })], /\[0\] has a certificate that/],
  ['a leaf', [pemOf(leaf)], /\[0\] cannot be an anchor: the certificate CN=PID Issuer, .* is not a CA/],
  ['a leaf behind a CA', [pemOf(root, leaf)], /\[0\] cannot be an anchor: the certificate CN=PID Issuer/],
  ['a CA that signs no certificates', only({ keyUsage: ['cRLSign'] }), /may not sign/],
  ['a CA of old, without extensions', only({ bare: true }), /is not a CA/],
  ['a CA without a name', only({ subject: '' }), /has no subject/],
  ['a weak key', only({ keys: rsa(1024) }), /neither EC P-256/],
  ['a foreign curve', only({ keys: brainpool() }), /neither EC P-256/],
  ['a critical extension', only({ more: [extension('1.2.3', '0500', true)] }), /is not supported/],
];

describe('K16 anchors that could judge nothing are refused at construction', () => {
  refuseEach('K16 %s', wrong, withAnchors);
  refuseEach('K16 %s is told where', [['one', [], /^trust\['de-ausweis'\]\.keys\.x5c\.an/]], withAnchors);
  refuseEach(
    'K16 %s',
    [
      ['no anchors', { keys: { x5c: {} } }, /\.keys\.x5c\.anchors must be a list/],
      ['a text', { keys: { x5c: { anchors: pem } } }, /\.keys\.x5c\.anchors must be a list/],
      ['a list in its place', { keys: { x5c: [pem] } }, /\.keys\.x5c must be an object/],
      ['a near miss', { keys: { x5c: { anchor: [pem] } } }, /Unknown option anchor of .* mean anchors/],
      ['a profile', { profile: 'haip' }, "trust['de-ausweis'].profile must be 'sd-jwt-vc' or 'haip-1.0'."],
    ],
    (change) => createVerifiers(trustIn(change)),
  );

  test('K16 an expired anchor is no mistake of today', () => {
    expect(withAnchors([pemOf(expired)]).size).toBe(1);
  });
});

describe('trustFromPem', () => {
  test('makes anchors of one text or several, with anything written around the certificates', async () => {
    const text = `PID anchors of 2026\n\n${pem}\r\n# and:\n${pemOf(intermediate).replaceAll('\n', '\r\n')}`;
    for (const x5c of [trustFromPem(text, clock), trustFromPem([pem, pemOf(intermediate)], clock)]) {
      expect(x5c.anchors).toHaveLength(2);
      expect(await checkChain(good, anchoredIn([], { keys: { x5c } }))).toBe('valid');
      expect(await checkChain([leaf], anchoredIn([], { keys: { x5c } }))).toBe('valid');
    }
  });

  test('describes what it trusts, a line for each', () => {
    const { description, certificates } = trustFromPem([pem, pemOf(expired)], clock);
    const [first, second] = description.split('\n');
    expect(first).toMatch(
      /^CN=PID Root, O=Example, C=DE \| valid from 2025-08-12T12:00:00\.000Z until 2027-08-12T12:00:00\.000Z \| SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}$/,
    );
    expect(second).toMatch(
      /^CN=Expired, .*until 2026-08-12T11:59:00\.000Z: expired 60 seconds ago \| SHA-256/,
    );
    const early = trustFromPem(pemOf(caOf('Early', { notBefore: 1 })), clock);
    expect(early.description).toContain(': is not valid yet (valid in 1 second) | SHA-256');
    const year = 365 * 86_400_000;
    expect(certificates).toMatchObject([
      {
        subject: 'CN=PID Root, O=Example, C=DE',
        validFrom: new Date(now.getTime() - year),
        validUntil: new Date(now.getTime() + year),
      },
      { subject: 'CN=Expired, O=Example, C=DE' },
    ]);
    expect(first).toContain(certificates[0]?.fingerprint);
  });

  test('knows the time by itself', () => {
    const past = caOf('Past', { notBefore: -3e9, notAfter: -1.5e9 });
    expect(trustFromPem(pemOf(past)).description).toMatch(/: expired \d+ seconds ago/);
  });

  refuseEach('K16 %s', wrong, (anchors) => trustFromPem(anchors as string[]));
  refuseValues('K16 %p', [undefined, 7], (value) => trustFromPem(value as never), /^trustFromPem/);
});
