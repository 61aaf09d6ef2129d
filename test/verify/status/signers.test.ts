import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import {
  type Authority,
  type CertificatePlan,
  alternativeNames,
  certify,
  pemOf,
} from '../../support/verify/certificates.js';
import { anchoredIn, caOf, good, root, signedWith, signerBelow } from '../../support/verify/chains.js';
import { judgeUnderStatus, signed, trusting, types } from '../../support/verify/lists.js';
import {
  fetchList,
  issuerServer,
  listToken,
  servingList,
  statusVerifier,
} from '../../support/verify/servers.js';
import {
  inFull,
  judgeEach,
  judgeValues,
  refuseEach,
  refuseValues,
  startVerifier,
  trustIn,
} from '../../support/verify/verdicts.js';

const published = issuerServer();

const documents = '1.0.18013.5.1.2';
const reader = '1.0.18013.5.1.6';
const any = '2.5.29.37.0';
/** Numbers that the purpose of Token Status List can get: the draft has none yet. */
const statusSigning = ['1.3.6.1.5.5.7.3.45', '1.3.6.1.5.5.7.3.127'] as const;
const [aPurpose] = statusSigning;

const statusRoot = caOf('Status Root');
const signer = (plan: Partial<CertificatePlan> = {}) =>
  certify({ subject: 'Status List Signer', issuer: root, ...plan });
const renewedRoot = (...purposes: string[]) => pemOf(caOf(root.subject, { keys: root.keys, purposes }));
const listBy = (listSigner: Authority) => {
  const { issuer, header } = signedWith([listSigner]);
  return { signer: issuer, header };
};

/** The verdict on a good credential whose list this certificate signed: the check and its reason. */
async function explain(
  listSigner: Authority,
  x5c: object = {},
  chain: readonly Authority[] = good,
): Promise<string> {
  published.answer = servingList(listBy(listSigner));
  const keys = { x5c: { anchors: [pemOf(root)], ...x5c } };
  return await statusVerifier(published, { keys }).explain(undefined, signedWith(chain));
}

const unusable = "credential_status_unavailable K18 The credential's status list cannot be used:";
const forOthers = `${unusable} x5c[0] is not for signing status lists (extended key usage).`;
const forParty = `${unusable} x5c[0] is for a relying party or TLS (extended key usage).`;
const notOfCa = `${unusable} The anchor CN=PID Root, O=Example, C=DE may not certify the purpose of x5c[0] (extended key usage).`;
const stranger = /^credential_status_unavailable K03 /;

describe('F76 the signer of a status list', () => {
  const withPurposes = (...purposes: string[]) => explain(signer({ purposes }));
  judgeEach(withPurposes, {
    'F76 has one that signs': ['valid', documents],
    'F76 has that of Token Status List, 45': ['valid', statusSigning[0]],
    'F76 has that of Token Status List, 127': ['valid', statusSigning[1]],
    'F76 has that and another': ['valid', aPurpose, '1.2.3'],
    'F76 is none for TLS': [forParty, '1.3.6.1.5.5.7.3.1'],
    'F76 is none for reader authentication, beside that of lists': [forParty, aPurpose, reader],
    'F76 is none for code': [forOthers, '1.3.6.1.5.5.7.3.3'],
    'F76 is none for OCSP': [forOthers, '1.3.6.1.5.5.7.3.9'],
    'F76 is none for the last purpose of something else': [forOthers, '1.3.6.1.5.5.7.3.44'],
    'F76 is none for a purpose below that of lists': [forOthers, `${aPurpose}.1`],
    'F76 is none for a purpose that ends like that of lists': [forOthers, `1.${aPurpose}`],
    'F76 is none for anything': [forOthers, any],
    'F76 is none for something unknown': [forOthers, '1.2.3'],
  });

  const pid = [signerBelow(root, { purposes: ['1.2.3'] })];
  const leaf = (rules: object) => ({ leaf: rules });
  const ownPurpose = leaf({ purposes: ['1.2.3'] });
  judgeEach(explain, {
    'F76 has no purpose': ['valid', signer()],
    'F76 has the purpose of credentials': ['valid', signer({ purposes: ['1.2.3'] }), ownPurpose, pid],
    'F76 has one of its own': ['valid', signer({ purposes: [aPurpose] }), ownPurpose, pid],
    'F76 has no other': [forOthers, signer({ purposes: ['1.2.4'] }), ownPurpose, pid],
    'F76 needs no subject of the entry': ['valid', signer(), leaf({ subject: { CN: 'PID Issuer' } })],
    'F76 signs nothing by its subject': [/^K20 /, signer(), leaf({ subject: { CN: 'Status List Signer' } })],
  });

  const below = (ca: string, purpose?: string) =>
    explain(signer(purpose === undefined ? {} : { purposes: [purpose] }), {
      statusAnchors: [renewedRoot(ca)],
    });
  judgeEach(below, {
    'F76 is below CAs that may certify its purpose': ['valid', aPurpose, aPurpose],
    'F76 is below CAs that may certify its purpose, and has none': ['valid', aPurpose],
    'F76 is below CAs that may certify any purpose': ['valid', any, aPurpose],
    'F76 is below no CA for documents': [notOfCa, documents, aPurpose],
    'F76 is below no CA for another purpose of lists': [notOfCa, statusSigning[1], aPurpose],
    'F76 is below no CA for readers': [notOfCa, reader],
  });
});

