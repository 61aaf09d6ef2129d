import { describe, expect, test } from '@jest/globals';
import { trustFromPem } from '../../../lib/index.js';
import { deep } from '../../support/deep.js';
import { type Authority, pemOf, extension } from '../../support/verify/certificates.js';
import { anchoredIn, caOf, checkChain, explainChain, good, root } from '../../support/verify/chains.js';
import { signerBelow, withIntermediate, withLeaf } from '../../support/verify/chains.js';
import { clock, newKeyPair } from '../../support/verify/issuer.js';
import { judgeEach, judgeValues, refuse } from '../../support/verify/verdicts.js';

const pids = '1.3.130.2.0.0.1.2';
const pidCa = '1.3.130.2.0.0.1.7';
const documents = '1.0.18013.5.1.2';
const documentCa = '1.0.18013.5.1.7';
const anyDocument = '1.3.6.1.5.5.7.3.36';
const reader = '1.0.18013.5.1.6';
const any = '2.5.29.37.0';
const statusSigning = '1.3.6.1.5.5.7.3.45';

type Purposes = readonly string[] | undefined;
const withPurposes = (purposes: Purposes) => (purposes === undefined ? {} : { purposes });

/** The root, renewed with something else. */
const renewed = (change: object) => caOf(root.subject, { keys: root.keys, ...change });
const anchorFor = (...purposes: string[]) => renewed({ purposes });

describe('K07 what each certificate may do', () => {
  judgeEach(explainChain, {
    'K07 for this and more': ['valid', withLeaf({ keyUsage: ['digitalSignature', 'nonRepudiation'] })],
    'K07 a leaf for documents is accepted': ['valid', withLeaf({ purposes: [documents] })],
    'K07 a leaf for EU PIDs is accepted': ['valid', withLeaf({ purposes: [pids] })],
    'K07 a leaf for documents by RFC 9336 is accepted': ['valid', withLeaf({ purposes: [anyDocument] })],
    'K07 for e-mail and documents': ['valid', withLeaf({ purposes: ['1.3.6.1.5.5.7.3.4', documents] })],
    'K07 marks that are not critical': ['valid', withIntermediate({ critical: false })],
    'K07 a leaf and CA': ['K07 x5c[0] is a CA.', withLeaf({ isCa: true, keyUsage: ['digitalSignature'] })],
    'K07 leaf without key usage': ['K07 x5c[0] may not sign (key usage).', withLeaf({ keyUsage: 'absent' })],
    'K07 a leaf for more': ['K07 x5c[0] may not sign (key usage).', withLeaf({ keyUsage: ['keyAgreement'] })],
    'K07 no CA': ['K07 x5c[1] is not a CA.', withIntermediate({ isCa: false, keyUsage: ['keyCertSign'] })],
    'K07 a CA for data': [/^K07 x5c\[1\] may not sign/, withIntermediate({ keyUsage: ['digitalSignature'] })],
    'K07 a CA without key usage': ['K07 x5c[1] has no key usage.', withIntermediate({ keyUsage: 'absent' })],
  });

  const twoCas = (issuer: Authority, pathLength?: number) => {
    const first = caOf('One', { issuer, ...(pathLength !== undefined && { pathLength }) });
    const second = caOf('Two', { issuer: first });
    return [signerBelow(second), second, first];
  };
  const below = (change: object) => {
    const anchor = caOf('Anchor', change);
    return [twoCas(anchor), anchoredIn([anchor])] as const;
  };
  const tooMany = 'K07 The anchor CN=Anchor, O=Example, C=DE has more CAs below it than its pathLen allows.';
  const strict = renewed({ pathLength: 0 });

  judgeEach(explainChain, {
    'K07 pathLen counts the CAs below, as far as it allows': ['valid', ...below({ pathLength: 2 })],
    'K07 pathLen 1 above two CAs': [tooMany, ...below({ pathLength: 1 })],
    'K07 pathLen 0 above two CAs': [tooMany, ...below({ pathLength: 0 })],
    'K07 pathLen 2 without key usage': ['valid', ...below({ pathLength: 2, keyUsage: 'absent' })],
    'K07 pathLen 1 without key usage': [tooMany, ...below({ pathLength: 1, keyUsage: 'absent' })],
    'K07 pathLen of an intermediate': ['valid', twoCas(root, 1)],
    'K07 pathLen of an intermediate that is too short': [/^K07 x5c\[2\] /, twoCas(root, 0)],
    'K07 of a renewed anchor, the only one does not allow the path': [/^K07 /, good, anchoredIn([strict])],
    'K07 of a renewed anchor, the one that allows it counts': ['valid', good, anchoredIn([strict, root])],
  });
});

