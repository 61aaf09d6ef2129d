/** DER as a tree, good or bad. What an octet string of an extension holds is part of it. */
export interface DerNode {
  tag: number;
  parts: DerNode[] | undefined;
  content: Buffer;
  /** How the length is written. */
  length?: 'padded' | 'indefinite';
  /** Bytes behind the last part. */
  rest?: Buffer;
}

export function parse(bytes: Buffer): DerNode[] {
  const nodes: DerNode[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    const short = bytes.readUInt8(at + 1);
    const size = short < 128 ? 0 : short & 127;
    const start = at + 2 + size;
    const end = start + (size === 0 ? short : bytes.readUIntBE(at + 2, size));
    if (end > bytes.length) throw new RangeError('cut off');
    nodes.push({ tag, parts: undefined, content: bytes.subarray(start, end) });
    at = end;
  }
  for (const node of nodes) {
    if (!(node.tag & 0x20) && node.tag !== 0x04) continue;
    try {
      node.parts = parse(node.content);
    } catch {
      // an octet string of other bytes
    }
  }
  return nodes;
}

export function write({ tag, parts, content, length, rest = Buffer.alloc(0) }: DerNode): Buffer {
  const inner = Buffer.concat([parts === undefined ? content : Buffer.concat(parts.map(write)), rest]);
  if (length === 'indefinite') return Buffer.concat([Buffer.of(tag, 0x80), inner, Buffer.alloc(2)]);
  const hex = inner.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const long = length === 'padded' ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
  const isShort = inner.length < 128 && length === undefined;
  const size = isShort ? Buffer.of(inner.length) : Buffer.concat([Buffer.of(0x80 + long.length), long]);
  return Buffer.concat([Buffer.of(tag), size, inner]);
}

export const leafNode = (tag: number, hex: string): DerNode => ({
  tag,
  parts: undefined,
  content: Buffer.from(hex, 'hex'),
});
export const around = (tag: number, ...parts: DerNode[]): DerNode => ({
  tag,
  parts,
  content: Buffer.alloc(0),
});
export const textNode = (tag: number, value: string) => leafNode(tag, Buffer.from(value).toString('hex'));
export const copy = (node: DerNode): DerNode => ({ ...node, parts: node.parts?.map(copy) });
export const allOf = (node: DerNode): DerNode[] => [node, ...(node.parts ?? []).flatMap(allOf)];
