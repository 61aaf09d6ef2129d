import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Access, SignRequest } from '../../../lib/service/access.js';
import { signatureOf } from '../../../lib/service/wallets/signature.js';
import { deep } from '../../support/deep.js';
import { holdTimers, pass } from '../../support/held-timers.js';
import { keyPair } from '../../support/key-pair.js';
import { encode, epkOf, keyOf } from './close-jwe.js';

const data = Buffer.from('header.payload');
const timeout = 5_000;

const { privateKey: own, publicKey } = keyPair('ec', { namedCurve: 'P-256' });
/** Of an access, a signature needs only the key, and what proves it. */
const access = { key: own, publicKey } as unknown as Access;

/** The access of an app whose key is this function. */
const by = (key: SignRequest, publicKey: KeyObject = access.publicKey): Access => ({
  ...access,
  key,
  publicKey,
});

const signedBy = async (key: SignRequest, publicKey?: KeyObject): Promise<Buffer> =>
  await signatureOf(data, by(key, publicKey), timeout);

const isGood = (signature: Buffer, publicKey: KeyObject = access.publicKey): boolean =>
  signature.length === 64 && verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);

const raw = (bytes: Buffer): Buffer => sign('sha256', bytes, { key: own, dsaEncoding: 'ieee-p1363' });
const der = (bytes: Buffer): Buffer => sign('sha256', bytes, own);

describe('a signature of a request', () => {
  it('is made by the key itself, where the app has it', async () => {
    expect(isGood(await signatureOf(data, access, timeout))).toBe(true);
  });

  it.each<[string, SignRequest]>([
    ['64 bytes', raw],
    ['64 bytes, later', async (bytes) => await Promise.resolve(raw(bytes))],
    ['DER', der],
    ['DER, later', async (bytes) => await Promise.resolve(der(bytes))],
    ['a Uint8Array', (bytes) => new Uint8Array(der(bytes))],
    ['a part of a larger buffer', (bytes) => Buffer.concat([Buffer.alloc(9), raw(bytes)]).subarray(9)],
  ])('is taken from a function as %s', async (_form, key) => {
    expect(isGood(await signedBy(key))).toBe(true);
  });

  it('is of the bytes that the function was given', async () => {
    let given: Buffer | undefined;
    await signedBy((bytes) => {
      given = bytes;
      return raw(bytes);
    });
    expect(given).toEqual(data);
  });

  it.each<[string, SignRequest]>([
    ['of another key', (bytes) => sign('sha256', bytes, keyPair('ec', { namedCurve: 'P-256' }).privateKey)],
    ['of other bytes', () => raw(Buffer.from('header.other'))],
    ['by another digest', (bytes) => sign('sha512', bytes, { key: own, dsaEncoding: 'ieee-p1363' })],
    ['of 63 bytes', (bytes) => raw(bytes).subarray(1)],
    ['of 65 bytes', (bytes) => Buffer.concat([raw(bytes), Buffer.of(0)])],
    ['of 64 zeros', () => Buffer.alloc(64)],
    ['of no bytes', () => Buffer.alloc(0)],
    ['in DER, cut', (bytes) => der(bytes).subarray(0, -1)],
    ['in DER, with a byte behind it', (bytes) => Buffer.concat([der(bytes), Buffer.of(0)])],
    ['in DER, with a byte inside behind it', (bytes) => derOf(...numbersOf(bytes), Buffer.of(0))],
    ['in DER, with one number', (bytes) => derOf(numbersOf(bytes)[0], Buffer.alloc(0))],
    ['in DER, of two empty numbers', () => derOf(Buffer.alloc(0), Buffer.alloc(0))],
    ['in DER, with a number of another type', (bytes) => patched(der(bytes), 2, 0x04)],
    ['in DER, as a set', (bytes) => patched(der(bytes), 0, 0x31)],
    ['in DER, of another length than it says', (bytes) => patched(der(bytes), 1, 0x20)],
    ['in DER, with numbers that are too long', () => derOf(Buffer.alloc(33, 1), Buffer.alloc(33, 1))],
    ['in DER, whose number is longer than it', () => Buffer.from('300602ff01020101', 'hex')],
    ['as base64url', (bytes) => encode(raw(bytes)) as never],
    ['as a list of numbers', (bytes) => [...raw(bytes)] as never],
    ['as an ArrayBuffer', (bytes) => new Uint8Array(raw(bytes)).buffer as never],
    ['that is undefined', () => undefined as never],
    ['that is null', () => null as never],
  ])('is refused from a function: %s', async (_name, key) => {
    await expect(signedBy(key)).rejects.toMatchObject({
      code: 'hook_failed',
      message: expect.stringMatching(/^Option wallets: key: the function returned no signature/),
    });
  });

  it.each<[string, SignRequest]>([
    ['rejects', async () => await Promise.reject(new Error('The KMS is away.'))],
    [
      'throws',
      () => {
        throw new Error('The KMS is away.');
      },
    ],
  ])('fails if the function %s', async (_what, key) => {
    await expect(signedBy(key)).rejects.toMatchObject({
      code: 'hook_failed',
      message: 'Option wallets: key: the function failed.',
      cause: expect.objectContaining({ message: 'The KMS is away.' }),
    });
  });

  describe('that never comes', () => {
    holdTimers();

    it('fails after the time of a request, and not before', async () => {
      let failure: unknown;
      const signing = signedBy(async () => await new Promise(() => undefined)).catch((error: unknown) => {
        failure = error;
      });
      pass(timeout - 1);
      await Promise.resolve();
      expect(failure).toBeUndefined();
      pass(1);
      await signing;
      const message = 'Option wallets: key: the function took too long.';
      expect(failure).toMatchObject({ code: 'hook_timeout', message });
    });

    it('fails, although the function rejects later', async () => {
      let rejectLate: (error: Error) => void = () => undefined;
      const late = new Promise<never>((_resolve, reject) => {
        rejectLate = reject;
      });
      const signing = signedBy(async () => await late).catch((error: unknown) => error);
      pass(timeout);
      expect(await signing).toMatchObject({ code: 'hook_timeout' });
      rejectLate(new Error('The KMS is away.'));
      await expect(late).rejects.toThrow('The KMS is away.');
    });
  });
});

