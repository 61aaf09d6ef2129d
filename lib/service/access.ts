import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { readPem } from '../internal/pem.js';
import { sha256 } from '../internal/sha256.js';
import {
  anything,
  type Check,
  type ChecksOf,
  invalid,
  object,
  oneOf,
  withDefault,
} from '../internal/validate.js';

/**
 * Signs these bytes with the access certificate's key, by ES256: 64 bytes as JOSE has them, or DER. For a KMS or an HSM.
 */
export type SignRequest = (data: Buffer) => Uint8Array | Promise<Uint8Array>;

/** Who asks wallets: what an authority has certified, and what a registrar has signed. */
export interface WalletsEntry {
  /** The access certificate and its chain in PEM, the leaf first; default `IDENTITY_ACCESS_CERTIFICATE`. */
  readonly certificate?: string | undefined;
  /** Its P-256 key: in PEM, as a KeyObject, or a function that signs; default `IDENTITY_ACCESS_KEY`. */
  readonly key?: string | KeyObject | SignRequest | undefined;
  /** The registration certificate, a compact JWT, which wallets show; default `IDENTITY_REGISTRATION`. */
  readonly registration?: string | undefined;
  /** How links to a wallet begin; default `'openid4vp'`. */
  readonly scheme?: 'openid4vp' | 'haip-vp' | undefined;
}

/** An entry that was read, for the wallets that it asks. */
export interface Access {
  /** `x509_hash:` and the digest of the certificate (OpenID4VP 1.0, section 5.9.3). */
  readonly clientId: string;
  /** The chain as a request names it: standard base64, without its anchor (HAIP 1.0, section 5). */
  readonly x5c: readonly string[];
  /** Each certificate that was given, its anchor too. */
  readonly certificates: readonly Buffer[];
  /** The certificate in PEM. */
  readonly certificate: string;
  readonly publicKey: KeyObject;
  readonly key: KeyObject | SignRequest;
  readonly registration: string | undefined;
  readonly scheme: 'openid4vp' | 'haip-vp';
  /** In milliseconds. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** Where a member comes from, for the messages. */
export type PlaceOf = (member: keyof WalletsEntry) => string;

const members = {
  // What they are is judged with the variables that may stand in for them.
  certificate: anything as Check<WalletsEntry['certificate']>,
  key: anything as Check<WalletsEntry['key']>,
  registration: anything as Check<WalletsEntry['registration']>,
  scheme: withDefault(oneOf(['openid4vp', 'haip-vp']), 'openid4vp'),
} satisfies ChecksOf<WalletsEntry>;

/** Checks that an entry has known members only. */
export const checkEntry = object(members);

/** A list is for a renewal: the new entry and the old one, and as many audiences as a trust entry may have. */
export const maxEntries = 4;

/** Reads one entry. Every fault of it has its own sentence, which quotes nothing of a key. */
export function readAccess(entry: WalletsEntry, placeOf: PlaceOf): Access {
  const chain = chainOf(entry.certificate, placeOf('certificate'));
  const [leaf, ...above] = chain;
  const { publicKey, raw } = leaf;
  return {
    clientId: `x509_hash:${sha256(raw)}`,
    x5c: [leaf, ...above.filter((ca) => !isSelfSigned(ca))].map((one) => one.raw.toString('base64')),
    certificates: chain.map((one) => one.raw),
    certificate: leaf.toString(),
    publicKey,
    key: keyOf(entry.key, leaf, placeOf('key')),
    registration: registrationOf(entry.registration, placeOf('registration')),
    scheme: entry.scheme ?? 'openid4vp',
    validFrom: Date.parse(leaf.validFrom),
    validUntil: Date.parse(leaf.validTo),
  };
}

/** Returns why nobody can ask with a certificate now. */
export function whyNotNow({ validFrom, validUntil }: Access, now: number): string | undefined {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  if (now < validFrom) return `is not valid before ${day(validFrom)}`;
  return now < validUntil + 1_000 ? undefined : `expired on ${day(validUntil)}`;
}

type Certificates = readonly [X509Certificate, ...X509Certificate[]];

function chainOf(value: unknown, place: string): Certificates {
  if (typeof value !== 'string')
    throw invalid(place, 'must be the text of certificates in PEM, the leaf first');
  const chain = readPem(value, place, parse);
  const [leaf] = chain;
  if (isSelfSigned(leaf)) {
    throw invalid(
      place,
      'is self-signed, and wallets refuse that (HAIP 1.0, section 5): it must be issued by an authority',
    );
  }
  const stray = chain.findIndex((one, at) => at > 0 && !isIssuedBy(chain[at - 1] ?? leaf, one));
  if (stray > 0) {
    const why = `is out of order: its certificate ${stray + 1} has not issued certificate ${stray}`;
    throw invalid(place, `${why}. The leaf comes first, then whoever issued it`);
  }
  if (leaf.publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw invalid(place, 'has a key that is not P-256, the one kind that every wallet knows');
  }
  return chain;
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  one.checkIssued(issuer) && one.verify(issuer.publicKey);

const isSelfSigned = (one: X509Certificate): boolean => isIssuedBy(one, one);

function keyOf(value: unknown, leaf: X509Certificate, place: string): KeyObject | SignRequest {
  if (typeof value === 'function') return value as SignRequest;
  const key = typeof value === 'string' ? parseKey(value, place) : value;
  if (!(key instanceof KeyObject) || key.type !== 'private') {
    throw invalid(place, 'must be a private key in PEM, a KeyObject, or a function that signs');
  }
  if (leaf.checkPrivateKey(key)) return key;
  throw invalid(place, 'does not belong to the certificate');
}

function parseKey(pem: string, place: string): KeyObject | undefined {
  if (/^-----BEGIN ENCRYPTED|^Proc-Type:.*ENCRYPTED/m.test(pem)) {
    throw invalid(place, 'is encrypted: decrypt it (openssl pkey), or give a function that signs');
  }
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function registrationOf(value: unknown, place: string): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value.trim() : ''; // a file ends with a new line
  if (isCompactJwt(text)) return text;
  throw invalid(place, 'must be a compact JWT, as the registrar has signed it');
}

export const isCompactJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
