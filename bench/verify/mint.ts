import { nonceOf } from '../../lib/service/receipt.js';
import {
  audience,
  digestOf,
  disclose,
  encode,
  erika,
  iss,
  issuerKeys,
  mint,
  nowSeconds,
  vct,
} from '../../test/support/verify/issuer.js';
import { certify, pemOf, x5cOf } from '../../test/support/verify/certificates.js';
import { entryMutants, strictEntry, strictExpected } from '../../test/support/verify/entry-mutants.js';
import { mutants } from '../../test/support/verify/mutants.js';

/** Everything that is measured, as JSON on the standard output: the issuer stays out of the measured process. */

const state = 'state-of-the-flow';
const nonce = nonceOf(state);
const binding = { payload: { nonce } };
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

function wide(count: number): string {
  const texts = times(count, (index) => disclose(`claim_${String(index)}`, `value ${String(index)}`));
  return mint({ sd: {}, more: texts, payload: { _sd: texts.map((text) => digestOf(text)) }, binding });
}

/** Claims inside one another, each in a Disclosure of its own. */
function deep(depth: number): string {
  const texts = [disclose('claim', 'value')];
  while (texts.length < depth) texts.push(disclose('claim', { _sd: [digestOf(texts.at(-1) ?? '')] }));
  return mint({ sd: {}, more: texts, payload: { _sd: [digestOf(texts.at(-1) ?? '')] }, binding });
}

const header = encode({ alg: 'ES256', typ: 'dc+sd-jwt' });
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const cut = (text: string) => text.slice(0, 256 * 1024);

const hostile = {
  '10,000 Disclosures, signed': mintMany(10_000),
  '10,000 Disclosures': cut(`${header}.e30.AA~${'WyJzIiwxXQ~'.repeat(10_000)}`),
  '1,000 Disclosures of depth 30': `${header}.e30.AA~${times(1000, (index) => `${disclose(`a${String(index)}`, JSON.parse(nested(30)))}~`).join('')}`,
  'depth 10,000 in the payload': `${header}.${encode(`{"a":${nested(10_000)}}`)}.AA~`,
  'depth 10,000 in a Disclosure': `${header}.e30.AA~${encode(`["s","a",${nested(10_000)}]`)}~`,
  '256 kB of tildes': '~'.repeat(256 * 1024),
  '256 kB of one letter': 'a'.repeat(256 * 1024),
  '256 kB of quotes': cut(`${header}.${encode('"'.repeat(190_000))}.AA~`),
  '256 kB of escaped quotes': cut(`${header}.${encode(`{"${'\\"'.repeat(95_000)}`)}.AA~`),
  '256 kB of one member': cut(`${header}.${encode(`{"a":0${',"a":0'.repeat(30_000)}}`)}.AA~`),
  '256 kB of members': `${header}.${encode(`{${times(15_000, (index) => `"${String(index)}":0`).join()}}`)}.AA~`,
  '256 kB of elements': `${header}.${encode(`{"a":[0${',0'.repeat(94_000)}]}`)}.AA~`,
  '256 kB of one Disclosure': `${header}.e30.AA~${'A'.repeat(255_000)}~`,
  '256 kB of numbers in arrays': `${header}.${encode(`{${times(45, (index) => `"${String(index)}":[0${',0'.repeat(1990)}]`).join()}}`)}.AA~`,
  '256 kB and a byte': 'a'.repeat(256 * 1024 + 1),
};

function mintMany(count: number): string {
  const texts = times(count, (index) => disclose(index));
  return mint({
    sd: {},
    more: texts,
    payload: { list: texts.map((text) => ({ '...': digestOf(text) })) },
    binding,
  });
}

const root = certify({ subject: 'PID Root', isCa: true });
const intermediate = certify({ subject: 'PID Intermediate', issuer: root, isCa: true, pathLength: 0 });
const signer = () => certify({ subject: 'PID Issuer', issuer: intermediate });
const leaf = signer();

/** A chain of two certificates below the anchor; each leaf is another one in `unseen`. */
const withChain = (first = leaf) =>
  mint({ sd: erika, issuer: first.keys, header: { x5c: x5cOf(first, intermediate) }, binding });
const chains = {
  anchors: [pemOf(root)],
  iss,
  known: times(64, () => withChain()),
  // More than the kit remembers, so that none of them is remembered when its turn comes again.
  unseen: times(256, () => withChain(signer())),
};
const entry = entryMutants(nonce);
const strict = {
  entry: strictEntry,
  expected: strictExpected,
  good: entry.good(),
  mutants: entry.mutants.map(({ check, what, token }) => ({ check, what, token: token() })),
};

process.stdout.write(
  JSON.stringify({
    chains,
    strict,
    key: issuerKeys.jwk,
    state,
    nonce,
    audience,
    vct,
    now: nowSeconds,
    good: times(64, () => mint({ sd: erika, binding })),
    wide: [10, 100, 1000].map((count) => [count, wide(count)]),
    deep: [1, 4, 8, 16, 31].map((depth) => [depth, deep(depth)]),
    hostile,
    mutants: mutants({ nonce }).map(({ check, what, token }) => ({ check, what, token: token() })),
  }),
);
