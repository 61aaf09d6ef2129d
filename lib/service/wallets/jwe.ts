import { createDecipheriv, createHash, type ECDH } from 'node:crypto';

/** The bytes of an AES key, by `enc`. */
const keySizes: ReadonlyMap<unknown, 16 | 32> = new Map([
  ['A128GCM', 16],
  ['A256GCM', 32],
]);

type Members = Readonly<Record<string, unknown>>;

/** A compact JWE (RFC 7516) whose header was read. Nothing of it is authenticated yet. */
export interface Jwe {
  readonly kid: string;
  /** The bytes of its AES key. */
  readonly size: 16 | 32;
  readonly parts: readonly [header: string, iv: Buffer, text: Buffer, tag: Buffer];
  readonly header: Members;
}

/** Reads the header of a compact JWE that is closed by ECDH-ES itself; undefined for every other text. */
export function readJwe(compact: string): Jwe | undefined {
  const [head = '', encryptedKey, ...others] = compact.split('.');
  const [iv, text, tag] = others.map(bytesOf);
  if (others.length !== 3 || encryptedKey !== '' || !iv || !text || !tag) return undefined;
  const header = objectIn(bytesOf(head));
  const kid = header?.['kid'];
  if (header === undefined || typeof kid !== 'string') return undefined;
  // Of what a header may ask for, only these are known (RFC 7516, section 4.1.13: the rest must be understood).
  const isPlain = header['alg'] === 'ECDH-ES' && !('zip' in header) && !('crit' in header);
  const size = keySizes.get(header['enc']);
  return isPlain && size !== undefined ? { kid, size, header, parts: [head, iv, text, tag] } : undefined;
}

/** Opens a JWE for this key, and returns the object in it; undefined where anything of it is not as it must be. */
export function openJwe({ header, size, parts: [head, iv, text, tag] }: Jwe, key: ECDH): Members | undefined {
  if (iv.length !== 12) return undefined;
  try {
    // Refuses a point that is not on the curve.
    const shared = key.computeSecret(pointOf(header['epk']));
    const names = [Buffer.from(String(header['enc'])), partyOf(header['apu']), partyOf(header['apv'])];
    // RFC 7518, section 4.6.2: one round of the derivation is enough for either size.
    const info = [...names.map(field), numberOf(size * 8)];
    const digest = createHash('sha256')
      .update(Buffer.concat([numberOf(1), shared, ...info]))
      .digest();
    const cipher = size === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
    // A tag of any other length is refused.
    const decipher = createDecipheriv(cipher, digest.subarray(0, size), iv, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(head)).setAuthTag(tag);
    return objectIn(Buffer.concat([decipher.update(text), decipher.final()]));
  } catch {
    return undefined;
  }
}

/** Canonical base64url only: another spelling of one answer would be another answer. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function objectIn(bytes: Buffer | undefined): Members | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The sender's public key, as an uncompressed point (RFC 7518, section 6.2.1): of P-256, and without a private half. */
function pointOf(value: unknown): Buffer {
  const { kty, crv, x, y, d } = Object(value) as Members;
  const halves = [x, y].map(bytesIn);
  const isPublic = kty === 'EC' && crv === 'P-256' && d === undefined;
  if (isPublic && halves.every(({ length }) => length === 32))
    return Buffer.concat([Buffer.of(4), ...halves]);
  return refuse();
}

/** What a party says of itself; nothing where it is absent. */
const partyOf = (value: unknown): Buffer => (value === undefined ? Buffer.alloc(0) : bytesIn(value));

function bytesIn(value: unknown): Buffer {
  const bytes = typeof value === 'string' ? bytesOf(value) : undefined;
  return bytes ?? refuse();
}

/** For the `try` around all that opens one: it says no more to anybody. */
function refuse(): never {
  throw new Error('This JWE cannot be opened.');
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const field = (bytes: Buffer): Buffer => Buffer.concat([numberOf(bytes.length), bytes]);
