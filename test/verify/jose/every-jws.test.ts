import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { certify, x5cOf } from '../../support/verify/certificates.js';
import { encode, issuerKeys, misspell, newKeyPair, nowSeconds } from '../../support/verify/issuer.js';
import { walletKeys } from '../../support/verify/issuer.js';
import { type Fault, type KindName, type Trusting, kinds } from './jws-kinds.js';

const names = Object.keys(kinds) as KindName[];
type Numbers = readonly [credential: string, keyBinding: string, jwt: string, list: string];
type Row = readonly [what: string, checks: Numbers, fault: Fault | ((kind: KindName) => Fault), Trusting?];

const all = (check: string): Numbers => [check, check, check, check];
const more = (members: string) => (good: unknown) => `${JSON.stringify(good).slice(0, -1)},${members}}`;
const cells = (name: string, value: string) => (good: unknown) =>
  more(`"${name}":${value}`)({ ...(good as object), [name]: undefined });
const inParts = (what: string, check: string, change: (good: unknown) => unknown): Row[] => [
  [`header ${what}`, all(check), { header: change }],
  [`payload ${what}`, all(check), { payload: change }],
];
const segment = (index: number, change: (good: string) => string): Fault => ({
  text: (jws) =>
    jws
      .split('.')
      .with(index, change(jws.split('.')[index] ?? ''))
      .join('.'),
});
const spellings = ['padded', 'nonCanonical', 'spaced', 'standard'] as const;
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const zeros = (count: number) => JSON.stringify(Array(count).fill(0));

/** The last character of 64 bytes has four bits that count for nothing. */
const misspelled: Readonly<Record<(typeof spellings)[number], (good: string) => string>> = {
  padded: (good) => `${good}==`,
  nonCanonical: (good) => good.slice(0, -1) + String.fromCharCode((good.codePointAt(85) ?? 0) + 1),
  spaced: (good) => `${good.slice(0, 4)} ${good.slice(4)}`,
  standard: (good) => `${good.slice(0, 4)}+${good.slice(5)}`,
};

const envelope: Row[] = [
  ...spellings.flatMap((spelling): Row[] => [
    ...inParts(`is ${spelling}`, 'P02', (good) => misspell(good)[spelling]),
    [`signature is ${spelling}`, all('P02'), segment(2, misspelled[spelling])],
  ]),
  ...[0, 1, 2].map((index): Row => [
    `segment ${index} is empty`,
    ['P06', 'P04', 'P06', 'T06'],
    segment(index, () => ''),
  ]),
  ['text is of two segments', ['P06', 'P04', 'P06', 'T06'], { text: (jws) => jws.replace(/\.[^.]*$/, '') }],
  ['text is of five, as a JWE', ['P06', 'P04', 'P06', 'T06'], { text: (jws) => `${jws}.e30.e30` }],
  ...inParts('is nested too deep', 'P08', more(`"a":${deep(32)}`)),
  ...inParts('is nested as deep as may be', 'valid', more(`"a":${deep(31)}`)),
  ...inParts('has an array that is too long', 'P08', more(`"a":${zeros(2001)}`)),
  ...inParts('has too many values', 'P08', more(`"a":[${zeros(2000)},${zeros(2000)},${zeros(2000)}]`)),
  ...inParts('has too many containers', 'P08', more(`"a":[${Array(200).fill(deep(29)).join()}]`)),
  ...inParts('is not UTF-8', 'P09', (good) => Buffer.from(more('"a":"\xff"')(good), 'latin1')),
  ...['[]', 'null', '"a"', '7', '{', '{"a":1', '{"a"', '{"a":"\\"}', ' ', '\uFEFF{}', '{} {}'].flatMap(
    (text) => inParts(`is ${text}`, 'P09', () => text),
  ),
  ...inParts('has two members of one name', 'P10', more('"a":1,"a":1')),
  ...inParts('has two members __proto__', 'P10', more('"__proto__":1,"__proto__":2')),
  ...inParts('has two, with objects lost', 'P10', more('"a":{"b":{"c":1}},"a":1')),
  ...inParts('has two, one of them in an array', 'P10', more('"a":[{"b":1,"c":{},"b":1}]')),
  ...inParts('has them below, in other spellings', 'P10', more('"a":[{"b":1,"\\u0062":2}]')),
];

const attacker = newKeyPair();
const p384 = newKeyPair('ES384');
const allowing384 = { trust: { algorithms: ['ES256', 'ES384'] } };
const notAllowed: Numbers = ['H01', 'B04', 'H01', 'T06'];
const notTyped: Numbers = ['H03', 'B03', 'J05', 'T06'];
const forged: Numbers = ['K02', 'B06', 'K02', 'T06'];
const typ = {
  credential: 'dc+sd-jwt',
  'key binding': 'kb+jwt',
  jwt: 'result+jwt',
  'status list': 'statuslist+jwt',
};

/** A MAC whose secret is the key that everyone knows. */
const mac = (kind: KindName): Fault => ({
  header: { alg: 'HS256' },
  text: (jws) => {
    const { publicKey } = kind === 'key binding' ? walletKeys : issuerKeys;
    const secret = publicKey.export({ type: 'spki', format: 'pem' });
    const input = jws.slice(0, jws.lastIndexOf('.'));
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  },
});

