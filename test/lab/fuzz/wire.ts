/** A request before it becomes bytes. */
export interface Request {
  readonly method: string;
  readonly address: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const form = 'application/x-www-form-urlencoded';

export function post(body: string | Buffer, headers: Request['headers'] = []): Request {
  const own = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    method: 'POST',
    address: '/identity/callback',
    headers: own ? headers : [['Content-Type', form], ...headers],
    body: Buffer.isBuffer(body) ? body : Buffer.from(body),
  };
}

export function get(address: string, headers: Request['headers'] = []): Request {
  return { method: 'GET', address, headers, body: Buffer.alloc(0) };
}

/** The bytes, with a right length, or with the framing that is given. */
export function bytesOf(request: Request, framing?: readonly string[]): Buffer {
  const { method, address, headers, body } = request;
  const right = body.length > 0 || method === 'POST' ? [`Content-Length: ${body.length}`] : [];
  const named = headers.some(([name]) => name.toLowerCase() === 'host');
  const lines = [
    `${method} ${address} HTTP/1.1`,
    ...(named ? [] : ['Host: 127.0.0.1']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(framing ?? right),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The same body in chunks of these sizes. */
export function chunked(body: Buffer, size: () => number, extension = '', trailer = ''): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const chunk = body.subarray(at, at + Math.max(1, size()));
    parts.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)]);
}
