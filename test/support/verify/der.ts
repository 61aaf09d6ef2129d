// Writes DER, as far as a certificate needs it. Unlike the sandbox's own writer it also writes what is wrong.

/** A part of less than 64 kB. */
export function tlv(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
export const integer = (value: number): Buffer => tlv(0x02, Buffer.of(value));
export const octets = (content: Uint8Array): Buffer => tlv(0x04, content);
export const yes = tlv(0x01, Buffer.of(0xff));

/** The last bits, as many as are unused, do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.of(unused), content);

/** What follows tag and length of an object identifier. */
export function identifierBytes(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(BigInt) as bigint[];
  const bytes = [BigInt(first) * 40n + BigInt(second), ...others].flatMap((value) => {
    const sevens = [Number(value & 127n)];
    for (let left = value >> 7n; left > 0n; left >>= 7n) sevens.unshift(Number(left & 127n) | 128);
    return sevens;
  });
  return Buffer.from(bytes);
}

export const objectId = (dotted: string): Buffer => tlv(0x06, identifierBytes(dotted));

/** Two digits of the year until 2049, four from then on. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? tlv(0x17, Buffer.from(digits.slice(2)))
    : tlv(0x18, Buffer.from(digits));
}