const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** The shortest two's complement, as DER has a number (X.690, section 8.3). */
function numberOf(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]);
}

const numbersOf = (bytes: Buffer): [Buffer, Buffer] => {
  const both = raw(bytes).toString('hex');
  return [numberOf(BigInt(`0x${both.slice(0, 64)}`)), numberOf(BigInt(`0x${both.slice(64)}`))];
};

function derOf(r: Buffer, s: Buffer, behind = Buffer.alloc(0)): Buffer {
  const [one, other] = [r, s].map((bytes) => Buffer.concat([Buffer.of(2, bytes.length), bytes]));
  const content = Buffer.concat([one ?? r, other ?? s, behind]);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}

const patched = (signature: Buffer, at: number, byte: number): Buffer =>
  Buffer.from(signature.map((old, index) => (index === at ? byte : old)));

/**
 * A key whose signature of these bytes has this s: of an ECDSA signature all but one number can be chosen, and then there is
 * a key that it belongs to.
 */
function chosen(s: bigint, nonce: bigint): { readonly publicKey: KeyObject; readonly signature: Buffer } {
  const r = BigInt(`0x${keyOf(nonce).getPublicKey('hex').slice(2, 66)}`) % order;
  const digest = BigInt(`0x${sha256Hex(data)}`);
  const scalar = modulo((modulo(s * nonce) - digest) * inverse(r));
  const jwk = epkOf(keyOf(scalar));
  return {
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
    signature: derOf(numberOf(r), numberOf(s)),
  };
}

const modulo = (value: bigint): bigint => ((value % order) + order) % order;

/** By Fermat's little theorem. */
function inverse(value: bigint): bigint {
  let [product, power] = [1n, modulo(value)];
  for (let rest = order - 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) product = modulo(product * power);
    power = modulo(power * power);
  }
  return product;
}

const sha256Hex = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

describe('a signature in DER', () => {
  it.each([1, 2, 16, 24, 31, 32])('is taken where one number has %i bytes', async (length) => {
    const s = BigInt(`0x7f${'5a'.repeat(length - 1)}`);
    const { publicKey, signature } = chosen(s, 0xacce55n);
    expect(isGood(await signedBy(() => signature, publicKey), publicKey)).toBe(true);
  });

  it.each([
    ['r begins with a zero', 379n],
    ['r has a zero in front of it', 0xacce55n],
  ])('is taken where %s', async (_name, nonce) => {
    const { publicKey, signature } = chosen(0x80n, nonce);
    expect(isGood(await signedBy(() => signature, publicKey), publicKey)).toBe(true);
  });

  it('is taken where it has 64 bytes, as the other form has', async () => {
    const { publicKey, signature } = chosen(BigInt(`0x7f${'5a'.repeat(25)}`), 1n);
    expect(signature).toHaveLength(64);
    expect(isGood(await signedBy(() => signature, publicKey), publicKey)).toBe(true);
  });

  deep.test('is taken as Node writes it, in each length that comes up in 2,000', async () => {
    const lengths = new Set<number>();
    for (let count = 0; count < 2_000; count += 1) {
      const signature = der(data);
      lengths.add(signature.length);
      expect(isGood(await signedBy(() => signature))).toBe(true);
    }
    // 72 where both numbers have a zero in front, 70 where none has, 69 and less where one is shorter.
    expect([...lengths]).toEqual(expect.arrayContaining([69, 70, 71, 72]));
  });
});