describe('K18 the extended key usage of each role', () => {
  const forParty = 'K18 x5c[0] is for a relying party or TLS (extended key usage).';

  const parties = [reader, '1.3.130.2.0.0.1.6', '1.0.23220.4.1.6', '1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];
  const judgeLeaf = (...purposes: string[]) => explainChain(withLeaf({ purposes }));
  judgeValues('K18 a leaf of a relying party, %s', parties, forParty, judgeLeaf);
  judgeValues('K18 a leaf of a relying party, %s, beside another purpose', parties, forParty, (purpose) =>
    judgeLeaf(documents, purpose),
  );
  judgeValues(
    'K18 a leaf for %s alone',
    ['1.3.6.1.5.5.7.3.3', '1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.9', '1.2.3', any],
    'K18 x5c[0] is not for signing credentials (extended key usage).',
    (purpose) => judgeLeaf(purpose),
  );

  const below = (ca: readonly string[], purposes?: readonly string[]) => {
    const issuer = caOf('PID Intermediate', { issuer: root, purposes: ca });
    return [signerBelow(issuer, withPurposes(purposes)), issuer];
  };
  const byCa = 'K18 x5c[1] may not certify the purpose of x5c[0] (extended key usage).';
  const byAnchor =
    'K18 The anchor CN=PID Root, O=Example, C=DE may not certify the purpose of x5c[0] (extended key usage).';
  const chain = below([documents], [documents, pids]);

  judgeEach(explainChain, {
    'K18 a CA has the purpose of the leaf': ['valid', below([documents], [documents])],
    'K18 a CA has the purpose of the leaf beside another': ['valid', below([reader, documents], [documents])],
    'K18 a CA has any purpose': ['valid', below([any], [documents])],
    'K18 a CA for PIDs, and a leaf for anything': ['valid', below([pids])],
    'K18 a CA for PIDs, and a leaf for documents': [byCa, below([pids], [documents])],
    'K18 a CA for readers, and a leaf for documents': [byCa, below([reader], [documents])],
    'K18 an anchor too: one purpose goes the whole way': ['valid', chain, anchoredIn([anchorFor(documents)])],
    'K18 an anchor for any purpose': ['valid', chain, anchoredIn([anchorFor(any)])],
    'K18 an anchor for another purpose': [byAnchor, chain, anchoredIn([anchorFor(pids)])],
    'K18 an anchor for readers': [byAnchor, chain, anchoredIn([anchorFor(reader)])],
    'K18 one of two anchors': ['valid', chain, anchoredIn([anchorFor(reader), anchorFor(documents)])],
    'F56 K18 a relying party signs no PID, by its own purpose': [forParty, withLeaf({ purposes: [reader] })],
    'F56 K18 a relying party signs no PID, by that of its CA': [byCa, below([reader])],
    'F56 K18 a relying party signs no PID, by the anchor': [byAnchor, good, anchoredIn([anchorFor(reader)])],
  });

  const more = [extension('1.2.3.4', '0500', true)];
  judgeEach(explainChain, {
    'F56 unknown critical extension of a leaf': [/^K08 x5c\[0\] has an extension/, withLeaf({ more })],
    'F56 unknown critical extension of a CA': [/^K08 x5c\[1\] has an extension/, withIntermediate({ more })],
  });
  const anchor = anchoredIn([renewed({ more })]);
  refuse(
    'F56 an unknown critical extension of an anchor',
    () => checkChain(good, anchor),
    /and is not supported/,
  );
});

describe('F79 CAs that certify signers', () => {
  const ofCas: readonly Purposes[] = [
    undefined,
    ...[any, pids, pidCa, documents, documentCa].map((purpose) => [purpose]),
    [pidCa, documentCa],
    [anyDocument],
    [reader],
  ];
  const ofLeafs: readonly Purposes[] = [
    undefined,
    [pids],
    [documents],
    [anyDocument],
    [pids, documents],
    [pidCa],
    [any],
  ];

  /** What a path may sign by the letter of F79: one purpose, from the leaf to the anchor. */
  const isGood = (leaf: Purposes, cas: readonly Purposes[]): boolean =>
    [
      [pids, pidCa],
      [documents, documentCa],
      [anyDocument, anyDocument],
    ].some(
      ([signer = '', ca = '']) =>
        (leaf === undefined || leaf.includes(signer)) &&
        cas.every(
          (purposes) => purposes === undefined || [any, signer, ca].some((one) => purposes.includes(one)),
        ),
    );
  const written = (purposes: Purposes): string => purposes?.join(' and ') ?? 'none';

  const keys = [newKeyPair(), newKeyPair(), newKeyPair(), newKeyPair()] as const;
  const leafKeys = newKeyPair();

  /** An anchor and the CAs below it, with these purposes: what signs a leaf, and the trust in the anchor. */
  function casOf([first, ...others]: readonly Purposes[]) {
    const anchor = caOf('CA 0', { keys: keys[0], ...withPurposes(first) });
    const chain: Authority[] = [];
    for (const [at, purposes] of others.entries()) {
      const issuer = chain[0] ?? anchor;
      chain.unshift(
        caOf(`CA ${at + 1}`, { issuer, keys: keys[at + 1] ?? newKeyPair(), ...withPurposes(purposes) }),
      );
    }
    const trust = anchoredIn([anchor]);
    return (leaf: Purposes) => {
      const signer = signerBelow(chain[0] ?? anchor, { keys: leafKeys, ...withPurposes(leaf) });
      return explainChain([signer, ...chain], trust);
    };
  }

  deep.test.each(ofCas.map((purposes) => [written(purposes), purposes] as const))(
    'F79 below an anchor for %s, a CA and a leaf of each kind',
    async (_, first) => {
      for (const cas of [...ofCas.map((second) => [first, second]), [first]]) {
        const explainLeaf = casOf(cas);
        for (const leaf of ofLeafs) {
          const path = `${cas.map(written).join(' > ')} > ${written(leaf)}`;
          const verdict = (await explainLeaf(leaf)).slice(0, 5);
          expect([path, verdict.replace(/^K18 ./, 'K18')]).toEqual([
            path,
            isGood(leaf, cas) ? 'valid' : 'K18',
          ]);
        }
      }
    },
  );

  const four = (at?: number): Purposes[] => [0, 1, 2, 3].map((ca) => (ca === at ? [documentCa] : [pidCa]));
  const refusal = (name: string) => `K18 ${name} may not certify the purpose of x5c[0] (extended key usage).`;
  judgeEach((...cas: Purposes[]) => casOf(cas)([pids]), {
    'F79 at every CA of a long path': ['valid', ...four()],
    'F79 at every CA of a long path, in whatever way': ['valid', undefined, [pidCa], [any], [pids]],
    'F79 at the anchor of a long path': [refusal('The anchor CN=CA 0, O=Example, C=DE'), ...four(0)],
    'F79 at the first CA of a long path': [refusal('x5c[3]'), ...four(1)],
    'F79 at the second CA of a long path': [refusal('x5c[2]'), ...four(2)],
    'F79 at the last CA of a long path': [refusal('x5c[1]'), ...four(3)],
  });

  test('F79 a purpose that the entry names has no CA purpose of its own', async () => {
    const anchor = caOf('CA 0', { purposes: [pidCa] });
    const keys = { x5c: { anchors: [pemOf(anchor)], leaf: { purposes: ['1.2.3'] } } };
    const chain = [signerBelow(anchor, { purposes: ['1.2.3'] })];
    expect(await explainChain(chain, anchoredIn([anchor], { keys }))).toMatch(/^K18 The anchor /);
  });

  const certifying = ofCas.filter((purposes) => purposes?.includes(reader) !== true);
  const described = (purposes: Purposes): string =>
    trustFromPem(pemOf(caOf('CA', withPurposes(purposes))), clock)
      .description.split(' | ')
      .slice(3)
      .join();

  test.each(
    [...certifying, [reader, pidCa], [statusSigning, documents]].map(
      (each) => [written(each), each] as const,
    ),
  )('F79 trustFromPem says nothing of a CA for %s', (_, purposes) => {
    expect(described(purposes)).toBe('');
  });

  test.each([
    [[reader], 'certifies no signer, by its extended key usage 1.0.18013.5.1.6'],
    [['1.2.3', '1.2.4'], 'certifies no signer, by its extended key usage 1.2.3, 1.2.4'],
    [[statusSigning], `certifies signers of status lists alone, by its extended key usage ${statusSigning}`],
  ])('F79 trustFromPem says below which anchor nobody could sign: for %j alone', (purposes, warning) => {
    expect(described(purposes)).toBe(warning);
  });
});