describe('F76 a signer of status lists alone', () => {
  const notSigning = 'K18 x5c[0] is not for signing credentials (extended key usage).';
  judgeValues('F76 signs no credential, by its own purpose %s', statusSigning, notSigning, (purpose) =>
    explain(signer(), {}, [signer({ purposes: [purpose] })]),
  );
  judgeEach(explain, {
    'F76 signs none below': [/^K18 The anchor /, signer(), { anchors: [renewedRoot(aPurpose)] }, [signer()]],
  });
  const never =
    "trust['de-ausweis'].keys.x5c.leaf.purposes has that of status lists, whose signers need none here and never sign a credential.";
  refuseValues(
    'F76 cannot be made a signer of credentials: %s',
    statusSigning,
    (purpose: string) =>
      createVerifiers(
        trustIn({ keys: { x5c: { anchors: [pemOf(root)], leaf: { purposes: [documents, purpose] } } } }),
      ),
    never,
  );
});

describe('F76 statusAnchors', () => {
  const apart = { statusAnchors: [pemOf(statusRoot)] };
  const ofStatus = signer({ issuer: statusRoot });

  judgeEach(explain, {
    'F76 count for status lists': ['valid', ofStatus, apart],
    'F76 count for status lists, and anchors for them no more': [stranger, signer(), apart],
    'F76 count for status lists where they are named': [stranger, ofStatus],
    'F76 count for no credential': [/^key_not_found K03 /, ofStatus, apart, [signerBelow(statusRoot)]],
  });

  test('F76 a chain that was good for a list is not taken for one that is good for a credential', async () => {
    published.answer = servingList(listBy(ofStatus));
    const { judge } = statusVerifier(published, { keys: { x5c: { anchors: [pemOf(root)], ...apart } } });
    expect(await judge(undefined, signedWith(good))).toBe('valid');
    expect(await judge(undefined, signedWith([ofStatus]))).toBe('key_not_found K03');
  });

  const wrong: [what: string, x5c: object, message: RegExp][] = [
    ['a leaf', { statusAnchors: [pemOf(ofStatus)] }, /statusAnchors\[0\] cannot be an anchor/],
    ['an empty list', { statusAnchors: [] }, /statusAnchors must be a list of at least one text in PEM/],
    ['alone', { anchors: undefined, ...apart }, /\.x5c\.anchors must be a list/],
    ['misspelt', { statusAnchor: [] }, /Unknown option statusAnchor of .* Did you mean statusAnchors/],
  ];
  refuseEach('F76 %s is refused at construction', wrong, (x5c) =>
    createVerifiers(trustIn({ keys: { x5c: { anchors: [pemOf(root)], ...x5c } } })),
  );
  const needed =
    "trust['de-ausweis'].keys.x5c.statusAnchors belongs to anchors, which are missing. Remove it: the trusted list says who signs status lists.";
  refuseEach('F76 %s', [['beside trustedList they need anchors', apart, needed]], (x5c) =>
    createVerifiers(trusting({}, x5c)),
  );

  test('F76 beside trustedList they end with anchors', () => {
    const x5c = { ...apart, anchors: [pemOf(root)], anchorsValidUntil: new Date() };
    expect(createVerifiers(trusting({ store: memoryStore() }, x5c)).size).toBe(1);
  });
});

