import { type KeyObject, type KeyPairKeyObjectResult, constants, createHash } from 'node:crypto';
import { sign } from 'node:crypto';
import type { Jwk } from '../../../lib/types/trust.js';
import { keyPair } from '../key-pair.js';

export { nonceOf } from '../../../lib/service/receipt.js';

/** A key pair for one algorithm, ready to sign anything. */
export interface KeyPair {
  readonly alg: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly jwk: Jwk;
  readonly privateJwk: Jwk;
}

const curves: Readonly<Record<string, readonly [curve: string, hash: string]>> = {
  ES256: ['P-256', 'sha256'],
  ES384: ['P-384', 'sha384'],
  ES512: ['P-521', 'sha512'],
};

function generate(alg: string): KeyPairKeyObjectResult {
  const [curve] = curves[alg] ?? [];
  if (alg.startsWith('Ed')) return keyPair('ed25519');
  if (curve === undefined) return keyPair('rsa', { modulusLength: 2048 });
  return keyPair('ec', { namedCurve: curve });
}

/** Most pairs need no JWK. */
export function newKeyPair(alg = 'ES256'): KeyPair {
  const { privateKey, publicKey } = generate(alg);
  let jwk: Jwk | undefined;
  let privateJwk: Jwk | undefined;
  return {
    alg,
    publicKey,
    privateKey,
    get jwk() {
      return (jwk ??= publicKey.export({ format: 'jwk' }) as Jwk);
    },
    get privateJwk() {
      return (privateJwk ??= privateKey.export({ format: 'jwk' }) as Jwk);
    },
  };
}

/** A segment that is sent as it stands, for spellings that no encoder makes. */
class Segment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Base64url of bytes, of a text as it is, or of anything else as JSON. */
export function encode(value: unknown): string {
  if (value instanceof Segment) return value.text;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url');
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export function digestOf(text: string, algorithm = 'sha256'): string {
  return createHash(algorithm).update(text).digest('base64url');
}

let salts = 0;

/**
 * Other spellings that a lenient decoder reads as the same bytes. Spaces at the end of the JSON see to it that there
 * are bits to spare.
 */
export function misspell(
  value: unknown,
): Readonly<Record<'padded' | 'nonCanonical' | 'spaced' | 'standard', Segment>> {
  const text = JSON.stringify(value);
  const segment = encode(text + ' '.repeat((4 - (Buffer.byteLength(text) % 3)) % 3));
  const last = alphabet[alphabet.indexOf(segment.at(-1) ?? '') + 1] ?? '';
  return {
    padded: new Segment(`${segment}==`),
    nonCanonical: new Segment(segment.slice(0, -1) + last),
    spaced: new Segment(`${segment.slice(0, 4)} ${segment.slice(4)}`),
    standard: new Segment(`${segment.slice(0, 4)}+${segment.slice(5)}`),
  };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A Disclosure: of an array element with one argument, of an object member with two. */
export function disclose(...nameAndValue: readonly [unknown] | readonly [string, unknown]): string {
  salts += 1;
  return encode([`salt-${salts}`, ...nameAndValue]);
}

/** A compact JWS over any header and payload, however wrong they are. Texts are signed as they stand. */
export function signJws(header: unknown, payload: unknown, { alg, privateKey }: KeyPair): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const hash = privateKey.asymmetricKeyType === 'ed25519' ? null : (curves[alg]?.[1] ?? `sha${alg.slice(2)}`);
  const padding = alg.startsWith('PS') && {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: Number(alg.slice(2)) / 8,
  };
  const bytes = sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363', ...padding });
  return `${input}.${bytes.toString('base64url')}`;
}

/** The moment at which everything here happens, unless a test says otherwise. */
export const now = new Date('2026-08-12T12:00:00Z');
export const nowSeconds = now.getTime() / 1000;
export const clock = () => now;

export const issuerKeys = newKeyPair();
export const walletKeys = newKeyPair();
export const vct = 'urn:eudi:pid:de:1';
export const iss = 'https://issuer.example';
export const audience = 'x509_san_dns:app.example';
export const nonce = 'n-0S6_WzA2Mj';

/** Erika Mustermann's PID, as claims. */
export const erika = {
  family_name: 'Mustermann',
  given_name: 'Erika',
  birthdate: '1964-08-12',
  nationalities: ['DE'],
} as const;

type Members = Readonly<Record<string, unknown>>;

/** Members that replace those of a good token (`undefined` takes one away), or a function of the good ones. */
export type Change = Members | ((good: Members) => unknown);

/** What to mint. */
export interface Mint {
  readonly issuer?: KeyPair;
  readonly header?: Change;
  readonly payload?: Change;
  /** Claims that become Disclosures at the top level; default: the persona's. */
  readonly sd?: Members;
  /** Disclosures that are sent beside those of `sd`; nothing refers to them unless the payload does. */
  readonly more?: readonly string[];
  readonly hash?: string;
  /** Changes the Disclosures that are sent (not those that are signed). */
  readonly send?: (disclosures: readonly string[]) => readonly string[];
  readonly binding?: Binding | 'absent';
}

export interface Binding {
  readonly wallet?: KeyPair;
  readonly header?: Change;
  readonly payload?: Change;
}

/** A compact SD-JWT, with a key binding JWT unless told otherwise: good, but for what the caller changes. */
export function mint(change: Mint = {}): string {
  const { issuer = issuerKeys, sd = erika, more = [], hash = 'sha256', binding = {} } = change;
  const disclosures = Object.entries(sd).map(([name, value]) => disclose(name, value));
  const signed = {
    iss,
    vct,
    iat: nowSeconds - 60,
    exp: nowSeconds + 3600,
    cnf: { jwk: walletKeys.jwk },
    _sd: disclosures.map((text) => digestOf(text, hash)),
  };
  const issuerSigned = signJws(
    patch({ alg: issuer.alg, typ: 'dc+sd-jwt' }, change.header),
    patch(signed, change.payload),
    issuer,
  );
  const sent = [...disclosures, ...more];
  const presented = [issuerSigned, ...(change.send?.(sent) ?? sent), ''].join('~');
  return binding === 'absent' ? presented : presented + bind(presented, binding, hash);
}

/** A key binding JWT for what is presented. */
export function bind(presented: string, binding: Binding = {}, hash = 'sha256'): string {
  const { wallet = walletKeys } = binding;
  const claims = { nonce, aud: audience, iat: nowSeconds - 5, sd_hash: digestOf(presented, hash) };
  return signJws(
    patch({ alg: wallet.alg, typ: 'kb+jwt' }, binding.header),
    patch(claims, binding.payload),
    wallet,
  );
}

/** The good members with this change. */
export function patch(good: Members, change: Change = {}): unknown {
  return typeof change === 'function' ? change(good) : { ...good, ...change };
}
