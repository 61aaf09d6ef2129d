import { describe, expect, test } from '@jest/globals';
import type { CertificateTrust, Trust } from '../../../lib/types/trust.js';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import {
  type Authority,
  type CertificatePlan,
  certify,
  pemOf,
  x5cOf,
} from '../../support/verify/certificates.js';
import { processOf, signed, trusting } from '../../support/verify/lists.js';
import { trustIn } from '../trust/trusting.js';
import { thrown } from '../../support/verify/verdicts.js';
import { intermediate, leaf, root } from '../../support/verify/chains.js';
import { listToken, reasonOf, serving, statusServer, verifierOf } from './status-server.js';

const published = statusServer();

const documents = '1.0.18013.5.1.2';
const reader = '1.0.18013.5.1.6';
const any = '2.5.29.37.0';
/** Numbers that the purpose of Token Status List can get: the draft has none yet. */
const statusSigning = ['1.3.6.1.5.5.7.3.45', '1.3.6.1.5.5.7.3.127'] as const;
const [aPurpose] = statusSigning;

const statusRoot = certify({ subject: 'Status Root', isCa: true });
const signer = (plan: Partial<CertificatePlan> = {}) =>
  certify({ subject: 'Status List Signer', issuer: root, ...plan });

/** The verdict on a good credential whose list this certificate signed: the check and its reason. */
async function by(
  listSigner: Authority,
  x5c: Partial<CertificateTrust> = {},
  chain: readonly Authority[] = [leaf, intermediate],
): Promise<string> {
  published.answer = serving({ signer: listSigner.keys, header: { x5c: x5cOf(listSigner) } });
  const keys = { x5c: { anchors: [pemOf(root)], ...x5c } };
  const [credentialSigner = leaf] = chain;
  const token = { issuer: credentialSigner.keys, header: { x5c: x5cOf(...chain) } };
  const verdict = await verifierOf(published, { keys }).verdict(undefined, token);
  return verdict.valid ? 'valid' : `${verdict.code ?? ''} ${verdict.check ?? ''} ${reasonOf(verdict)}`;
}

const unusable = "The credential's status list cannot be used:";
const forOthers = `credential_status_unavailable K18 ${unusable} x5c[0] is not for signing status lists (extended key usage).`;
const forParty = `credential_status_unavailable K18 ${unusable} x5c[0] is for a relying party or TLS (extended key usage).`;

describe('F76 the signer of a status list', () => {
  test.each([
    ['no purpose', undefined],
    ['one that signs', [documents]],
    ...statusSigning.map((purpose) => [`that of Token Status List, ${purpose}`, [purpose]] as const),
    ['that and another', [aPurpose, '1.2.3']],
  ])('F76 has %s', async (_, purposes) => {
    expect(await by(signer(purposes && { purposes }))).toBe('valid');
  });

  test.each([
    ['TLS', ['1.3.6.1.5.5.7.3.1'], forParty],
    ['reader authentication, beside that of lists', [aPurpose, reader], forParty],
    ['code', ['1.3.6.1.5.5.7.3.3'], forOthers],
    ['OCSP', ['1.3.6.1.5.5.7.3.9'], forOthers],
    ['the last that the registry gave to something else', ['1.3.6.1.5.5.7.3.44'], forOthers],
    ['a purpose below that of lists', [`${aPurpose}.1`], forOthers],
    ['anything', [any], forOthers],
    ['something unknown', ['1.2.3'], forOthers],
  ])('F76 is none whose purpose is %s', async (_, purposes, refusal) => {
    expect(await by(signer({ purposes }))).toBe(refusal);
  });

  test('F76 has the purpose that the entry names for credentials, or one of its own', async () => {
    const pid = certify({ subject: 'PID Issuer', issuer: root, purposes: ['1.2.3'] });
    const withLeaf = (purposes: string[]): Promise<string> =>
      by(signer({ purposes }), { leaf: { purposes: ['1.2.3'] } }, [pid]);
    expect(await withLeaf(['1.2.3'])).toBe('valid');
    expect(await withLeaf([aPurpose])).toBe('valid');
    expect(await withLeaf(['1.2.4'])).toBe(forOthers);
  });

  test('F76 needs neither the subject nor the policies nor the name that the entry asks of who signs credentials', async () => {
    expect(await by(signer(), { leaf: { subject: { CN: 'PID Issuer' } } })).toBe('valid');
    const named = { leaf: { subject: { CN: 'Status List Signer' } } };
    expect(await by(signer(), named)).toMatch(/^presentation_invalid K20 /);
  });

  test('F76 is below CAs that may certify its purpose', async () => {
    const ca = (purposes: string[]) =>
      certify({ subject: root.subject, keys: root.keys, isCa: true, purposes });
    const below = async (purposes: string[], its?: string[]) =>
      await by(signer(its && { purposes: its }), { statusAnchors: [pemOf(ca(purposes))] });
    const refusal = `credential_status_unavailable K18 ${unusable} The anchor CN=PID Root, O=Example, C=DE may not certify the purpose of x5c[0] (extended key usage).`;
    expect(await below([aPurpose], [aPurpose])).toBe('valid');
    expect(await below([aPurpose])).toBe('valid');
    expect(await below([any], [aPurpose])).toBe('valid');
    expect(await below([documents], [aPurpose])).toBe(refusal);
    expect(await below([statusSigning[1]], [aPurpose])).toBe(refusal);
    expect(await below([reader])).toBe(refusal);
  });
});

