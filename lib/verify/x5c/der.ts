import { utcSeconds } from '../../internal/dates.js';

/** A value in DER (ITU-T X.690): its tag, and its content. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly bytes: Buffer;
}

/** The tags of the values that certificates are made of. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  id: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

/**
 * Returns the values in these bytes, one after the other. Throws for what is not DER: a length that is not written in
 * its shortest form or goes beyond the end. Certificates have no tags of more than a byte.
 */
export function readValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    let start = at + 2;
    let length = bytes.readUInt8(at + 1);
    if (length > 0x7f) {
      const size = length & 0x7f;
      length = bytes.readUIntBE(start, size);
      if (length < Math.max(0x80, 2 ** (8 * (size - 1)))) throw malformed();
      start += size;
    }
    const end = start + length;
    if ((tag & 0x1f) === 0x1f || end > bytes.length) throw malformed();
    values.push({ tag, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}

export function contentOf(value: DerValue | undefined, tag: number): Buffer {
  if (value?.tag !== tag) throw malformed();
  return value.content;
}

export const membersOf = (value: DerValue | undefined, tag = tags.sequence): readonly DerValue[] =>
  readValues(contentOf(value, tag));

export function readSequence(bytes: Buffer): readonly DerValue[] {
  const [sequence, ...others] = readValues(bytes);
  if (others.length > 0) throw malformed();
  return membersOf(sequence);
}

/** Returns an object identifier in dots. Its numbers may be longer than those of JavaScript. */
export function identifierOf(value: DerValue | undefined): string {
  const numbers: bigint[] = [];
  let number: bigint | undefined;
  for (const byte of contentOf(value, tags.id)) {
    if (number === undefined && byte === 0x80) throw malformed();
    number = ((number ?? 0n) << 7n) | BigInt(byte & 0x7f);
    if (byte & 0x80) continue;
    numbers.push(number);
    number = undefined;
  }
  const [first, ...others] = numbers;
  if (first === undefined || number !== undefined) throw malformed();
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...others].join('.');
}

/** Reads a truth value. OpenSSL takes any byte but zero as true; DER has one. */
export function truthOf(value: DerValue | undefined): boolean {
  const content = contentOf(value, tags.boolean);
  if (!/^(?:00|ff)$/.test(content.toString('hex'))) throw malformed();
  return content[0] === 0xff;
}

/** Reads a number of at most six bytes. */
export function integerOf(value: DerValue | undefined): number {
  const content = contentOf(value, tags.integer);
  return content.readIntBE(0, content.length);
}

/**
 * Reads a time in one of the two forms of RFC 5280 (sections 4.1.2.5.1 and 4.1.2.5.2), in seconds since 1970: in UTC, to
 * the second, without fractions. Two digits are a year from 1950 to 2049.
 */
export function timeOf(value: DerValue | undefined): number {
  const isShort = value?.tag === tags.utcTime;
  const text = contentOf(value, isShort ? tags.utcTime : tags.generalizedTime).toString('latin1');
  const full = isShort ? `${text < '50' ? 20 : 19}${text}` : text;
  const [, year, month, day, hour, minute, second] =
    /^([1-9]\d{3})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const seconds = utcSeconds(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
  if (seconds === undefined) throw malformed();
  return seconds;
}

export const malformed = (): Error => new RangeError('The certificate is not DER.');
