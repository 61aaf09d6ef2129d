import { createPublicKey } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { CompactSign, type CryptoKey, exportJWK, importJWK } from 'jose';
import { verifySdJwt } from '../../../lib/verify/sd-jwt/verify.js';
import {
  bind,
  type Binding,
  clock,
  digestOf,
  disclose,
  encode,
  erika,
  iss,
  issuerKeys,
  mint,
  newKeyPair,
  nonce,
  now,
  nowSeconds,
  vct,
  walletKeys,
} from '../../support/verify/issuer.js';
import {
  binding,
  binding as expected,
  checkOfMint,
  checkOfSdJwt,
  judgeEach,
  judgeValues,
  type Members,
  refuseEach,
  thrown,
  verify,
} from '../../support/verify/verdicts.js';

describe('sd jwt', () => {
  /** Node 20 and 22 make such a key, and abort the process over its JWK. */
  function atInfinity() {
    const der = Buffer.from('3019301306072a8648ce3d020106082a8648ce3d03010703020000', 'hex');
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  }

  describe('what comes out', () => {
    test('header, claims and key binding of a good token', async () => {
      const token = mint({ header: { kid: 'one' } });
      const { header, claims, keyBinding } = await verify(token);
      expect(header).toEqual({ alg: 'ES256', typ: 'dc+sd-jwt', kid: 'one' });
      expect(claims).toMatchObject(erika);
      expect(keyBinding).toMatchObject({ nonce, aud: binding.audience, iat: nowSeconds - 5 });
    });

    test('values are hidden from logs and still there', async () => {
      const verified = await verify(mint());
      expect(inspect(verified, { depth: 9 })).not.toMatch(/Erika|1964|n-0S6/);
      expect(inspect(verified.claims)).toContain('given_name: [hidden]');
      expect(inspect(verified.keyBinding)).toContain('nonce: [hidden]');
      expect(verified.claims['given_name']).toBe('Erika');
      expect(JSON.parse(JSON.stringify(verified.claims))).toMatchObject(erika);
    });

    test('a token that jose signed', async () => {
      const sign = async (header: object, payload: object, jwk: object) =>
        await new CompactSign(Buffer.from(JSON.stringify(payload)))
          .setProtectedHeader({ alg: 'ES256', ...header })
          .sign(await importJWK(jwk, 'ES256'));
      const payload = { given_name: 'Erika', cnf: { jwk: walletKeys.jwk } };
      const presented = `${await sign({ typ: 'dc+sd-jwt' }, payload, issuerKeys.privateJwk)}~`;
      const { claims } = await verify(presented + bind(presented));
      expect(claims['given_name']).toBe('Erika');
    });
  });

  describe('the key', () => {
    const { publicKey, jwk } = issuerKeys;

    test('a JWK, a KeyObject, a CryptoKey, or a function that finds one', async () => {
      const cryptoKey = await importJWK({ ...jwk }, 'ES256');
      const exported = await exportJWK(publicKey);
      for (const key of [jwk, publicKey, cryptoKey as CryptoKey, exported]) {
        expect(await checkOfMint({}, { key })).toBe('valid');
        expect(await checkOfMint({}, { key: () => key })).toBe('valid');
        expect(await checkOfMint({}, { key: async () => await Promise.resolve(key) })).toBe('valid');
        expect(await checkOfMint({ issuer: walletKeys }, { key })).toBe('K02');
      }
    });

    test('a JWK that was changed in place is another key', async () => {
      const key: Record<string, unknown> & { kty: string } = { ...walletKeys.jwk };
      expect(await checkOfMint({}, { key })).toBe('K02');
      Object.assign(key, jwk);
      expect(await checkOfMint({}, { key })).toBe('valid');
    });

    test('what the function throws comes through', async () => {
      const failure = new Error('the vault is closed');
      const key = () => {
        throw failure;
      };
      expect(await thrown(async () => await verify(mint(), { key }))).toBe(failure);
    });

    const wrong: [what: string, key: unknown, message: string][] = [
      ['null', null, 'key must be a JWK, CryptoKey or KeyObject.'],
      ['F77 the point at infinity', atInfinity(), 'key is a point at infinity, or no key at all.'],
      ['a PEM text', '-----BEGIN PUBLIC KEY-----', 'key must be a JWK, CryptoKey or KeyObject.'],
      ['no JWK', {}, 'key is not a JWK.'],
      ['a private JWK', issuerKeys.privateJwk, 'key is private.'],
      ['a private KeyObject', issuerKeys.privateKey, 'key is private.'],
      ['a secret', { kty: 'oct', k: 'c2VjcmV0' }, 'key is symmetric.'],
      ['an encryption key', { ...jwk, use: 'enc' }, 'key is not a public signature key.'],
    ];
    const missing: typeof wrong = [['missing', undefined, 'key must be a JWK, CryptoKey or KeyObject.']];
    refuseEach('%s is config_invalid', [...missing, ...wrong], (key) =>
      verify(mint(), { key: key as typeof jwk }),
    );
    refuseEach('%s from a function is config_invalid', wrong, (key) =>
      verify(mint(), { key: () => key as typeof jwk }),
    );
  });

  describe('options that are wrong', () => {
    const { jwk } = issuerKeys;
    const wrong: [what: string, options: unknown, message: RegExp][] = [
      ['none', undefined, /verifySdJwt must be an object/],
      ['no key binding', { keyBinding: undefined }, /keyBinding must be an object/],
      ['another word', { keyBinding: 'skip' }, /keyBinding must be an object/],
      ['a near miss', { keybinding: binding }, /^Unknown option keybinding of /],
      ['no nonce', { keyBinding: { audience: 'a' } }, /keyBinding\.nonce must be a non-empty string/],
      ['an empty nonce', { keyBinding: { ...binding, nonce: '' } }, /keyBinding\.nonce/],
      ['no audience', { keyBinding: { nonce } }, /keyBinding\.audience/],
      ['an unknown name', { keyBinding: { ...binding, aud: 'a' } }, /^Unknown option aud of keyBinding\./],
      ['a negative maxAge', { keyBinding: { ...binding, maxAge: -1 } }, /keyBinding\.maxAge/],
      ['no number', { keyBinding: { ...binding, tolerance: Number.NaN } }, /keyBinding\.tolerance/],
      ['an endless maxAge', { keyBinding: { ...binding, maxAge: Infinity } }, /keyBinding\.maxAge/],
      [
        'an invalid Date',
        { keyBinding: { ...binding, startedAt: new Date('soon') } },
        /keyBinding\.startedAt/,
      ],
      ['a time as a number', { keyBinding: { ...binding, startedAt: nowSeconds } }, /keyBinding\.startedAt/],
      ['no types', { types: [] }, /types must be a list/],
      ['a type alone', { types: 'dc+sd-jwt' }, /types must be a list/],
      ['an empty type', { types: [''] }, /types\[0\] must be a non-empty string/],
      ['no signature at all', { algorithms: ['none'] }, /algorithms has none/],
      ['a MAC', { algorithms: ['ES256', 'HS256'] }, /algorithms has HS256/],
      ['a tolerance as text', { clockTolerance: '5' }, /clockTolerance/],
      ['a Date as clock', { clock: now }, /clock must be a function/],
      [
        'a clock that stands nowhere',
        { clock: () => new Date(Number.NaN) },
        /clock must return a valid Date/,
      ],
      ['an unknown limit', { limits: { bytes: 1 } }, /^Unknown option bytes of limits\./],
      ['a limit that is no number', { limits: { depth: '1' } }, /limits\.depth/],
    ];

    refuseEach('%s is config_invalid', wrong, (change) => {
      const options =
        change === undefined ? change : { key: jwk, keyBinding: binding, clock, ...(change as object) };
      return verifySdJwt(mint(), options as never);
    });

    test('undefined counts as absent, and the default clock is the real one', async () => {
      const iat = Math.floor(Date.now() / 1000);
      const token = mint({ payload: { iat, exp: iat + 60 }, binding: { payload: { iat } } });
      const names = ['types', 'algorithms', 'clock', 'clockTolerance', 'limits'];
      const absent = Object.fromEntries(names.map((name) => [name, undefined]));
      const options = { key: jwk, keyBinding: { ...binding, maxAge: undefined }, ...absent };
      await expect(verifySdJwt(token, options as never)).resolves.toBeDefined();
    });
  });
});

