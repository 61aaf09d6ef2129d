import { createCipheriv, createECDH, createHash, type ECDH } from 'node:crypto';

// The sender of a JWE by ECDH-ES, from RFC 7516 and RFC 7518 alone: it shares no line with what opens one. Whatever a test
// asks for is closed just as well as a good one, so only the check that the test is about can refuse it.

type Members = Readonly<Record<string, unknown>>;

/** What is other than in a good JWE. */
export interface Closing {
  /** Beside the good members of the header, or in their place; undefined takes one away. */
  readonly header?: Members;
  /** The header's whole text, whatever it is. */
  readonly headerText?: string | Buffer;
  /** Spells the header in base64url. */
  readonly spell?: (canonical: string) => string;
  readonly plaintext?: string | Buffer;
  readonly ivBytes?: number;
  readonly tagBytes?: number;
  /** Where it is not what the two keys agree on. */
  readonly shared?: Buffer;
  /** Where it is not derived. */
  readonly contentKey?: Buffer;
}

export type Parts = [header: string, encryptedKey: string, iv: string, text: string, tag: string];

export const kid = 'a-state.link';

/** What is in a good one. */
export const content = { vp_token: { pid: ['a presentation'] }, state: kid };

/** A private key of P-256 from its number. */
export function keyOf(scalar: bigint | Buffer): ECDH {
  const key = createECDH('prime256v1');
  const hex = typeof scalar === 'bigint' ? scalar.toString(16) : scalar.toString('hex');
  key.setPrivateKey(hex.padStart(64, '0'), 'hex');
  return key;
}

/** The key of the sender. */
export const sender = keyOf(0x5e4de2n);

/** The public half, as an `epk` has it. */
export function epkOf(key: ECDH): { kty: string; crv: string; x: string; y: string } {
  const point = key.getPublicKey();
  return { kty: 'EC', crv: 'P-256', x: encode(point.subarray(1, 33)), y: encode(point.subarray(33)) };
}

export const encode = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url');
const decode = (text: unknown): Buffer =>
  typeof text === 'string' ? Buffer.from(text, 'base64url') : Buffer.alloc(0);

/** The bytes of a key for AES-GCM; a name that is none of these is closed as the first. */
const sizes: ReadonlyMap<unknown, number> = new Map([
  ['A128GCM', 16],
  ['A192GCM', 24],
  ['A256GCM', 32],
]);

/** The key that both sides derive (RFC 7518, section 4.6.2). */
export function derive(shared: Buffer, { enc, apu, apv }: Members): Buffer {
  const size = sizes.get(enc) ?? 16;
  const said = [Buffer.from(String(enc)), decode(apu), decode(apv)].flatMap((one) => [four(one.length), one]);
  const digest = createHash('sha256').update(Buffer.concat([four(1), shared, ...said, four(size * 8)]));
  return digest.digest().subarray(0, size);
}

const four = (value: number): Buffer => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');

/** Closes a JWE for this key; {@link Closing} says what is wrong in it. */
export function closeJwe(recipient: ECDH, closing: Closing = {}): Parts {
  const {
    spell = (text) => text,
    plaintext = JSON.stringify(content),
    ivBytes = 12,
    tagBytes = 16,
  } = closing;
  const header: Members = { alg: 'ECDH-ES', enc: 'A128GCM', kid, epk: epkOf(sender), ...closing.header };
  const head = spell(encode(closing.headerText ?? JSON.stringify(header)));
  const shared = closing.shared ?? sender.computeSecret(recipient.getPublicKey());
  const key = closing.contentKey ?? derive(shared, header);
  const iv = Buffer.alloc(ivBytes, 0xfb); // `-_v7` in base64url, in which the alphabets differ
  const name = `aes-${key.length * 8}-gcm` as 'aes-128-gcm';
  const cipher = createCipheriv(name, key, iv, { authTagLength: Math.min(tagBytes, 16) });
  cipher.setAAD(Buffer.from(head));
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const tag = Buffer.concat([cipher.getAuthTag(), Buffer.alloc(Math.max(tagBytes - 16, 0))]);
  return [head, '', encode(iv), encode(text), encode(tag)];
}

type Point = readonly [x: bigint, y: bigint] | undefined;

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;

/**
 * What a recipient that checks no point would agree on: the x of its key times this point. The formulas do not use the
 * curve's last coefficient, so they go on at a point of any other curve, which is how the attack on it works.
 */
export function uncheckedSecret(x: Buffer, y: Buffer, recipient: ECDH): Buffer {
  let sum: Point;
  let step: Point = [numberIn(x), numberIn(y)];
  for (let scalar = numberIn(recipient.getPrivateKey()); scalar > 0n; scalar >>= 1n) {
    if (scalar & 1n) sum = add(sum, step);
    step = add(step, step);
  }
  return Buffer.from((sum?.[0] ?? 0n).toString(16).padStart(64, '0'), 'hex');
}

function add(one: Point, other: Point): Point {
  if (!one || !other) return one ?? other;
  const [[x1, y1], [x2, y2]] = [one, other];
  const isSame = modulo(x1 - x2) === 0n;
  if (isSame && modulo(y1 + y2) === 0n) return undefined;
  const slope = isSame ? (3n * x1 * x1 - 3n) * inverse(2n * y1) : (y2 - y1) * inverse(x2 - x1);
  const x = modulo(slope * slope - x1 - x2);
  return [x, modulo(slope * (x1 - x) - y1)];
}

const modulo = (value: bigint): bigint => ((value % prime) + prime) % prime;
const numberIn = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

/** By Euclid's algorithm. */
function inverse(value: bigint): bigint {
  let [high, low, one, other] = [prime, modulo(value), 0n, 1n];
  while (low > 0n) {
    const times = high / low;
    [high, low, one, other] = [low, high - times * low, other, one - times * other];
  }
  return modulo(one);
}
