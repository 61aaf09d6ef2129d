import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { describe, expect, it } from '@jest/globals';
import { type Certified, certify } from '../../../../lib/dev/sandbox/issuers/certificates.js';
import { parseCertificate } from '../../../../lib/verify/x5c/certificate.js';

const from = Date.UTC(2026, 0, 31, 23, 59, 58) / 1000;
const ca = certify({ name: 'Sandbox PID CA', from, marked: true });
const leaf = certify({ name: 'Sandbox PID provider', from, issuer: ca, dnsName: 'wallet.example' });
const long = certify({ name: 'n'.repeat(300), from });

describe('a certificate of the sandbox', () => {
  it.each([
    ['a CA', ca],
    ['a leaf', leaf],
    ['one with a name that takes two bytes to count', long],
  ])('is the DER that others would write: %s', (_, { der }) => {
    const read = AsnConvert.parse(der, Certificate);
    expect(Buffer.from(AsnConvert.serialize(read)).equals(der)).toBe(true);
  });

  it('says who, by whom and for how long', () => {
    const { subject, issuer, validFrom, validTo, subjectAltName, ca: isCa } = new X509Certificate(leaf.der);
    expect(subject).toBe('CN=Sandbox PID provider\nO=pidgate sandbox\nC=DE');
    expect(issuer).toBe('CN=Sandbox PID CA\nO=pidgate sandbox\nC=DE');
    expect([validFrom, validTo]).toEqual(['Jan 31 23:59:58 2026 GMT', 'Feb  1 23:59:58 2026 GMT']);
    expect(subjectAltName).toBe('DNS:wallet.example');
    expect(isCa).toBe(false);
    expect(new X509Certificate(ca.der).ca).toBe(true);
    expect(new X509Certificate(long.der).subject).toContain(`CN=${'n'.repeat(300)}`);
  });

  it('is signed by the one above it, and by nobody else', () => {
    const [below, above] = [leaf, ca].map(({ der }) => new X509Certificate(der));
    expect(above && below?.checkIssued(above) && below.verify(above.publicKey)).toBe(true);
    expect(below?.verify(leaf.publicKey)).toBe(false);
    expect(below?.checkPrivateKey(leaf.privateKey)).toBe(true);
  });

  it('bears what the kit judges it by', () => {
    const extensionsOf = ({ der }: Certified): string[] =>
      (AsnConvert.parse(der, Certificate).tbsCertificate.extensions ?? []).map(
        ({ extnID, critical }) => `${extnID}${critical ? '!' : ''}`,
      );
    const keyIds = ['2.5.29.14', '2.5.29.35'];
    expect(extensionsOf(ca)).toEqual(['2.5.29.19!', '2.5.29.15!', ...keyIds, '2.25.1364512830']);
    expect(extensionsOf(leaf)).toEqual(['2.5.29.15!', ...keyIds, '2.5.29.17']);
    const read = ({ der }: Certified): unknown => parseCertificate(der);
    // keyCertSign and cRLSign; digitalSignature.
    expect(read(ca)).toMatchObject({ isCa: true, pathLength: 0, keyUsage: 0b0000_0110 });
    expect(read(leaf)).toMatchObject({ isCa: false, keyUsage: 0b1000_0000 });
  });

  it('writes a year of four digits from 2050 on', () => {
    const late = certify({ name: 'late', from: Date.UTC(2049, 11, 31, 12) / 1000 });
    const { notBefore, notAfter } = AsnConvert.parse(late.der, Certificate).tbsCertificate.validity;
    expect(notBefore.utcTime?.toISOString()).toBe('2049-12-31T12:00:00.000Z');
    expect(notAfter.utcTime).toBeUndefined();
    expect(notAfter.generalTime?.toISOString()).toBe('2050-01-01T12:00:00.000Z');
  });
});