describe('key binding', () => {
  // One token for each way to fail these checks is in support/verify/mutants.ts; here are the others.

  type Options = Parameters<typeof checkOfSdJwt>[1];
  const check = (binding: Binding, options: Options = {}) => checkOfMint({ binding }, options);
  const checkClaims = (payload: Members, keyBinding: object = {}) =>
    check({ payload }, { keyBinding: { ...expected, ...keyBinding } });
  const checkCnf = (cnf: unknown) => checkOfMint({ payload: { cnf } });

  test('B01 whether there is a key binding is expected, never inferred', async () => {
    expect(await checkOfMint({}, { keyBinding: 'absent' })).toBe('B01');
    const unbound = mint({ binding: 'absent', payload: { cnf: undefined } });
    expect((await verify(unbound, { keyBinding: 'absent' })).keyBinding).toBeUndefined();
  });

  describe('the header and the signature of the key binding', () => {
    const other = newKeyPair();
    judgeEach(check, {
      'B04 an alg of another key': [
        'B04',
        { wallet: newKeyPair('ES384') },
        { algorithms: ['ES256', 'ES384'] },
      ],
      'B05 a key in the header is not used': [
        'B06',
        { wallet: other, header: { jwk: other.jwk, kid: 'one' } },
      ],
      'B05 a key does no harm': ['valid', { header: { jwk: other.jwk, jku: 'https://a.example', x5c: [7] } }],
      "B06 the signature of the issuer's key": ['B06', { wallet: issuerKeys }],
    });
  });

  describe('the claims of the key binding', () => {
    const nonces = ['another flow', '', [nonce], 7, null, undefined, {}, `${nonce} `, nonce.toLowerCase()];
    const { audience } = expected;
    const audiences = ['app.example', [audience], [audience, 'other'], '', undefined, null, `${audience}/`];
    judgeValues('B07 the nonce %j is refused', nonces, 'B07', (other) => checkClaims({ nonce: other }));
    judgeValues('B08 the audience %j is refused', audiences, 'B08', (aud) => checkClaims({ aud }));
    judgeValues('B14 sd_hash is %j', [null, 7, '', 'A'.repeat(43)], 'B14', (sd_hash) =>
      checkClaims({ sd_hash }),
    );

    const startedAt = new Date((nowSeconds - 10) * 1000);
    judgeEach(checkClaims, {
      'B10 from the future, by more than the tolerance': ['B10', { iat: nowSeconds + 301 }],
      'B10 from the future, by the tolerance': ['valid', { iat: nowSeconds + 300 }],
      'B10 from the future, without a tolerance': ['B10', { iat: nowSeconds + 1 }, { tolerance: 0 }],
      'B11 older than maxAge': ['B11', { iat: nowSeconds - 301 }],
      'B11 as old as maxAge': ['valid', { iat: nowSeconds - 300 }],
      'B11 older than another maxAge': ['B11', { iat: nowSeconds - 300 }, { maxAge: 299 }],
      'B12 older than the flow, by more': ['B12', { iat: nowSeconds - 31 }, { startedAt, tolerance: 20 }],
      'B12 as old as the flow, tolerated': ['valid', { iat: nowSeconds - 30 }, { startedAt, tolerance: 20 }],
      'B13 exp with the tolerance for a phone': ['B13', { exp: nowSeconds - 300 }],
      'B13 exp a second later': ['valid', { exp: nowSeconds - 299 }],
      'B13 nbf with the tolerance for a phone': ['B13', { nbf: nowSeconds + 301 }],
      'B13 nbf a second earlier': ['valid', { nbf: nowSeconds + 300 }],
      'B17 transaction data that nobody asked for': ['B17', { transaction_data_hashes: [disclose('a')] }],
      'B17 transaction data that are null': ['B17', { transaction_data_hashes: null }],
    });
  });

  describe('B14 to B15 sd_hash', () => {
    const [issuer = '', first = '', ...rest] = mint({ binding: 'absent' }).split('~');
    const presented = [issuer, ...rest].join('~');
    const sha512 = mint({ binding: 'absent', hash: 'sha512', payload: { _sd_alg: 'sha-512' } });

    judgeEach(checkOfSdJwt, {
      'B14 with the hash that _sd_alg names': ['valid', sha512 + bind(sha512, {}, 'sha512')],
      'B14 with another hash than _sd_alg names': ['B14', sha512 + bind(sha512, {}, 'sha256')],
      'B15 fewer Disclosures than were issued': ['valid', presented + bind(presented)],
      'B15 a Disclosure that was kept back': ['B14', [issuer, first, ...rest].join('~') + bind(presented)],
    });
  });

  describe('C11 the confirmation key', () => {
    const { jwk } = walletKeys;
    const cnfs = [undefined, null, 'thumbprint', [], {}, { jwk: null }, { jwk: 'a' }, { jwk: [jwk] }];
    judgeValues('C11 cnf is %j', cnfs, 'C11', checkCnf);
    const jku = 'https://wallet.example/jwks.json';

    judgeEach(checkCnf, {
      'C11 by kid': ['C11', { kid: 'one' }],
      'C11 by jku': ['C11', { jku, kid: 'one' }],
      'C11 by x5u': ['C11', { x5u: 'https://wallet.example/chain.pem' }],
      'C11 by jkt': ['C11', { jkt: 'thumbprint' }],
      'C11 by kid and jkt': ['C11', { kid: 'one', jkt: 'thumbprint' }],
      'C11 by jwk and jku': ['C11', { jwk, jku }],
    });
    judgeEach((key: unknown) => checkCnf({ jwk: key }), {
      'C11 cnf.jwk is a private key': ['C11', walletKeys.privateJwk],
      'C11 cnf.jwk is a symmetric key': ['C11', { kty: 'oct', k: 'c2VjcmV0' }],
      'C11 cnf.jwk is a foreign curve': ['C11', newKeyPair('ES384').jwk],
      'C11 cnf.jwk is an RSA key': ['C11', newKeyPair('PS256').jwk],
      'C11 cnf.jwk is an unknown type': ['C11', { kty: 'AKP', pub: 'a' }],
      'C11 cnf.jwk is no type': ['C11', { ...jwk, kty: undefined }],
      'C11 cnf.jwk is no x': ['C11', { ...jwk, x: undefined }],
      'C11 cnf.jwk is a y that is no string': ['C11', { ...jwk, y: 7 }],
      'C11 cnf.jwk is an encryption key': ['C11', { ...jwk, use: 'enc' }],
      'C11 cnf.jwk is a key for other work': ['C11', { ...jwk, key_ops: ['sign'] }],
      'C11 cnf.jwk is other work, twice': ['C11', { ...jwk, key_ops: ['sign', 'deriveKey'] }],
      'C11 cnf.jwk is work that is no list': ['C11', { ...jwk, key_ops: 'verify' }],
      'C11 cnf.jwk is no point of its curve': ['C11', { ...jwk, x: issuerKeys.jwk['x'] }],
      "C16 cnf.jwk is limited to the key binding's own alg": ['valid', { ...jwk, alg: 'ES256' }],
      'B18 a minimal cnf.jwk is enough': ['valid', { kty: 'EC', crv: 'P-256', x: jwk['x'], y: jwk['y'] }],
      'B18 one that says more': ['valid', { ...jwk, use: 'sig', key_ops: ['verify'], kid: 'one', x5u: 'a' }],
    });
    judgeValues(
      'C11 cnf.jwk has the private member %s alone',
      ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'],
      'C11',
      (name) => checkCnf({ jwk: { ...jwk, [name]: 'AQAB' } }),
    );
    judgeValues('C16 cnf.jwk is limited to the alg %j', ['ES384', 'PS256', 7, null], 'C16', (alg) =>
      checkCnf({ jwk: { ...jwk, alg } }),
    );

    const names: object[] = [{}, { kid: 'one' }, { jkt: 'thumbprint' }, { kid: 'one', jkt: 'thumbprint' }];
    const uses: object[] = [
      {},
      { key_ops: [] },
      { key_ops: ['verify'] },
      { key_ops: [], ext: true, use: 'sig' },
    ];
    const good = names.flatMap((name) => uses.map((use) => ({ ...name, jwk: { ...jwk, ...use } })));

    test.each(good)('F81 what real issuers write into cnf: %j', async (value) => {
      expect(await checkCnf(value)).toBe('valid');
      expect(await checkCnf({ ...value, jku })).toBe('C11');
      expect(await checkCnf({ ...value, jwk: { ...value.jwk, use: 'enc' } })).toBe('C11');
      expect(await checkCnf({ ...value, jwk: { ...value.jwk, d: walletKeys.privateJwk['d'] } })).toBe('C11');
      expect(await checkCnf({ ...value, jwk: issuerKeys.jwk })).toBe('B06');
    });
  });
});