describe('F130 the iss of a status list is not that of the credential', () => {
  const ofItsOwn = 'https://verifier.example/issuers/root';

  /** A list as an open-source verifier writes it: its own iss, a ttl, and the certificate of its signer alone. */
  const under = async (claimed: unknown, rules: object, change: object, status: Authority, token = {}) => {
    const payload = { iss: claimed, ttl: 3600, exp: undefined };
    published.answer = servingList({ ...listBy(status), payload });
    const keys = { x5c: { anchors: [pemOf(root)], ...rules } };
    const entry = { keys, status: { origins: [published.origin] }, ...change };
    return await statusVerifier(published, entry).explain(undefined, { ...signedWith(good), ...token });
  };
  const ownIss = (status = signer(), rules = {}, change = {}) => under(ofItsOwn, rules, change, status);

  judgeValues(
    'F130 the list may claim %j',
    [undefined, ofItsOwn, '', null, 7, ['https://issuer.example']],
    'valid',
    (claimed) => under(claimed, {}, {}, signer()),
  );

  test('F130 where the entry allows no iss, because its credentials have none', async () => {
    const uri = 'https://lists.example/1';
    const token = listToken(uri, { ...listBy(signer()), payload: { iss: ofItsOwn } });
    const trust = anchoredIn([root], { iss: undefined, status: { origins: ['https://lists.example'] } });
    const { verdict } = startVerifier(trust, { fetch: fetchList(token, uri, () => '') });
    const ask = async (claimed: unknown) =>
      inFull(
        await verdict({
          ...signedWith(good),
          payload: { iss: claimed, status: { status_list: { idx: 0, uri } } },
        }),
      );
    expect(await ask(undefined)).toBe('valid');
    expect(await ask(ofItsOwn)).toMatch(/^K10 The credential has an iss/);
  });

  test('F130 requireIssuerInSan is asked of the credential alone', async () => {
    const named = signerBelow(root, {
      more: [alternativeNames({ uniformResourceIdentifier: published.origin })],
    });
    const inSan = { leaf: { requireIssuerInSan: true } };
    expect(await under(ofItsOwn, inSan, {}, signer(), signedWith([named]))).toBe('valid');
    expect(await ownIss(signer(), inSan)).toMatch(/^K10 x5c\[0\] does not have the iss of the credential/);
  });

  judgeEach(ownIss, {
    'F130 its anchors still bind it': [stranger, signer({ issuer: statusRoot })],
    'F130 and anchors of its own': [stranger, signer(), { statusAnchors: [pemOf(statusRoot)] }],
    'F130 and the purpose of its signer': [forOthers, signer({ purposes: ['1.2.3'] })],
    'F130 and its origin': [/^K14 /, signer(), {}, { status: { origins: ['https://other.example'] } }],
  });

  test('F130 and its sub', async () => {
    const payload = { sub: `${published.origin}/other`, iss: ofItsOwn };
    published.answer = servingList({ ...listBy(signer()), payload });
    const { explain: ask } = statusVerifier(published, { keys: { x5c: { anchors: [pemOf(root)] } } });
    expect(await ask(undefined, signedWith(good))).toMatch(/^credential_status_unavailable T07 /);
  });
});

describe('F85 F76 a list of trusted entities', () => {
  const revoker = caOf('Revocation CA');
  const entities = [{ services: [{}, { type: `${types}PID/Revocation`, certificates: [revoker] }] }];
  const below = async (issuer: Authority, purpose: string) =>
    await judgeUnderStatus(await signed({ entities }), listBy(signer({ issuer, purposes: [purpose] })));

  judgeEach(below, {
    'F85 takes a signer of status lists for documents': ['valid', revoker, documents],
    'F85 takes a signer of status lists for status lists': ['valid', revoker, aPurpose],
    'F85 takes none for other things': [forOthers, revoker, '1.2.3'],
    'F85 takes none below the CA that issues PIDs': [stranger, root, documents],
  });

  test('F130 takes one who names another iss than the credential', async () => {
    const list = { ...listBy(signer({ issuer: revoker })), payload: { iss: 'https://revoker.example' } };
    expect(await judgeUnderStatus(await signed({ entities }), list)).toBe('valid');
  });
});
