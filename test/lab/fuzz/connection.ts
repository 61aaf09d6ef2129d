import { connect } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A raw connection: it sends any bytes and reads replies one after the other. */
export interface Connection {
  readonly open: boolean;
  send(bytes: Buffer): void;
  /** The next reply; undefined where the connection closes before it is whole. */
  reply(method: string): Promise<Reply | undefined>;
  /** Nothing more is sent; a reply may still come. */
  finish(): void;
  /** Breaks off, with a reset or without. */
  abort(reset: boolean): Promise<void>;
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  let bytes = Buffer.alloc(0);
  let ended = false;
  let wake = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      ended = true;
      wake();
      resolve();
    });
  });
  socket.on('error', () => undefined); // a reset is a way to close
  socket.on('data', (some: Buffer) => {
    bytes = Buffer.concat([bytes, some]);
    wake();
  });
  socket.on('end', () => {
    ended = true;
    socket.end();
    wake();
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', resolve);
  });
  return {
    get open() {
      return !ended;
    },
    send(some) {
      if (socket.writable) socket.write(some);
    },
    async reply(method) {
      for (;;) {
        const read = readReply(bytes, method, ended);
        if (read !== undefined) bytes = bytes.subarray(read.length);
        if (read?.reply !== undefined) return read.reply;
        if (read !== undefined) continue;
        if (ended) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    finish() {
      socket.end();
    },
    async abort(reset) {
      // A socket that is being shut down cannot be reset: it would never say that it has closed.
      if (reset && !socket.writableEnded) socket.resetAndDestroy();
      else socket.destroy();
      await closed;
    },
  };
}

/** One whole reply, or an interim one (no `reply`), from the front of what came; undefined where more must come. */
function readReply(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { length: number; reply?: Reply } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end + 2);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const from = end + 4;
  if (status >= 100 && status < 200) return { length: from };
  const body = bodyIn(
    bytes.subarray(from),
    head,
    ended,
    method === 'HEAD' || status === 204 || status === 304,
  );
  if (body === undefined) return undefined;
  return { length: from + body.length, reply: { status, head, body: body.content.toString() } };
}

interface Body {
  readonly length: number;
  readonly content: Buffer;
}

/** The body, if it is there: of its length, in chunks, or up to the end of the connection. */
function bodyIn(bytes: Buffer, head: string, ended: boolean, none: boolean): Body | undefined {
  if (none) return { length: 0, content: Buffer.alloc(0) };
  if (/\r\ntransfer-encoding: chunked\r\n/i.test(head)) return chunksIn(bytes);
  const sized = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (sized === undefined) return ended ? { length: bytes.length, content: bytes } : undefined;
  const length = Number(sized);
  return bytes.length < length ? undefined : { length, content: bytes.subarray(0, length) };
}

function chunksIn(bytes: Buffer): Body | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    at = line + 2 + size + 2;
    if (Number.isNaN(at) || bytes.length < at) return undefined;
    parts.push(bytes.subarray(line + 2, at - 2));
    if (size === 0) return { length: at, content: Buffer.concat(parts) };
  }
}
