import { describe, expect, test } from '@jest/globals';
import { trustFromPem } from '../../../lib/verify/x5c/trust-from-pem.js';
import { type Authority, certify, pemOf } from '../../support/verify/certificates.js';
import { clock } from '../../support/verify/issuer.js';
import { anchoredIn, told } from '../../support/verify/chains.js';

const pids = '1.3.130.2.0.0.1.2';
const pidCa = '1.3.130.2.0.0.1.7';
const documents = '1.0.18013.5.1.2';
const documentCa = '1.0.18013.5.1.7';
const anyDocument = '1.3.6.1.5.5.7.3.36';
const reader = '1.0.18013.5.1.6';
const any = '2.5.29.37.0';
const statusSigning = '1.3.6.1.5.5.7.3.45';

type Purposes = readonly string[] | undefined;

const ofCas: readonly Purposes[] = [
  undefined,
  [any],
  [pids],
  [pidCa],
  [documents],
  [documentCa],
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
function isGood(leaf: Purposes, cas: readonly Purposes[]): boolean {
  const arcs = [
    { signer: pids, ca: pidCa },
    { signer: documents, ca: documentCa },
    { signer: anyDocument, ca: anyDocument },
  ];
  return arcs.some(
    ({ signer, ca }) =>
      (leaf === undefined || leaf.includes(signer)) &&
      cas.every((its) => its === undefined || [any, signer, ca].some((it) => its.includes(it))),
  );
}

const written = (purposes: Purposes): string => purposes?.join(' and ') ?? 'none';
const withPurposes = (purposes: Purposes) => (purposes === undefined ? {} : { purposes });

/** The chain below an anchor whose CAs have these purposes, that of the anchor first. */
function chainOf(leaf: Purposes, [first, ...others]: readonly Purposes[]) {
  const anchor = certify({ subject: 'CA 0', isCa: true, ...withPurposes(first) });
  const chain: Authority[] = [];
  for (const [at, its] of others.entries()) {
    const issuer = chain[0] ?? anchor;
    chain.unshift(certify({ subject: `CA ${at + 1}`, isCa: true, issuer, ...withPurposes(its) }));
  }
  chain.unshift(certify({ subject: 'PID Issuer', issuer: chain[0] ?? anchor, ...withPurposes(leaf) }));
  return { anchor, chain };
}

describe('F79 CAs that certify signers', () => {
  test.each(ofCas.map((its) => [written(its), its] as const))(
    'F79 below an anchor for %s, a CA and a leaf of each kind',
    async (_, first) => {
      const seen: string[] = [];
      const wanted: string[] = [];
      for (const second of [...ofCas, 'absent'] as const) {
        for (const leaf of ofLeafs) {
          const cas = second === 'absent' ? [first] : [first, second];
          const { anchor, chain } = chainOf(leaf, cas);
          const line = `${cas.map(written).join(' > ')} > ${written(leaf)}`;
          const verdict = await told(chain, anchoredIn([anchor]));
          seen.push(`${line}: ${verdict.slice(0, 5)}`);
          wanted.push(`${line}: ${isGood(leaf, cas) ? 'valid' : 'K18 x'}`);
        }
      }
      const isRefusal = (line: string) => line.replace(/: K18 .*/, ': K18 x');
      expect(seen.map(isRefusal)).toEqual(wanted);
    },
  );

  test('F79 at every CA of a long path', async () => {
    const long = async (...cas: readonly Purposes[]) => {
      const { anchor, chain } = chainOf([pids], cas);
      return await told(chain, anchoredIn([anchor]));
    };
    expect(await long([pidCa], [pidCa], [pidCa], [pidCa])).toBe('valid');
    expect(await long(undefined, [pidCa], [any], [pids])).toBe('valid');
    for (const at of [0, 1, 2, 3]) {
      const cas: Purposes[] = [[pidCa], [pidCa], [pidCa], [pidCa]];
      cas[at] = [documentCa];
      const name = at === 0 ? 'The anchor CN=CA 0, O=Example, C=DE' : `x5c[${4 - at}]`;
      expect(await long(...cas)).toBe(
        `K18 ${name} may not certify the purpose of x5c[0] (extended key usage).`,
      );
    }
  });

  test('F79 a purpose that the entry names has no CA purpose of its own', async () => {
    const { anchor, chain } = chainOf(['1.2.3'], [[pidCa]]);
    const keys = { x5c: { anchors: [pemOf(anchor)], leaf: { purposes: ['1.2.3'] } } };
    expect(await told(chain, anchoredIn([anchor], { keys }))).toMatch(/^K18 The anchor /);
  });
});

describe('F79 trustFromPem says below which anchors nobody could sign', () => {
  const described = (purposes: Purposes): string => {
    const { description } = trustFromPem(
      pemOf(certify({ subject: 'CA', isCa: true, ...withPurposes(purposes) })),
      clock,
    );
    return description.split(' | ').slice(3).join();
  };

  const certifying = ofCas.filter((its) => its?.includes(reader) !== true);
  test.each(
    [...certifying, [reader, pidCa], [statusSigning, documents]].map((its) => [written(its), its] as const),
  )('F79 nothing of a CA for %s', (_, purposes) => {
    expect(described(purposes)).toBe('');
  });

  test.each([
    [[reader], 'certifies no signer, by its extended key usage 1.0.18013.5.1.6'],
    [['1.2.3', '1.2.4'], 'certifies no signer, by its extended key usage 1.2.3, 1.2.4'],
    [
      [statusSigning],
      'certifies signers of status lists alone, by its extended key usage 1.3.6.1.5.5.7.3.45',
    ],
  ])('F79 a CA for %j alone', (purposes, warning) => {
    expect(described(purposes)).toBe(warning);
  });
});