describe('F76 a signer of status lists alone', () => {
  test.each(statusSigning)('F76 signs no credential, by its own purpose %s', async (purpose) => {
    const chain = [signer({ purposes: [purpose] })];
    expect(await by(signer(), {}, chain)).toBe(
      'presentation_invalid K18 x5c[0] is not for signing credentials (extended key usage).',
    );
  });

  test('F76 signs no credential, by the purpose of its CA', async () => {
    const purposes = [aPurpose];
    const ca = certify({ subject: root.subject, keys: root.keys, isCa: true, purposes });
    expect(await by(signer(), { anchors: [pemOf(ca)] }, [signer()])).toMatch(
      /^presentation_invalid K18 The anchor /,
    );
  });

  test.each(statusSigning)('F76 cannot be made a signer of credentials: %s', async (purpose) => {
    const keys = { x5c: { anchors: [pemOf(root)], leaf: { purposes: [documents, purpose] } } };
    expect(await thrown(() => createVerifiers(trustIn({ keys })))).toMatchObject({
      code: 'config_invalid',
      message:
        "trust['de-ausweis'].keys.x5c.leaf.purposes has that of status lists, whose signers need none here and never sign a credential.",
    });
  });
});

describe('F76 statusAnchors', () => {
  const apart = { statusAnchors: [pemOf(statusRoot)] };
  const ofStatus = signer({ issuer: statusRoot });

  test('F76 count for status lists, and anchors for them no more', async () => {
    expect(await by(ofStatus, apart)).toBe('valid');
    expect(await by(signer(), apart)).toMatch(/^credential_status_unavailable K03 /);
    expect(await by(signer({ issuer: statusRoot }))).toMatch(/^credential_status_unavailable K03 /);
  });

  test('F76 count for no credential', async () => {
    const chain = [certify({ subject: 'PID Issuer', issuer: statusRoot })];
    expect(await by(ofStatus, apart, chain)).toMatch(/^key_not_found K03 /);
  });

  test('F76 a chain that was good for a list is not taken for one that is good for a credential', async () => {
    published.answer = serving({ signer: ofStatus.keys, header: { x5c: x5cOf(ofStatus) } });
    const keys = { x5c: { anchors: [pemOf(root)], ...apart } };
    const { judge } = verifierOf(published, { keys });
    const good = { issuer: leaf.keys, header: { x5c: x5cOf(leaf, intermediate) } };
    expect(await judge(undefined, good)).toBe('valid');
    expect(await judge(undefined, { issuer: ofStatus.keys, header: { x5c: x5cOf(ofStatus) } })).toBe(
      'key_not_found K03',
    );
  });

  test.each([
    ['a leaf', { statusAnchors: [pemOf(ofStatus)] }, /statusAnchors\[0\] cannot be an anchor/],
    ['an empty list', { statusAnchors: [] }, /statusAnchors must be a list that is not empty/],
    ['alone', { anchors: undefined, ...apart }, /\.x5c\.anchors must be a list/],
    ['misspelt', { statusAnchor: [] }, /Unknown option statusAnchor of .* Did you mean statusAnchors/],
  ])('F76 %s is refused at construction', async (_, x5c, message) => {
    const keys = { x5c: { anchors: [pemOf(root)], ...x5c } as CertificateTrust };
    const trust = trustIn({ keys });
    expect(await thrown(() => createVerifiers(trust))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });

  test('F76 beside trustedList they need anchors, and end with them', async () => {
    const made = async (x5c: object): Promise<unknown> =>
      await thrown(() => createVerifiers(trusting({}, x5c)));
    expect(await made(apart)).toMatchObject({
      message:
        "trust['de-ausweis'].keys.x5c.statusAnchors is for anchors: the list says who signs status lists.",
    });
    expect(await made({ ...apart, anchors: [pemOf(root)], anchorsValidUntil: new Date() })).toBeUndefined();
  });
});

describe('F85 F76 a list of trusted entities', () => {
  const types = 'http://uri.etsi.org/19602/SvcType/PID/';
  const revoker = certify({ subject: 'Revocation CA', isCa: true });
  const uri = 'https://status.example/1';

  /** The verdict on a good credential whose list a certificate with this purpose signed, below a CA for revocation. */
  async function below(ca: Authority, purposes: string[]): Promise<string> {
    const listSigner = certify({ subject: 'Status List Signer', issuer: ca, purposes });
    const services = [{}, { type: `${types}Revocation`, certificates: [revoker] }];
    const list = await signed({ entities: [{ services }] });
    const token = listToken(uri, { signer: listSigner.keys, header: { x5c: x5cOf(listSigner) } });
    const headers = { 'content-type': 'application/statuslist+jwt' };
    const trust: Trust = trusting({}, {}, { status: { origins: ['https://status.example'] } });
    const { judge } = processOf(trust, {
      fetch: async (address) => (address === uri ? new Response(token, { headers }) : new Response(list)),
    });
    return await judge(undefined, { status: { status_list: { uri, idx: 0 } } });
  }

  test.each([[documents], [aPurpose]])('F85 takes a signer of status lists for %s', async (purpose) => {
    expect(await below(revoker, [purpose])).toBe('valid');
  });

  test('F85 takes none for other things, and none below the CA that issues PIDs', async () => {
    expect(await below(revoker, ['1.2.3'])).toBe(forOthers);
    expect(await below(root, [documents])).toMatch(/^credential_status_unavailable K03 /);
  });
});