const header: Row[] = [
  ...['none', 'HS256', 'es256', 'ES256 ', 'RS256', '', 7, ['ES256'], null, undefined].map((alg): Row => [
    `alg is ${JSON.stringify(alg)}`,
    notAllowed,
    { header: { alg } },
  ]),
  ["alg is HS256, with a MAC of the signer's public key", notAllowed, mac],
  ['alg is ES384, which is not allowed', notAllowed, { keys: p384 }],
  ['alg is ES384, which is allowed and unfit', ['H02', 'B04', 'H02', 'H02'], { keys: p384 }, allowing384],
  ...['JWT', 'vc+sd-jwt', undefined, 7, ['JWT']].map((of): Row => [
    `typ is ${String(of)}`,
    notTyped,
    { header: { typ: of } },
  ]),
  ['typ has a space', notTyped, (kind) => ({ header: { typ: `${typ[kind]} ` } })],
  ['typ is in capitals', notTyped, (kind) => ({ header: { typ: typ[kind].toUpperCase() } })],
  ['typ is a media type', notTyped, (kind) => ({ header: { typ: `application/${typ[kind]}` } })],
  ['typ is in a list', notTyped, (kind) => ({ header: { typ: [typ[kind]] } })],
  ['crit has an unknown extension', all('H04'), { header: { crit: ['a'], a: 1 } }],
  ['crit has a member that is known elsewhere', all('H04'), { header: { crit: ['exp'], exp: 1 } }],
  ['crit is empty', all('H04'), { header: { crit: [] } }],
  ['crit is null', all('H04'), { header: { crit: null } }],
  ['b64 is false', all('H04'), { header: { crit: ['b64'], b64: false } }],
  ['b64 is false, and not declared', all('H04'), { header: { b64: false } }],
];

const offers: readonly (readonly [string, unknown, Numbers?])[] = [
  ['jwk', attacker.jwk],
  ['jku', 'https://attacker.example/jwks.json'],
  ['x5u', 'https://attacker.example/chain.pem'],
  ['x5c', x5cOf(certify({ subject: 'PID Issuer', keys: attacker }))],
  ['kid', `did:jwk:${encode(attacker.jwk)}`, ['K12', 'B06', 'K12', 'K12']],
];

const elsewhere = { aud: 'x509_san_dns:other.example', sub: 'https://other.example/lists/1' };

const signature: Row[] = [
  ['audience or address is another', ['C10', 'B08', 'J03', 'T07'], { payload: elsewhere }],
  ['key is of someone else', forged, { keys: attacker }],
  ...offers.map(([name, value, checks = forged]): Row => [
    `key is of someone who brings it as ${name}`,
    checks,
    { keys: attacker, header: { [name]: value } },
  ]),
  ['header is not the signed one', forged, segment(0, (good) => encode({ ...parsed(good), a: 1 }))],
  ['payload is not the signed one', forged, segment(1, (good) => encode({ ...parsed(good), a: 1 }))],
  ['signature is of zeros', forged, segment(2, () => encode(Buffer.alloc(64)))],
  ['signature is too short', forged, segment(2, () => encode(Buffer.alloc(63, 7)))],
];

function parsed(text: string): object {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
}

const times: Row[] = [
  ...['"2000000000"', 'null', '1e999', '-1e999', '[1]', '{}', 'true'].flatMap((value): Row[] => [
    [`iat is ${value}`, ['C05', 'B09', 'C05', 'T08'], { payload: cells('iat', value) }],
    [`exp is ${value}`, ['C05', 'B13', 'C05', 'T09'], { payload: cells('exp', value) }],
    [`nbf is ${value}`, ['C05', 'B13', 'C05', 'T20'], { payload: cells('nbf', value) }],
  ]),
  ['iat is missing', ['valid', 'B09', 'J07', 'T08'], { payload: { iat: undefined } }],
  ['exp is missing', ['valid', 'valid', 'J02', 'valid'], { payload: { exp: undefined } }],
  ['iat is in the future', ['C07', 'B10', 'C07', 'T08'], { payload: { iat: nowSeconds + 400 } }],
  ['iat is in milliseconds', ['C12', 'B10', 'C12', 'T08'], { payload: { iat: nowSeconds * 1000 } }],
  ['exp is past', ['C04', 'B13', 'C04', 'T09'], { payload: { exp: nowSeconds - 400 } }],
  ['nbf is in the future', ['C06', 'B13', 'C06', 'T20'], { payload: { nbf: nowSeconds + 400 } }],
];

describe.each(names)('the one fault is in the %s', (kind) => {
  const at = names.indexOf(kind);

  test('without a fault it is accepted', async () => {
    expect(await kinds[kind]()).toBe('valid');
  });

  test.each(
    [...envelope, ...header, ...signature, ...times].map(
      ([what, checks, fault, trusting]) => [checks[at] ?? '', what, fault, trusting] as const,
    ),
  )('%s where its %s', async (check, _, fault, trusting = {}) => {
    expect(await kinds[kind](typeof fault === 'function' ? fault(kind) : fault, trusting)).toBe(check);
  });
});
