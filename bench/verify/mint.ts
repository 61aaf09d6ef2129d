import { generateKeyPairSync } from 'node:crypto';
import { nonceOf } from '../../lib/service/receipt.js';
import {
  audience,
  digestOf,
  disclose,
  encode,
  erika,
  iss,
  issuerKeys,
  type Mint,
  mint,
  newKeyPair,
  nowSeconds,
  vct,
} from '../../test/support/verify/issuer.js';
import { type Authority, certify, extension, pemOf, x5cOf } from '../../test/support/verify/certificates.js';
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

/** So many characters of one value after the other, in lists that are as long as may be. */
function filled(value: string, length: number): unknown {
  const count = Math.floor(length / (value.length + 1));
  const lists = times(Math.ceil(count / 2000), (at) => Array<string>(Math.min(2000, count - 2000 * at)));
  return JSON.parse(`[${lists.map((list) => `[${list.fill(value).join()}]`).join()}]`);
}
const members = (count: number, name: (index: number) => string) =>
  Object.fromEntries(times(count, (index) => [name(index), 0]));
const inObjects = (depth: number) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;

/** Bound to the flow, and good but for the issuer's signature: every check before the signatures is made. */
const forged = (change: Mint) =>
  mint({ issuer: newKeyPair(), ...change, binding: { ...binding, ...change.binding } });

/** Certificates as large as may be in a header, the first one signed by itself with a key that costs much. */
function heavyChain(): string {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 8192 });
  const keys = { ...newKeyPair(), alg: 'RS256', publicKey, privateKey };
  const more = [extension('1.2.3.4', Buffer.alloc(9500))];
  const self = certify({ subject: 'PID Issuer', keys, more });
  return forged({ header: { x5c: x5cOf(...Array<Authority>(6).fill(self)) } });
}

const hostile = {
  'containers in the payload': forged({ payload: { list: filled(nested(29), 180_000) } }),
  'objects in the payload': forged({ payload: { list: filled(inObjects(28), 180_000) } }),
  'containers in Disclosures': forged({
    sd: Object.fromEntries(times(900, (index) => [String(index), filled(nested(27), 80)])),
  }),
  'containers in every part': forged({
    header: { list: filled(nested(29), 40_000) },
    payload: { list: filled(nested(29), 40_000) },
    sd: { more: filled(nested(27), 40_000) },
    binding: { header: { list: filled(nested(29), 40_000) } },
  }),
  'containers, as many as may be': forged({ payload: { list: filled(nested(28), 9400) } }),
  'members, as many as may be, 180 kB': forged({
    payload: { list: members(4900, (index) => `${'a'.repeat(30)}${index}`) },
  }),
  'members, as many as may be, numbered': forged({
    payload: { list: members(4900, (index) => String((index * 2 ** 20) % (2 ** 32 - 1))) },
  }),
  '1,000 Disclosures by SHA-512': forged({
    sd: Object.fromEntries(times(990, (index) => [String(index), 0])),
    hash: 'sha512',
    payload: { _sd_alg: 'sha-512' },
  }),
  'six certificates of 12 kB': heavyChain(),
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
