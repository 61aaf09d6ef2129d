import type { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { trustFromPem } from '../../../lib/index.js';
import { certificatesIn, material, nameOf } from '../../support/verify/eudi.js';
import { newKeyPair, now } from '../../support/verify/issuer.js';
import { startVerifier, trustIn } from '../../support/verify/verdicts.js';

const cas = certificatesIn('eu-pid-issuer-cas.pem');
const leaves = certificatesIn('eu-pid-leaves.pem');
const isParty = (leaf: X509Certificate): boolean => leaf.keyUsage?.includes('1.0.18013.5.1.6') === true;

/** A day on which a certificate is valid. */
const dayOf = ({ validTo }: X509Certificate): Date => new Date(Date.parse(validTo) - 86_400_000);

/** `accepted`, or what a token is told that has this leaf: nobody here has its key, so it ends at the signature. */
async function judge(leaf: X509Certificate, anchors: readonly string[], profile: 'haip-1.0' | 'sd-jwt-vc') {
  const { wait, verdict: judgeToken } = startVerifier(trustIn({ keys: { x5c: { anchors } }, profile }));
  wait((dayOf(leaf).getTime() - now.getTime()) / 1000);
  const header = { x5c: [leaf.raw.toString('base64')] };
  const verdict = await judgeToken({ issuer: newKeyPair(), header, payload: { iss: undefined } });
  if (verdict.valid) throw new Error('Nobody signed this.');
  return verdict.check === 'K02' ? 'accepted' : verdict.reason;
}

describe('F79 the PID CAs of the EU reference issuers', () => {
  test('F79 there are eight, and seven leaves, two of which are of relying parties', () => {
    expect([cas.length, leaves.length]).toEqual([8, 7]);
    expect(leaves.filter(({ x509 }) => isParty(x509)).map(({ x509 }) => nameOf(x509))).toEqual([
      'CN=EUDI Remote Verifier, serialNumber=001, O=EUDI Wallet Reference Implementation, C=UT',
      'CN=Procivis AG, serialNumber=0, O=Procivis AG, C=UT',
    ]);
  });

  test.each(cas.map(({ x509, pem }) => [nameOf(x509), pem, x509] as const))(
    'F79 %s is an anchor, and nothing is said against it',
    (name, pem, x509) => {
      const { description, certificates } = trustFromPem(pem, () => dayOf(x509));
      expect(certificates).toMatchObject([{ subject: name, fingerprint: x509.fingerprint256 }]);
      expect(description.split(' | ')).toHaveLength(3);
      expect(description).not.toContain('expired');
    },
  );

  const anchors = cas.map(({ pem }) => pem);
  const rows = leaves.map(({ x509 }) => [nameOf(x509), x509] as const);

  test.each(rows.filter(([, leaf]) => !isParty(leaf)))(
    'F79 %s signs, below its own CA and below all, in both profiles',
    async (_, leaf) => {
      const own = cas.filter(({ x509 }) => leaf.checkIssued(x509)).map(({ pem }) => pem);
      expect(own).toHaveLength(1);
      for (const profile of ['sd-jwt-vc', 'haip-1.0'] as const) {
        expect(await judge(leaf, own, profile)).toBe('accepted');
        expect(await judge(leaf, anchors, profile)).toBe('accepted');
      }
    },
  );

  test.each(rows.filter(([, leaf]) => !isParty(leaf)))(
    'F79 %s does not sign below the others',
    async (_, leaf) => {
      const others = cas.filter(({ x509 }) => !leaf.checkIssued(x509)).map(({ pem }) => pem);
      expect(await judge(leaf, others, 'sd-jwt-vc')).toMatch(/^No configured anchor issued x5c\[0\], /);
    },
  );

  test.each(rows.filter(([, leaf]) => isParty(leaf)))('F79 %s signs no PID', async (_, leaf) => {
    expect(await judge(leaf, anchors, 'sd-jwt-vc')).toBe(
      'x5c[0] is for a relying party or TLS (extended key usage).',
    );
  });
});

/** The certificates of a German list as PEM, each once. */
function germanCas(name: string): readonly string[] {
  const [, payload = ''] = material(name).split('.');
  const text = Buffer.from(payload, 'base64url').toString();
  const found = [...text.matchAll(/"val":"([^"]+)"/g)].map(([, der = '']) => der);
  return [...new Set(found)].map((der) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`);
}

describe('F79 the PID CAs of the German lists', () => {
  test.each(['german-pid-list.2026-06-28.jwt', 'german-pid-list.2026-07-12.jwt'])(
    'F79 both of %s are anchors, and nothing is said against them',
    (name) => {
      const { certificates, description } = trustFromPem(germanCas(name), () => new Date('2026-07-13'));
      expect(certificates.map(({ subject }) => subject)).toEqual([
        'C=DE, L=Berlin, O=Bundesdruckerei GmbH, OU=T CS IDE, CN=PIDP Preprod CA',
        'C=DE, L=Berlin, O=Bundesdruckerei GmbH, OU=T CS IDE, CN=PIDP Demo CA',
      ]);
      for (const line of description.split('\n')) {
        expect(line.split(' | ')).toHaveLength(3);
        expect(line).not.toMatch(/expired|only in/);
      }
    },
  );
});
