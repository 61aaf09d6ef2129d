import { createDecipheriv, type ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { readAnswer } from '../../../lib/service/wallets/answer.js';
import { openJwe, readJwe } from '../../../lib/service/wallets/jwe.js';
import { answerKey, publicJwk } from '../../../lib/service/wallets/keys.js';
import { ways } from '../../../lib/types/ways.js';
import { deep } from '../../support/deep.js';
import { nightly } from '../../support/seed.js';
import { holds } from '../../verify/properties.js';
import {
  closeJwe,
  type Closing,
  content,
  derive,
  encode,
  epkOf,
  keyOf,
  kid,
  sender,
  uncheckedSecret,
} from './close-jwe.js';

// Through HTTP, a wallet cannot make most of these: a JWE is closed for a key that only its flow has.

const key = keyOf(0xb0bn);

function open(compact: string, by: ECDH = key): unknown {
  const jwe = readJwe(compact);
  return jwe && openJwe(jwe, by);
}

const close = (closing?: Closing): string => closeJwe(key, closing).join('.');

describe('the example of RFC 7518, appendix C', () => {
  const alice = {
    kty: 'EC',
    crv: 'P-256',
    x: 'gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0',
    y: 'SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps',
  };
  const bob = keyOf(Buffer.from('VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw', 'base64url'));
  const header = { epk: alice, apu: 'QWxpY2U', apv: 'Qm9i' };
  const closedBy = (derived: string): string =>
    closeJwe(bob, { header, contentKey: Buffer.from(derived, 'base64url') }).join('.');

  it('opens with the key that is derived there, and with no other', () => {
    expect(open(closedBy('VqqN6vgjbSBcIijNcacQGg'), bob)).toEqual(content);
    expect(open(closedBy('VqqN6vgjbSBcIijNcacQGw'), bob)).toBeUndefined();
  });
});

/** A file of C2SP/wycheproof, as test/vectors/wycheproof/SOURCES.md describes it. */
function wycheproof<Group>(name: string): { numberOfTests: number; testGroups: Group[] } {
  const path = new URL(`../../vectors/wycheproof/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof wycheproof<Group>>;
}

const bytesOf = (text = ''): Buffer => Buffer.from(text, 'base64url');

describe('Wycheproof: JWE', () => {
  interface Case {
    readonly tcId: number;
    readonly jwe: string;
    readonly pt: string;
  }
  const { numberOfTests, testGroups } = wycheproof<{ private: JWK; tests: Case[] }>('json_web_encryption');
  const cases = testGroups.flatMap(({ private: jwk, tests }) => tests.map((one) => ({ ...one, jwk })));

  /** With a `kid`, which the vectors lack: without one nothing of theirs would be read. */
  function read({ jwe }: Case) {
    const [head = '', ...others] = jwe.split('.');
    let header: unknown;
    try {
      header = JSON.parse(bytesOf(head).toString());
    } catch {
      return readJwe(jwe);
    }
    return readJwe([encode(JSON.stringify({ ...Object(header), kid })), ...others].join('.'));
  }

  it('reads the two that are closed by ECDH-ES itself with AES-GCM of a known size, and none of 137 others', () => {
    const known = cases.filter((one) => read(one) !== undefined);
    expect(known.map(({ tcId }) => tcId)).toEqual([76, 78]);
    expect(cases).toHaveLength(numberOfTests);
    expect(numberOfTests).toBe(139);
    expect(cases.filter(({ jwe }) => readJwe(jwe) !== undefined)).toEqual([]);
  });

  it.each([76, 78])('opens an object with the key that opens case %i', (tcId) => {
    const { jwe, pt, jwk } = cases.find((one) => one.tcId === tcId) as (typeof cases)[number];
    const by = keyOf(bytesOf(jwk.d));
    const [head = '', , iv, text, tag] = jwe.split('.');
    const { enc, epk } = JSON.parse(bytesOf(head).toString()) as { enc: string; epk: JWK };
    const shared = by.computeSecret(Buffer.concat([Buffer.of(4), bytesOf(epk.x), bytesOf(epk.y)]));
    const contentKey = derive(shared, { enc });
    const decipher = createDecipheriv(
      enc === 'A128GCM' ? 'aes-128-gcm' : 'aes-256-gcm',
      contentKey,
      bytesOf(iv),
    );
    decipher.setAAD(Buffer.from(head)).setAuthTag(bytesOf(tag));
    expect(decipher.update(bytesOf(text), undefined, 'hex') + decipher.final('hex')).toBe(pt);
    // The vector's own text is no object, so it is refused when all else of it was good.
    expect(open(closeJwe(by, { header: { enc, epk }, contentKey }).join('.'), by)).toEqual(content);
    const asPublished = closeJwe(by, { header: { enc, epk }, contentKey, plaintext: Buffer.from(pt, 'hex') });
    expect(open(asPublished.join('.'), by)).toBeUndefined();
  });
});

describe('Wycheproof: ECDH on P-256', () => {
  interface Case {
    readonly tcId: number;
    readonly public: JWK;
    readonly private: JWK;
    readonly shared: string;
    readonly result: 'valid' | 'invalid';
  }
  const { numberOfTests, testGroups } = wycheproof<{ tests: Case[] }>('ecdh_secp256r1_webcrypto');
  const cases = testGroups.flatMap(({ tests }) => tests);
  const valid = cases.filter(({ result }) => result === 'valid');

  const opens = ({ public: epk, private: jwk }: Case, shared: Buffer): boolean => {
    const by = keyOf(bytesOf(jwk.d));
    return open(closeJwe(by, { header: { epk }, shared }).join('.'), by) !== undefined;
  };

  deep.test('opens with each of 330 published secrets', () => {
    const refused = valid.filter((one) => !opens(one, Buffer.from(one.shared, 'hex')));
    expect(refused.map(({ tcId }) => tcId)).toEqual([]);
    expect(valid).toHaveLength(330);
    expect(numberOfTests).toBe(cases.length);
  });

  deep.test(
    'opens with none of 23 secrets that a point off the curve, or of another one, would lead to',
    () => {
      const secretOf = ({ public: { x, y }, private: { d } }: Case): Buffer =>
        uncheckedSecret(bytesOf(x), bytesOf(y), keyOf(bytesOf(d)));
      // On the curve, whoever checks nothing comes to the published secret.
      for (const one of valid.slice(0, 3)) expect(secretOf(one).toString('hex')).toBe(one.shared);
      const invalid = cases.filter(({ result }) => result === 'invalid');
      expect(invalid.filter((one) => opens(one, secretOf(one))).map(({ tcId }) => tcId)).toEqual([]);
      expect(invalid).toHaveLength(23);
    },
  );
});

describe('a JWE', () => {
  it('opens, whichever of the two sizes its key has', () => {
    expect(open(close())).toEqual(content);
    expect(open(close({ header: { enc: 'A256GCM' } }))).toEqual(content);
  });

  it('opens for the key that it is closed for, and for no other', () => {
    expect(open(close(), keyOf(0xb0cn))).toBeUndefined();
  });

  it.each([
    ['apu alone', { apu: encode('Alice') }],
    ['apv alone', { apv: encode('Bob') }],
    ['both', { apu: encode('Alice'), apv: encode('Bob') }],
    ['the same', { apu: encode('Alice'), apv: encode('Alice') }],
    ['empty ones', { apu: '', apv: '' }],
    ['long ones', { apu: encode(Buffer.alloc(500, 1)), apv: encode(Buffer.alloc(500, 2)) }],
  ])('opens with what the parties say of themselves: %s', (_name, header) => {
    expect(open(close({ header }))).toEqual(content);
  });

  it('opens with members in its header that nobody knows', () => {
    expect(open(close({ header: { cty: 'json', typ: 'JWT', note: { a: [1] } } }))).toEqual(content);
  });

  it('opens with coordinates that begin with zeros, in their 32 bytes', () => {
    for (const scalar of [379n, 43n]) {
      const short = keyOf(scalar);
      const header = { epk: epkOf(short) };
      expect(open(close({ header, shared: short.computeSecret(key.getPublicKey()) }))).toEqual(content);
    }
  });
});

/** A good `epk` with this in place of what it has; undefined takes a member away. */
const epk = (members: object): Closing => ({ header: { epk: { ...epkOf(sender), ...members } } });

/** One whose `epk` is this point, closed for whoever does not check it. */
function atPoint(x: Buffer, y: Buffer): Closing {
  return { ...epk({ x: encode(x), y: encode(y) }), shared: uncheckedSecret(x, y, key) };
}

/** The coordinates of P-256 keys: 379's x and 43's y begin with a zero. */
const halvesOf = (scalar: bigint): [Buffer, Buffer] => {
  const point = keyOf(scalar).getPublicKey();
  return [point.subarray(1, 33), point.subarray(33)];
};

const zeros = Buffer.alloc(32);
const [goodX, goodY] = halvesOf(0x5e4de2n);
const prime = Buffer.from('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff', 'hex');
/** (0, this) is a point of the curve. */
const yAtZero = Buffer.from('66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4', 'hex');

/** One where this member of `epk` is short or long: of another number of bytes, and the same number. */
function sized(scalar: bigint, name: 'x' | 'y', resize: (bytes: Buffer) => Buffer): Closing {
  const [x, y] = halvesOf(scalar);
  const members = { x: encode(x), y: encode(y), [name]: encode(resize(name === 'x' ? x : y)) };
  return { ...epk(members), shared: keyOf(scalar).computeSecret(key.getPublicKey()) };
}

const shorter = (bytes: Buffer): Buffer => bytes.subarray(1);
const longer = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(0), bytes]);

const inHeader: Readonly<Record<string, Closing>> = {
  'alg missing': { header: { alg: undefined } },
  'alg none': { header: { alg: 'none' } },
  'alg dir': { header: { alg: 'dir' } },
  'alg ECDH-ES+A128KW': { header: { alg: 'ECDH-ES+A128KW' } },
  'alg ECDH-ES+A256KW': { header: { alg: 'ECDH-ES+A256KW' } },
  'alg RSA-OAEP-256': { header: { alg: 'RSA-OAEP-256' } },
  'alg in small letters': { header: { alg: 'ecdh-es' } },
  'alg a list': { header: { alg: ['ECDH-ES'] } },
  'enc missing': { header: { enc: undefined } },
  'enc A192GCM': { header: { enc: 'A192GCM' } },
  'enc A128CBC-HS256': { header: { enc: 'A128CBC-HS256' } },
  'enc in small letters': { header: { enc: 'a128gcm' } },
  'enc a list': { header: { enc: ['A128GCM'] } },
  'zip DEF': { header: { zip: 'DEF' } },
  'zip null': { header: { zip: null } },
  'crit of a member that is there': { header: { crit: ['exp'], exp: 1 } },
  'crit empty': { header: { crit: [] } },
  'kid missing': { header: { kid: undefined } },
  'kid a number': { header: { kid: 1 } },
  'kid null': { header: { kid: null } },
  'apu a number': { header: { apu: 1 } },
  'apu null': { header: { apu: null } },
  'apu a list': { header: { apu: [] } },
  'apu not canonical': { header: { apu: 'QWxpY2V' } },
  'apv a number': { header: { apv: 1 } },
  'apv null': { header: { apv: null } },
  'apv a list': { header: { apv: [] } },
  'apv not canonical': { header: { apv: 'Qm9=' } },
  'the header not JSON': { headerText: `${JSON.stringify({ kid })}.` },
  'the header empty': { headerText: '' },
  'the header a list': { headerText: JSON.stringify([{ alg: 'ECDH-ES', enc: 'A128GCM', kid }]) },
  'the header a string': { headerText: '"ECDH-ES"' },
  'the header null': { headerText: 'null' },
  'the header not UTF-8': {
    headerText: Buffer.from(
      JSON.stringify({ alg: 'ECDH-ES', enc: 'A128GCM', kid, epk: epkOf(sender), note: '\u00ff' }),
      'latin1',
    ),
  },
};

const inEpk: Readonly<Record<string, Closing>> = {
  missing: { header: { epk: undefined } },
  null: { header: { epk: null } },
  'a text': { header: { epk: JSON.stringify(epkOf(sender)) } },
  'a list': { header: { epk: [epkOf(sender)] } },
  'with the private half': epk({ d: sender.getPrivateKey('base64url') }),
  'with an empty private half': epk({ d: '' }),
  'kty missing': epk({ kty: undefined }),
  'kty OKP': epk({ kty: 'OKP' }),
  'crv missing': epk({ crv: undefined }),
  'crv P-384': epk({ crv: 'P-384' }),
  'crv P-256K': epk({ crv: 'P-256K' }),
  'crv X25519': epk({ crv: 'X25519' }),
  'x missing': epk({ x: undefined }),
  'y missing': epk({ y: undefined }),
  'x a list': epk({ x: [encode(goodX)] }),
  'x of 31 bytes': sized(379n, 'x', shorter),
  'x of 33 bytes': sized(379n, 'x', longer),
  'y of 31 bytes': sized(43n, 'y', shorter),
  'y of 33 bytes': sized(43n, 'y', longer),
  'x of 33 and y of 31 bytes, 64 together': epk({
    x: encode(Buffer.concat([goodX, goodY.subarray(0, 1)])),
    y: encode(goodY.subarray(1)),
  }),
  'both 48 bytes, as on P-384': epk({ x: encode(Buffer.alloc(48, 1)), y: encode(Buffer.alloc(48, 2)) }),
  'x padded': epk({ x: `${encode(goodX)}=` }),
  'x not canonical': epk({ x: otherSpelling(encode(goodX)) }),
  'y not canonical': epk({ y: otherSpelling(encode(goodY)) }),
  'off the curve by one': atPoint(goodX, Buffer.concat([goodY.subarray(0, 31), Buffer.of(goodY[31]! ^ 1)])),
  'x and y exchanged': atPoint(goodY, goodX),
  'a point of order 2 on a twisted curve': atPoint(Buffer.alloc(32, 5), zeros),
  'the point at infinity as zeros': atPoint(zeros, zeros),
  'the point at infinity as nothing': { ...epk({ x: '', y: '' }), shared: zeros },
  'the point at infinity as one byte': { ...epk({ x: 'AA', y: 'AA' }), shared: zeros },
  'x the prime, which is zero': atPoint(prime, yAtZero),
};

/** The same bytes, by bits of the last letter that carry nothing. */
function otherSpelling(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = letters.charAt(letters.indexOf(text.slice(-1)) + 1);
  const other = text.slice(0, -1) + last;
  if (!bytesOf(other).equals(bytesOf(text))) throw new Error('The last letter has no bits to spare.');
  return other;
}

const spellings: Readonly<Record<string, (canonical: string) => string>> = {
  'with bits to spare': otherSpelling,
  padded: (text) => text.padEnd(Math.ceil((text.length + 1) / 4) * 4, '='),
  'with a line behind it': (text) => `${text}\n`,
  'with a space in it': (text) => `${text.slice(0, 4)} ${text.slice(4)}`,
  'in the other alphabet': (text) => text.replaceAll('-', '+').replaceAll('_', '/'),
};

const places = { header: 0, iv: 2, text: 3, tag: 4 };

/** A good one, and the same with one part spelt so: a header before all else is closed with it, so that it is authentic. */
function spelt(place: keyof typeof places, spell: (canonical: string) => string): [string, string] {
  // The first one whose part has bits to spare, and letters that differ in the other alphabet.
  for (let note = 0; ; note += 1) {
    const closing = { header: { note: `~?>${note}` }, plaintext: JSON.stringify({ ...content, note }) };
    const good = closeJwe(key, closing);
    const part = good[places[place]] ?? '';
    if (!/[-_]/.test(part) || (place !== 'iv' && part.length % 4 === 0)) continue;
    const odd =
      place === 'header' ? closeJwe(key, { ...closing, spell }) : good.with(places[place], spell(part));
    return [good.join('.'), odd.join('.')];
  }
}

const misspelt = (Object.keys(places) as (keyof typeof places)[]).flatMap((place) =>
  Object.entries(spellings)
    // 12 bytes of an iv are 16 letters, without a bit to spare.
    .filter(([name]) => place !== 'iv' || name !== 'with bits to spare')
    .map(([name, spell]) => [place, name, spell] as const),
);

describe('refuses a JWE whose', () => {
  it.each(Object.entries(inHeader))('header is wrong: %s', (_name, closing) => {
    expect(open(close(closing))).toBeUndefined();
  });

  it.each(Object.entries(inEpk))('epk is wrong: %s', (_name, closing) => {
    expect(open(close(closing))).toBeUndefined();
  });

  it.each(misspelt)('%s is spelt otherwise: %s', (place, _name, spell) => {
    const [good, odd] = spelt(place, spell);
    expect(odd).not.toBe(good);
    expect(open(good)).toMatchObject(content);
    expect(open(odd)).toBeUndefined();
  });

  it.each([0, 8, 11, 13, 16])('iv has %i bytes', (ivBytes) => {
    // AES-GCM itself takes any but none.
    const [head, none, iv, text, tag] = closeJwe(key, { ivBytes: ivBytes || 12 });
    expect(open([head, none, ivBytes === 0 ? '' : iv, text, tag].join('.'))).toBeUndefined();
  });

  it.each([4, 8, 12, 13, 14, 15, 17])('tag has %i bytes', (tagBytes) => {
    expect(open(close({ tagBytes }))).toBeUndefined();
  });

  it('tag is missing', () => {
    expect(open(closeJwe(key).slice(0, 4).concat('').join('.'))).toBeUndefined();
  });

  it.each([
    ['not JSON', 'vp_token=1'],
    ['empty', ''],
    ['a list', '[{}]'],
    ['null', 'null'],
    ['a text', '"{}"'],
    ['a number', '1'],
    ['not UTF-8', Buffer.from('{"state":"\u00ff"}', 'latin1')],
    ['JSON with something behind it', '{}{}'],
  ])('plaintext is %s', (_name, plaintext) => {
    expect(open(close({ plaintext }))).toBeUndefined();
  });

  it('encrypted key is there', () => {
    const [head, , ...others] = closeJwe(key);
    expect(open([head, 'AA', ...others].join('.'))).toBeUndefined();
  });

  it.each([
    ['none', ''],
    ['one', closeJwe(key)[0]],
    ['four, without the encrypted key', closeJwe(key).toSpliced(1, 1).join('.')],
    ['four, without the tag', closeJwe(key).slice(0, 4).join('.')],
    ['six', `${close()}.`],
    ['six, with one in front', `.${close()}`],
  ])('parts are too few or too many: %s', (_name, compact) => {
    expect(open(compact)).toBeUndefined();
  });

  it('header was changed in one byte, and means the same', () => {
    const parts = closeJwe(key, { header: { note: 'a' } });
    const changed = Buffer.from(bytesOf(parts[0]).toString().replace('"note":"a"', '"note":"b"'));
    parts[0] = encode(changed);
    expect(open(parts.join('.'))).toBeUndefined();
  });
});

describe('the kid of an answer', () => {
  const [bytes, others] = [1, 2].map((value) => encode(Buffer.alloc(32, value))) as [string, string];
  const leg = { ways, clientId: 'x509_hash:a', bytes };

  const respond = (by: ECDH, its: string, state = its): string =>
    closeJwe(by, { header: { kid: its }, plaintext: JSON.stringify({ ...content, state }) }).join('.');

  it('names the flow and the way whose key opens it', () => {
    const received = readAnswer({ response: respond(answerKey(bytes, 'code'), 'flow.code') });
    expect(received).toMatchObject({ state: 'flow', way: 'code' });
    expect(received.open(leg)).toMatchObject({ kind: 'presentation', state: 'flow' });
  });

  it.each(['flow', 'flow.', 'flow.browser', '.link', 'flow.link.link', ''])(
    'is of no flow of ours: %s',
    (its) => {
      const received = readAnswer({ response: respond(answerKey(bytes, 'link'), its) });
      expect([received.state, received.way]).toEqual(['', undefined]);
      expect(received.open(leg)).toMatchObject({ code: 'callback_malformed' });
    },
  );

  it.each([
    ['another way', answerKey(bytes, 'link'), 'flow.code', 'flow.code'],
    ['another flow', answerKey(others, 'code'), 'flow.code', 'flow.code'],
    ['its own, with the state of another way', answerKey(bytes, 'code'), 'flow.code', 'flow.link'],
    ['its own, with the state of another flow', answerKey(bytes, 'code'), 'flow.code', 'other.code'],
  ])('does not open what is closed for %s', (_name, by, its, state) => {
    const received = readAnswer({ response: respond(by, its, state) });
    expect(received.open(leg)).toMatchObject({ code: 'callback_malformed' });
  });

  it.each([
    ['whose bytes are erased', { ways, clientId: leg.clientId }],
    ['that does not allow the way', { ...leg, ways: ['link' as const] }],
  ])('does not open with a record %s', (_name, its) => {
    const received = readAnswer({ response: respond(answerKey(bytes, 'code'), 'flow.code') });
    expect(received.open(its)).toMatchObject({ code: 'callback_malformed' });
  });
});

describe('the keys of a flow', () => {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const bytes = encode(Buffer.alloc(32, 1));

  it('are the same each time, and others for each way and each flow', () => {
    const secrets = [bytes, encode(Buffer.alloc(32, 2))].flatMap((one) =>
      ways.map((way) => answerKey(one, way).getPrivateKey('hex')),
    );
    expect(new Set(secrets).size).toBe(2 * ways.length);
    expect(answerKey(bytes, 'link').getPrivateKey('hex')).toBe(secrets[0]);
  });

  // Computed by hand, with Python's hmac: a flow that an older process began must open in a newer one.
  it('are these in each version, also where a number begins with a zero', () => {
    const scalar = '020fa1fab84a29ee5cb0cecfd747f95c64c88afb2b7cada31798ca955ff318be';
    const its = answerKey(encode(Buffer.alloc(32, 47)), 'link');
    expect(epkOf(its)).toEqual(epkOf(keyOf(Buffer.from(scalar, 'hex'))));
  });

  it.each([
    ['zeros', Buffer.alloc(32)],
    ['ones', Buffer.alloc(32, 255)],
    ['nothing', Buffer.alloc(0)],
  ])('are numbers of the curve for bytes that are %s', (_name, seed) => {
    for (const way of ways) {
      const scalar = BigInt(`0x${answerKey(encode(seed), way).getPrivateKey('hex')}`);
      expect(scalar > 0n && scalar < order).toBe(true);
    }
  });

  it('are published with what a wallet needs, and without the private half', async () => {
    const its = answerKey(bytes, 'link');
    const jwk = publicJwk(bytes, 'link', kid);
    expect(jwk).toEqual({ ...epkOf(its), kid, use: 'enc', alg: 'ECDH-ES' });
    const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: jwk.alg, enc: 'A256GCM', kid: jwk.kid })
      .encrypt(await importJWK(jwk as JWK));
    expect(open(jwe, its)).toEqual(content);
  });
});

describe('what jose closes', () => {
  interface Plan {
    readonly seed: Uint8Array;
    readonly way: (typeof ways)[number];
    readonly enc: string;
    readonly apu: Uint8Array | undefined;
    readonly apv: Uint8Array | undefined;
    readonly size: number;
  }
  const party = fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined });
  /** jose closes nothing for two parties of the same name. */
  const isClosed = ({ apu, apv }: Plan): boolean => !apu || !apv || !Buffer.from(apu).equals(apv);
  const plans: fc.Arbitrary<Plan> = fc
    .record({
      seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      way: fc.constantFrom(...ways),
      enc: fc.constantFrom('A128GCM', 'A256GCM'),
      apu: party,
      apv: party,
      size: fc.oneof(fc.nat(40), fc.nat(20_000)),
    })
    .filter(isClosed);

  async function closed({ seed, way, enc, apu, apv, size }: Plan) {
    const bytes = encode(Buffer.from(seed));
    const by = answerKey(bytes, way);
    const said = { vp_token: { pid: ['é'.repeat(size)] } };
    const compact = await new CompactEncrypt(Buffer.from(JSON.stringify(said)))
      .setProtectedHeader({ alg: 'ECDH-ES', enc, kid })
      .setKeyManagementParameters({ ...(apu && { apu }), ...(apv && { apv }) })
      .encrypt(await importJWK(publicJwk(bytes, way, kid) as JWK));
    return { by, said, compact };
  }

  const runs = nightly ? 20_000 : 1_000;

  deep.test('opens, whatever its size, its key and its parties', async () => {
    let opened = 0;
    await holds(runs, plans, async (plan) => {
      const { by, said, compact } = await closed(plan);
      expect(open(compact, by)).toEqual(said);
      opened += 1;
    });
    expect(opened).toBe(runs);
  });

  const changes = fc.record({
    plan: plans,
    part: fc.constantFrom(0, 0, 1, 2, 3, 4, 4),
    where: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    how: fc.constantFrom('bit of a byte', 'bit of a letter', 'replace', 'remove', 'insert'),
    bit: fc.nat(7),
    letter: fc.constantFrom(...Array.from('AQgw-_+/=. \n{9z')),
  });

  type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

  function changed(compact: string, { part, where, how, bit, letter }: Change): string {
    const parts = compact.split('.');
    const text = parts[part] ?? '';
    const bytes = how === 'bit of a byte' ? bytesOf(text) : Buffer.from(text);
    const at = Math.floor(where * bytes.length);
    const flipped = bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    const changes = {
      'bit of a byte': encode(Buffer.from(flipped)),
      'bit of a letter': Buffer.from(flipped).toString('latin1'),
      replace: before + letter + after,
      remove: before + after,
      insert: before + letter + text.slice(at),
    };
    return parts.with(part, changes[how]).join('.');
  }

  deep.test('opens no more once a bit or a letter of it has changed', async () => {
    let refused = 0;
    await holds(runs, changes, async (change) => {
      const { by, compact } = await closed(change.plan);
      const mutant = changed(compact, change);
      fc.pre(mutant !== compact); // else a letter was replaced by itself, or taken from where there is none
      expect(open(mutant, by)).toBeUndefined();
      refused += 1;
    });
    expect(refused).toBe(runs);
  });
});
