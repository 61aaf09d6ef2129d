import { createHmac } from 'node:crypto';
import { type Mint, bind, digestOf, disclose, encode, erika, issuerKeys, mint, misspell } from './issuer.js';
import { newKeyPair, nonce as usualNonce, nowSeconds, signJws, walletKeys } from './issuer.js';

/** A presentation with exactly one fault, freshly signed. */
export interface Mutant {
  /** The number of the check that must refuse it. */
  readonly check: string;
  readonly what: string;
  readonly token: () => string;
}

const attacker = newKeyPair();
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const prefixed = (json: string) => (good: unknown) => `{${json},${JSON.stringify(good).slice(1)}`;

/** One of each kind that fails a check of the SD-JWT itself, for a verifier that expects this nonce. */
export function mutants({ nonce = usualNonce } = {}): readonly Mutant[] {
  /** Bound to the flow, whatever else is changed. */
  const made = (change: Mint = {}): string => {
    const { binding = {}, ...rest } = change;
    if (binding === 'absent') return mint(change);
    const { payload = {} } = binding;
    const bound = (good: object) =>
      typeof payload === 'function' ? payload({ ...good, nonce }) : { ...good, nonce, ...payload };
    return mint({ ...rest, binding: { ...binding, payload: bound } });
  };
  const rebound = (presented: string) => presented + bind(presented, { payload: { nonce } });
  const parts = () => made({ binding: 'absent' }).split('~').slice(0, -1);
  const referring = (texts: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
    made({ sd: {}, more: texts, payload: { _sd: texts.map((text) => digestOf(text)), ...more } });
  const element = (text: string) => made({ payload: { list: [{ '...': digestOf(text) }] }, more: [text] });
  const mutant = (check: string, what: string, token: () => string): Mutant => ({ check, what, token });
  const claims = (check: string, what: string, payload: Mint['payload'] & object) =>
    mutant(check, what, () => made({ payload }));
  const header = (check: string, what: string, change: Mint['header'] & object) =>
    mutant(check, what, () => made({ header: change }));
  const kb = (check: string, what: string, payload: Mint['payload'] & object) =>
    mutant(check, what, () => made({ binding: { payload } }));
  const kbHeader = (check: string, what: string, change: Mint['header'] & object) =>
    mutant(check, what, () => made({ binding: { header: change } }));
  const [disclosure, other] = [disclose('given_name', 'Erika'), disclose('given_name', 'Max')];
  const decoy = digestOf('decoy');
  const coordinate = Buffer.from(String(walletKeys.jwk['x']), 'base64url');
  const spellings = ['padded', 'nonCanonical', 'spaced', 'standard'] as const;

  return [
    ...spellings.flatMap((spelling) => {
      const bad = (good: unknown) => misspell(good)[spelling];
      const { text } = misspell(['salt', 'name', 'value'])[spelling];
      return [
        header('P02', `${spelling} header`, bad),
        claims('P02', `${spelling} payload`, bad),
        kbHeader('P02', `${spelling} key binding header`, bad),
        kb('P02', `${spelling} key binding payload`, bad),
        mutant('P02', `${spelling} Disclosure`, () => referring([text])),
      ];
    }),
    mutant('P02', "padded signature of the issuer's", () => {
      const [issuer = '', ...rest] = parts();
      return rebound([`${issuer}==`, ...rest, ''].join('~'));
    }),
    mutant('P02', 'padded signature of the key binding', () => `${made()}==`),
    mutant('P04', 'no key binding JWT after the last tilde', () => `${made({ binding: 'absent' })}a.b`),
    mutant('P04', 'a Disclosure without its tilde', () => made({ binding: 'absent' }).slice(0, -1)),
    mutant('P05', 'an empty part', () => {
      const [issuer = '', ...rest] = parts();
      return rebound([issuer, '', ...rest, ''].join('~'));
    }),
    mutant('P06', 'a fourth segment', () => {
      const [issuer = '', ...rest] = parts();
      return rebound([`${issuer}.e30`, ...rest, ''].join('~'));
    }),
    mutant('P08', 'claims too deep', () => made({ payload: { deep: deep(33) } })),
    mutant('P08', 'too many containers', () => made({ payload: { list: Array(200).fill(deep(30)) } })),
    mutant('P08', 'too many containers, in a Disclosure and the payload', () => {
      const list = Array(90).fill(deep(30));
      return made({ payload: { list }, sd: { ...erika, list } });
    }),
    mutant('P08', 'an array too long', () => made({ payload: { list: Array(2001).fill(0) } })),
    claims('P09', 'a payload that is no object', () => [1]),
    claims('P09', 'a payload that is not UTF-8', (good: unknown) =>
      Buffer.from(prefixed('"a":"\xff"')(good), 'latin1'),
    ),
    mutant('P09', 'a Disclosure that is not UTF-8', () =>
      referring([encode(Buffer.from('["salt","name","\xff"]', 'latin1'))]),
    ),
    header('P10', 'alg twice', prefixed('"alg":"none"')),
    claims('P10', 'iss twice', prefixed('"iss":"https://other.example"')),
    mutant('P10', 'a member twice in a Disclosure', () => referring([encode('["salt","a",{"b":1,"b":2}]')])),
    kb('P10', 'nonce twice', prefixed('"nonce":"another"')),

    header('H01', 'alg none', { alg: 'none' }),
    header('H01', 'alg ES384', { alg: 'ES384' }),
    mutant('H01', "a MAC with the issuer's public key", () => {
      const [, payload] = made().split('.');
      const input = `${encode({ alg: 'HS256', typ: 'dc+sd-jwt' })}.${payload}`;
      const secret = issuerKeys.publicKey.export({ type: 'spki', format: 'pem' });
      const mac = createHmac('sha256', secret).update(input).digest('base64url');
      return rebound(`${input}.${mac}~`);
    }),
    ...['vc+sd-jwt', 'DC+SD-JWT', 'application/dc+sd-jwt', 'JWT', undefined].map((typ) =>
      header('H03', `typ ${String(typ)}`, { typ }),
    ),
    header('H04', 'an unknown extension', { crit: ['x'], x: 1 }),
    header('H04', 'an unencoded payload', { b64: false, crit: ['b64'] }),
    header('H04', 'an unencoded payload, not declared', { b64: false }),
    ...(
      [
        ['jwk', attacker.jwk],
        ['jku', 'https://attacker.example/jwks.json'],
        ['kid', `did:jwk:${encode(attacker.jwk)}`],
      ] as const
    ).map(([name, value]) =>
      mutant('K02', `an attacker's key by ${name}`, () =>
        made({ issuer: attacker, header: { [name]: value } }),
      ),
    ),
    mutant('K02', "another issuer's signature", () => made({ issuer: walletKeys })),

    claims('S02', '_sd_alg is a list', { _sd_alg: ['sha-256'] }),
    claims('S03', '_sd_alg is in capitals', { _sd_alg: 'SHA-256' }),
    mutant('S03', '_sd_alg is md5', () => made({ hash: 'md5', payload: { _sd_alg: 'md5' } })),
    mutant('S03', '_sd_alg is sha3-256', () => made({ hash: 'sha3-256', payload: { _sd_alg: 'sha3-256' } })),
    claims('S04', '_sd_alg below the top level', { address: { _sd_alg: 'sha-256' } }),
    mutant('S04', '_sd_alg in a Disclosure', () => made({ sd: { ...erika, a: { _sd_alg: 'sha-256' } } })),
    ...(
      [
        ['S05', 'no JSON', '["salt","a"'],
        ['S05', 'an object', { 0: 'salt', 1: 'a', length: 2 }],
        ['S05', 'one element', ['salt']],
        ['S05', 'four elements', ['salt', 'name', 'value', 'more']],
        ['S06', 'a salt that is a number', [7, 'name', 'value']],
        ['S07', 'a name that is a number', ['salt', 7, 'value']],
        ['S08', 'the name _sd', ['salt', '_sd', []]],
        ['S08', 'the name ...', ['salt', '...', 'value']],
        ['S08', 'the name _sd_alg', ['salt', '_sd_alg', 'sha-256']],
      ] as const
    ).flatMap(([check, what, value]) => [
      mutant(check, `a Disclosure that is or has ${what}`, () => referring([encode(value)])),
      mutant(check, `a Disclosure that is or has ${what}, not referred to`, () =>
        made({ more: [encode(value)] }),
      ),
    ]),
    claims('S09', 'a Disclosure has the name of a plain claim', { given_name: 'Mallory' }),
    mutant('S09', 'two Disclosures have one name', () => referring([disclosure, other])),
    mutant('S09', 'a Disclosure inside another has the name of a plain claim', () => {
      const inner = disclose('street', 'b');
      return made({ sd: { ...erika, address: { street: 'a', _sd: [digestOf(inner)] } }, more: [inner] });
    }),
    claims('S10', '_sd is a text', { address: { _sd: 'a' } }),
    claims('S10', '_sd has a number', { address: { _sd: [7] } }),
    claims('S11', 'a digest is too short', { address: { _sd: ['A'.repeat(42)] } }),
    claims('S12', 'a placeholder has another member', { list: [{ '...': decoy, more: 1 }] }),
    claims('S12', 'a placeholder is a number', { list: [{ '...': 7 }] }),
    claims('S13', 'the reserved name in an object', { address: { '...': decoy } }),
    mutant('S13', 'the reserved name in a Disclosure', () => made({ sd: { ...erika, a: { '...': decoy } } })),
    mutant('S14', 'an element in the place of a member', () => referring([disclose('an element')])),
    mutant('S14', 'a member in the place of an element', () => element(disclose('name', 'value'))),
    claims('S15', 'a decoy twice', { a: { _sd: [decoy] }, b: { _sd: [decoy] } }),
    claims('S15', 'a decoy twice in a list', { list: [{ '...': decoy }, { '...': decoy }] }),
    mutant('S15', 'a Disclosure in two places', () => {
      const twice = { _sd: [digestOf(disclosure)] };
      return made({ sd: {}, payload: { one: twice, two: twice }, more: [disclosure] });
    }),
    mutant('S15', 'a digest twice, once inside a Disclosure', () =>
      made({ sd: { ...erika, a: { _sd: [decoy] } }, payload: { b: { _sd: [decoy] } } }),
    ),
    mutant('S16', 'a Disclosure twice', () => made({ send: (sent) => [...sent, ...sent.slice(0, 1)] })),
    mutant('S17', 'a Disclosure that nothing refers to', () => made({ more: [disclose('nickname', 'M')] })),
    mutant('S17', 'a child without its parent', () => {
      const child = disclose('street', 'a');
      return made({
        send: (sent) => [...sent.slice(1), child],
        sd: { a: { _sd: [digestOf(child)] }, ...erika },
      });
    }),
    claims('S24', 'an integer that would be rounded', prefixed('"n":9007199254740993')),
    claims('S24', 'a number that would be infinite', prefixed('"n":1e999')),
    header('S24', 'a number in the header that would be rounded', prefixed('"n":9007199254740993')),
    kb('S24', 'a number in the key binding that would be rounded', prefixed('"n":9007199254740993')),
    ...(
      [
        ['iss', 'https://other.example'],
        ['exp', nowSeconds + 60],
        ['vct', 'urn:eudi:pid:de:1'],
        ['cnf', { jwk: walletKeys.jwk }],
        ['status', {}],
      ] as const
    ).map(([name, value]) =>
      mutant('S25', `${name} in a Disclosure`, () =>
        made({ payload: { [name]: undefined }, sd: { ...erika, [name]: value } }),
      ),
    ),

    claims('C04', 'expired', { exp: nowSeconds - 60 }),
    claims('C04', 'expires now', { exp: nowSeconds - 5 }),
    claims('C05', 'exp is a text', { exp: String(nowSeconds + 60) }),
    claims('C05', 'exp is infinite', infinite('exp')),
    claims('C05', 'nbf is a text', { nbf: 'soon' }),
    claims('C05', 'iat is null', { iat: null }),
    claims('C06', 'not valid yet', { nbf: nowSeconds + 60 }),
    claims('C07', 'issued in the future', { iat: nowSeconds + 60 }),
    claims('C10', 'for another audience', { aud: 'x509_san_dns:other.example' }),
    ...(
      [
        ['a private key', { jwk: walletKeys.privateJwk }],
        ['two methods', { jwk: walletKeys.jwk, jku: 'https://wallet.example/jwks.json' }],
        ['a reference', { jku: 'https://wallet.example/jwks.json', kid: 'one' }],
      ] as const
    ).map(([what, cnf]) => claims('C11', `cnf is ${what}`, { cnf })),
    claims('C11', 'no cnf', { cnf: undefined }),
    ...(
      [
        ['padded', `${String(walletKeys.jwk['x'])}=`],
        ['with a leading zero', Buffer.concat([Buffer.of(0), coordinate]).toString('base64url')],
        ['too short', coordinate.subarray(1).toString('base64url')],
      ] as const
    ).map(([what, x]) =>
      claims('K17', `a coordinate of cnf.jwk is ${what}`, { cnf: { jwk: { ...walletKeys.jwk, x } } }),
    ),
    claims('C16', 'cnf.jwk is for another alg', { cnf: { jwk: { ...walletKeys.jwk, alg: 'ES384' } } }),
    claims('C12', 'times in days', { iat: 20_047, exp: 20_137 }),
    claims('C12', 'times in milliseconds', { exp: (nowSeconds + 60) * 1000 }),

    mutant('B02', 'no key binding', () => made({ binding: 'absent' })),
    ...['KB+JWT', 'application/kb+jwt', 'JWT', undefined].map((typ) =>
      kbHeader('B03', `key binding typ ${String(typ)}`, { typ }),
    ),
    kbHeader('B04', 'key binding alg none', { alg: 'none' }),
    mutant('B06', "another key's key binding", () => made({ binding: { wallet: attacker } })),
    mutant('B06', "another key's key binding, in its header", () =>
      made({ binding: { wallet: attacker, header: { jwk: attacker.jwk } } }),
    ),
    kb('B07', 'another nonce', { nonce: 'another' }),
    kb('B07', 'no nonce', { nonce: undefined }),
    kb('B07', 'the nonce in a list', { nonce: [nonce] }),
    kb('B08', 'another audience', { aud: 'x509_san_dns:other.example' }),
    kb('B08', 'no audience', { aud: undefined }),
    kb('B08', 'the audience in a list', { aud: ['x509_san_dns:app.example', 'x509_san_dns:other.example'] }),
    kb('B09', 'no iat', { iat: undefined }),
    kb('B09', 'iat is a text', { iat: String(nowSeconds) }),
    kb('B10', 'key binding from the future', { iat: nowSeconds + 3600 }),
    kb('B11', 'key binding of last year', { iat: nowSeconds - 31_536_000 }),
    kb('B13', 'key binding expired', { exp: nowSeconds - 3600 }),
    kb('B13', 'key binding not valid yet', { nbf: nowSeconds + 3600 }),
    kb('B14', 'no sd_hash', { sd_hash: undefined }),
    kb('B14', 'another sd_hash', { sd_hash: digestOf('a') }),
    mutant('B15', 'a Disclosure taken away', () => {
      const [issuer = '', , ...rest] = made().split('~');
      return [issuer, ...rest].join('~');
    }),
    mutant('B15', 'Disclosures in another order', () => {
      const all = made().split('~');
      return [all[0], ...all.slice(1, -1).toReversed(), all.at(-1)].join('~');
    }),
    mutant('B16', "another credential's key binding", () => {
      const [one, another] = [made(), made({ sd: { given_name: 'Max' } })];
      return one.slice(0, one.lastIndexOf('~') + 1) + another.slice(another.lastIndexOf('~') + 1);
    }),
    kb('B17', 'transaction data', { transaction_data_hashes: [decoy] }),
    mutant('K02', 'another payload under the signature', () => {
      const [issuer = '', ...rest] = parts();
      const [head, , signature] = issuer.split('.');
      const [, payload] = signJws(
        {},
        {
          iss: 'https://issuer.example',
          cnf: { jwk: walletKeys.jwk },
          _sd: rest.map((text) => digestOf(text)),
        },
        attacker,
      ).split('.');
      return rebound([`${head}.${payload}.${signature}`, ...rest, ''].join('~'));
    }),
  ];
}

/** A time that JSON.parse reads as infinity. */
function infinite(name: string) {
  return (good: object) => {
    const { [name as never]: _, ...others } = good;
    return prefixed(`"${name}":1e999`)(others);
  };
}
