// Writes DER, as far as a certificate needs it: a tag, the length, the content.

export const sequence = (...parts: readonly Uint8Array[]): Buffer => derTlv(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => derTlv(0x31, ...parts);
export const octets = (content: Uint8Array): Buffer => derTlv(0x04, content);
export const integer = (...bytes: readonly number[]): Buffer => derTlv(0x02, Buffer.from(bytes));
export const utf8 = (text: string): Buffer => derTlv(0x0c, Buffer.from(text));
export const derPrintableString = (text: string): Buffer => derTlv(0x13, Buffer.from(text));
export const yes = derTlv(0x01, Buffer.of(0xff));

/** The last bits, as many as are unused, do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer => derTlv(0x03, Buffer.of(unused), content);

/** A tag of the structure's own, around the one that the content has. */
export const around = (tag: number, content: Uint8Array): Buffer => derTlv(0xa0 + tag, content);

/** A tag of the structure's own, in place of the one that the content would have. */
export const inPlace = (tag: number, content: Uint8Array): Buffer => derTlv(0x80 + tag, content);

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return derTlv(0x06, Buffer.from([first * 40 + second, ...rest].flatMap((arc) => inSevens(arc))));
}

/** A time in seconds. Before 2050 a certificate writes the year with two digits. */
export function derTime(seconds: number): Buffer {
  const text = new Date(seconds * 1000).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return text < '2050' ? derTlv(0x17, Buffer.from(text.slice(2))) : derTlv(0x18, Buffer.from(text));
}

function derTlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content]);
}

function lengthOf({ length }: Uint8Array): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

/** Seven bits a byte, the highest first. All but the last byte bear a mark. */
function inSevens(arc: number): number[] {
  const above = Math.floor(arc / 128);
  return [...(above === 0 ? [] : inSevens(above).map((byte) => byte | 0x80)), arc % 128];
}