describe('disclosures', () => {
  // One token for each way to fail these checks is in support/verify/mutants.ts; here are the others.

  /** What refers to these Disclosures at its top level, and sends them. */
  const referring = (...texts: readonly string[]) => ({
    sd: {},
    more: texts,
    payload: { _sd: texts.map((text) => digestOf(text)) },
  });
  /** What refers to a Disclosure inside a list. */
  const listing = (text: string) => ({ payload: { list: [{ '...': digestOf(text) }] }, more: [text] });
  /** What refers to a Disclosure in the member of this name. */
  const inside = (name: string, text: string, more: Members = {}) => ({
    payload: { [name]: { ...more, _sd: [digestOf(text)] } },
    more: [text],
  });
  const decoy = digestOf('decoy');
  const claimsOf = async (...input: Parameters<typeof mint>) => (await verify(mint(...input))).claims;

  describe('S01 to S04 the digest algorithm', () => {
    const alg = (_sd_alg: unknown, hash = 'sha256') => checkOfMint({ hash, payload: { _sd_alg } });
    judgeEach(alg, {
      'S01 without _sd_alg it is sha-256': ['valid', undefined],
      'S01 sha-256 by its name': ['valid', 'sha-256'],
      'S01 without _sd_alg it is not sha-512': ['S11', undefined, 'sha512'],
      'S01 without _sd_alg it is not sha3-256': ['S17', undefined, 'sha3-256'],
      'S03 sha-384 is one of the three': ['valid', 'sha-384', 'sha384'],
      'S03 sha-384 over digests of sha-256': ['S11', 'sha-384'],
      'S03 sha-512 is one of the three': ['valid', 'sha-512', 'sha512'],
      'S03 sha-512 over digests of sha-256': ['S11', 'sha-512'],
    });
    judgeValues('S02 %p is no name', [null, 256, ['sha-256'], {}, true], 'S02', (name) => alg(name));
    const names = ['sha3-256', 'SHA-256', 'sha-256-128', 'sha256', 'md5', '', 'sha-1', '__proto__'];
    judgeValues('S03 %s is refused', names, 'S03', (name) => alg(name));
    judgeEach(checkOfMint, {
      'S04 _sd_alg below the top level, in a list': ['S04', { payload: { list: [{ _sd_alg: 'sha-256' }] } }],
    });
  });

  describe('S05 to S08 what a Disclosure is', () => {
    const malformed: [check: string, what: string, text: string][] = [
      ['S05', 'a string', encode('"salt"')],
      ['S05', 'null', encode('null')],
      ['S05', 'an empty array', encode([])],
      ['S06', 'a salt that is null, for an array element', encode([null, 'value'])],
      ['S07', 'a name that is a list', encode(['salt', ['a'], 'value'])],
    ];
    test.each(malformed)('%s %s', async (check, _, text) => {
      expect(await checkOfMint(referring(text))).toBe(check);
      expect(await checkOfMint({ more: [text] })).toBe(check);
    });
  });

  describe('S09 to S14 names, digests and placeholders', () => {
    const inAll = (
      title: string,
      check: string,
      values: readonly unknown[],
      ...places: ((value: unknown) => object)[]
    ) => {
      test.each(values.map((value) => [value]))(`${title}`, async (value) => {
        for (const place of places) expect(await checkOfMint(place(value))).toBe(check);
      });
    };
    inAll(
      'S10 _sd is %j',
      'S10',
      ['text', null, 7, {}, [7], [null], [['a']]],
      (_sd) => ({ sd: {}, payload: { _sd } }),
      (_sd) => ({ payload: { address: { _sd } } }),
      (_sd) => ({ sd: { address: { _sd } } }),
    );
    inAll(
      'S11 the digest %p',
      'S11',
      ['A'.repeat(42), 'A'.repeat(44), ''],
      (digest) => ({ sd: {}, payload: { _sd: [digest] } }),
      (digest) => ({ payload: { list: [{ '...': digest }] } }),
    );
    inAll(
      'S12 a placeholder is %j',
      'S12',
      [{ '...': decoy, more: 1 }, { '...': 7 }, { '...': null }, { '...': [decoy] }],
      (placeholder) => ({ payload: { list: ['a', placeholder] } }),
      (placeholder) => ({ sd: { list: [[placeholder]] } }),
    );

    const member = { '...': decoy };
    judgeEach(checkOfMint, {
      'S09 the name of a plain claim below': ['S09', inside('a', disclose('street', 'b'), { street: 'a' })],
      'S13 the reserved name at the top level': ['S13', { payload: member }],
      'S13 the reserved name in the Disclosure of an element': ['S13', listing(disclose(member))],
    });

    test('S09 the same name at another level is another claim', async () => {
      const claims = await claimsOf(inside('child', disclose('given_name', 'inner')));
      expect(claims).toMatchObject({ given_name: 'Erika', child: { given_name: 'inner' } });
    });
  });

  describe('S15 to S23 each once', () => {
    const child = disclose('street', 'Heidestraße 17');
    const parent = disclose('address', { _sd: [digestOf(child)] });
    const payload = { _sd: [digestOf(parent)] };

    judgeEach(checkOfMint, {
      'S15 a decoy twice in one _sd': ['S15', { sd: {}, payload: { _sd: [decoy, decoy] } }],
      'S15 a decoy in both kinds': ['S15', { sd: {}, payload: { _sd: [decoy], list: [{ '...': decoy }] } }],
      'S17 a child with its parent': ['valid', { sd: {}, payload, more: [parent, child] }],
      'S17 a child without its parent': ['S17', { sd: {}, payload, more: [child] }],
    });

    test('S21 the digest is over the text that was sent, however its JSON is spelled', async () => {
      const spellings = [
        '["salt", "name", "M\\u00f6bius"]',
        '["salt","name","Möbius"]',
        '["salt",\n"name" , "M\\u00F6bius" ]',
      ].map(encode);
      for (const text of spellings) expect((await claimsOf(referring(text)))['name']).toBe('Möbius');
      const [one = '', other = ''] = spellings;
      expect(await checkOfMint({ ...referring(one), more: [other] })).toBe('S17');
    });

    test('S23 the order of the Disclosures does not matter', async () => {
      expect(await claimsOf({ send: (sent) => sent.toReversed() })).toMatchObject(erika);
    });
  });

  describe('S18 to S20 what comes out', () => {
    test('S18 members in a disclosed object, elements in a disclosed array, arrays in arrays', async () => {
      const street = disclose('street_address', 'Heidestraße 17');
      const country = disclose('country', 'DE');
      const german = disclose('DE');
      const cell = disclose('c');
      const row = disclose(['b', { '...': digestOf(cell) }]);
      const sd = {
        address: { locality: 'Köln', _sd: [digestOf(street), digestOf(country)] },
        nationalities: [{ '...': digestOf(german) }],
        rows: [['a'], { '...': digestOf(row) }],
      };
      expect(await claimsOf({ sd, more: [street, country, german, cell, row] })).toMatchObject({
        address: { locality: 'Köln', street_address: 'Heidestraße 17', country: 'DE' },
        nationalities: ['DE'],
        rows: [['a'], ['b', 'c']],
      });
    });

    test('S19 a digest without a Disclosure is passed over in objects and its element removed from arrays', async () => {
      const kept = disclose('b');
      const list = [{ '...': digestOf('x') }, 'a', { '...': digestOf(kept) }, { '...': digestOf('y') }];
      const claims = await claimsOf({ payload: { list, other: { _sd: [digestOf('z')] } }, more: [kept] });
      expect(claims).toMatchObject({ list: ['a', 'b'], other: {} });
    });

    test('S20 nothing of the machinery is left', async () => {
      const claims = await claimsOf({
        payload: { _sd_alg: 'sha-256', emptied: { _sd: [] }, list: [{ '...': decoy }] },
      });
      const signed = { iss, vct, iat: nowSeconds - 60, exp: nowSeconds + 3600, cnf: { jwk: walletKeys.jwk } };
      expect({ ...claims }).toEqual({ ...signed, emptied: {}, list: [], ...erika });
      expect(JSON.stringify(claims)).not.toMatch(/_sd|\.\.\./);
    });
  });

  /** Puts a member into JSON that stringify would not write. */
  const adding = (member: string) => (good: unknown) => `${JSON.stringify(good).slice(0, -1)},${member}}`;

  describe('S22 names that mean something in JavaScript', () => {
    test('S22 they become own data of objects without a prototype', async () => {
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
      const { payload, ...rest } = referring(...names.map((name) => disclose(name, { polluted: name })));
      const claims = await claimsOf({ ...rest, payload: { ...payload, child: { _sd: [] } } });
      for (const name of names) {
        expect(Object.getOwnPropertyDescriptor(claims, name)?.value).toEqual({ polluted: name });
      }
      expect(Object.getPrototypeOf(claims)).toBeNull();
      expect(Object.getPrototypeOf(claims['child'])).toBeNull();
      expect(({} as Members)['polluted']).toBeUndefined();
    });

    test('S22 in the payload too, and a Disclosure of that name meets them', async () => {
      const plain = adding('"__proto__":{"admin":true}');
      const claims = await claimsOf({ payload: plain });
      expect(Object.keys(claims)).toContain('__proto__');
      expect(claims['admin']).toBeUndefined();
      const { payload, ...rest } = referring(encode('["salt","__proto__",1]'));
      expect(await checkOfMint({ ...rest, payload: (good) => plain({ ...good, ...payload }) })).toBe('S09');
    });
  });

  describe('S24 values survive', () => {
    const numbers = ['9007199254740993', '-9007199254740993', '1e999', '-1e999', '1e300'];
    judgeValues('S24 the number %s is refused, not rounded', numbers, 'S24', (number) =>
      checkOfMint({ payload: adding(`"a":[${number}]`) }),
    );
    judgeValues('S24 the number %s in a Disclosure is refused, not rounded', numbers, 'S24', (number) =>
      checkOfMint(referring(encode(`["salt","a",{"b":${number}}]`))),
    );
    judgeEach(checkOfMint, {
      'S24 exact ones': ['valid', { sd: { a: Number.MAX_SAFE_INTEGER, b: Number.MIN_SAFE_INTEGER, c: 0.5 } }],
    });

    test('S24 null, false, 0, empty texts, arrays and objects', async () => {
      const values = { nothing: null, no: false, zero: 0, text: '', list: [], object: {} };
      expect(await claimsOf({ sd: values })).toMatchObject(values);
      expect(await claimsOf({ payload: values })).toMatchObject(values);
    });
  });

  describe('S25 what must stand in the open', () => {
    const claims = {
      iss,
      nbf: 1,
      exp: 4_000_000_000,
      cnf: {},
      vct: 'urn:a',
      'vct#integrity': 'sha256-a',
      aka_vcts: [],
      status: {},
    };
    test.each(Object.entries(claims))('S25 %s in a Disclosure', async (name, value) => {
      expect(await checkOfMint({ payload: { [name]: undefined }, sd: { [name]: value } })).toBe('S25');
    });

    const type = disclose('urn:b');
    const idx = disclose('idx', 1);
    const status = { status_list: { _sd: [digestOf(idx)] } };
    judgeEach(checkOfMint, {
      'S25 part of cnf in a Disclosure': ['S25', { sd: {}, ...inside('cnf', disclose('jwk', {})) }],
      'S25 in aka_vcts': ['S25', { payload: { aka_vcts: ['a', { '...': digestOf(type) }] }, more: [type] }],
      'S25 part of status in a Disclosure': ['S25', { payload: { status }, more: [idx] }],
      'S26 a time, by a Disclosure': ['C07', { payload: { iat: undefined }, sd: { iat: 4_000_000_000 } }],
      'S26 a time that is none, by a Disclosure': [
        'C05',
        { payload: { iat: undefined }, sd: { iat: 'soon' } },
      ],
      'S26 an audience that comes by a Disclosure': ['C10', { sd: { aud: 'someone else' } }],
    });

    test('S25 a digest of nothing that is sent does no harm there', async () => {
      const payload = { aka_vcts: ['urn:a', { '...': decoy }], status: { _sd: [digestOf('another')] } };
      expect(await claimsOf({ payload })).toMatchObject({ aka_vcts: ['urn:a'], status: {} });
    });

    test('S25 is about the top level: a claim of the same name further down may be disclosed', async () => {
      expect((await claimsOf(inside('child', disclose('iss', 'a'))))['child']).toEqual({ iss: 'a' });
    });
  });
});
